import Basics
import HID
import Settings
import Testing
import Wire

@Suite("Displays of a group")
struct DisplaysTests {
    private func settings(_ key: String, _ value: String) throws(SettingsError) -> Settings {
        try Settings([Setting(key: key, value: value)])
    }

    @Test("screen.others adds displays by their sizes to the main display")
    func sizes() throws {
        #expect(Displays(Settings()).all.count == 1)
        let displays = Displays(
            try Settings([
                Setting(key: "screen.others", value: "1024x768@2 100x50"), Setting(key: "screen.rotation", value: "90"),
            ]))
        #expect(displays.all.map(\.geometry.bounds.width) == [667, 1024, 100])
        #expect(displays.all.map(\.scale) == [2, 2, 1])
        #expect(displays.numbers == 1...3 && !displays.contains(0) && !displays.contains(4))
    }

    @Test("an invalid display size and too many displays are refused")
    func badSizes() {
        for text in ["1024", "1024x", "0x5", "5x5@0", "5x5@1@1", "5x-5", "axb", "5x5 5x5 5x5 5x5", "5x5,5x5"] {
            #expect(throws: SettingsError.self, "\(text)") { try settings("screen.others", text) }
        }
    }

    @Test("an app's display comes from topology or settings, if it exists")
    func apps() throws {
        let two = Setting(key: "screen.others", value: "5x5")
        let group = Displays(
            try Settings([
                two, Setting(key: "app.display", value: "2"),
                Setting(key: "group.topology", value: "1\napp.display=1\n2\n3\napp.display=4"),
            ]))
        #expect((1...4).map { group.display(of: $0) } == [1, 2, 1, 2])
        #expect(group.firstApp(on: 1) == 1 && group.firstApp(on: 2) == 2)
        let all = Displays(try Settings([two, Setting(key: "app.display", value: "2")]))
        #expect(all.firstApp(on: 2) == 1 && all.firstApp(on: 1) == nil)
    }

    @Test("device.displays maps a panel to a display by path or name")
    func panels() throws {
        let panels = PanelDisplays(
            try Settings([
                Setting(key: "screen.others", value: "5x5"),
                Setting(key: "device.displays", value: "/dev/input/event5=2,My = pad=2,far=3"),
            ]))
        #expect(panels.display(ofDevice: "/dev/input/event5", called: "x") == 2)
        #expect(panels.display(ofDevice: "/dev/input/event6", called: "My = pad") == 2)
        #expect(panels.display(ofDevice: "/dev/input/event6", called: "x") == 1)
        #expect(panels.display(ofDevice: "far", called: "x") == 1, "there is no such display")
        for text in ["a", "a=", "=2", "a=5", "a=0", "a=2,", ",", "a=2,,b=2"] {
            #expect(throws: SettingsError.self, "\(text)") { try settings("device.displays", text) }
        }
    }

    @Test("an app on another machine receives the displays and its own display")
    func elsewhere() throws {
        let settings = try Settings([
            Setting(key: "screen.others", value: "5x5"), Setting(key: "host.spin", value: "true"),
            Setting(key: "group.topology", value: "1\n2\napp.display=2"),
        ])
        #expect(settings.remoteSettings(for: 1) == [Setting(key: "screen.others", value: "5x5")])
        #expect(
            settings.remoteSettings(for: 2) == [
                Setting(key: "screen.others", value: "5x5"), Setting(key: "app.display", value: "2"),
            ])
    }
}
