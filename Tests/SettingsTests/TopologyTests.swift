import Settings
import Testing
import Wire

@Suite("Topology of a group")
struct TopologyTests {

    private let topology = Topology([
        [Setting(key: "app.scene", value: "/a b/c.yaml")], [],
        [Setting(key: "app.sample", value: "taps"), Setting(key: "app.delivery", value: "frameAligned")],
    ])

    @Test("a topology's text reads back as the same topology")
    func text() throws {
        #expect(try Topology(text: topology.text) == topology)
        #expect(try Topology(text: "").apps.isEmpty)
    }

    @Test("an app's own settings override those of the group")
    func settings() throws {
        let group = try Settings([
            Setting(key: "app.scene", value: "/group.yaml"), Setting(key: "screen.width", value: "400"),
            Setting(key: "group.topology", value: topology.text),
        ])
        #expect(topology.settings(of: 1, in: group)[.appScene] == "/a b/c.yaml")
        #expect(topology.settings(of: 2, in: group)[.appScene] == "/group.yaml")
        let third = topology.settings(of: 3, in: group)
        #expect(third[.appScene] == "" && third[.appSample] == "taps")
        // Whatever an app shows of its own replaces what the group shows.
        let own = Topology([[Setting(key: "app.executable", value: "/a/MyApp")]])
        #expect(own.settings(of: 1, in: group)[.appScene] == "")
        #expect(own.settings(of: 1, in: group)[.appExecutable] == "/a/MyApp")
        #expect(third[.appDelivery] == .frameAligned && third[.screenWidth] == 400)
        for app: AppID in [0, 1, 2, 3, 4, AppID(.max)] {
            #expect(topology.settings(of: app, in: group)[.groupTopology] == "")
        }
    }

    @Test(
        "a text that is not a topology is refused",
        arguments: [
            "2", "app.scene=/x", "1\napp.scene", "1\nscreen.width=3", "1\napp.delivery=sometimes", "1\n1", "0",
            "1\n=", "1\napp.nothing=1",
        ])
    func refused(text: String) {
        #expect(throws: SettingsError.self) { try Topology(text: text) }
    }

    @Test(
        "a value with a line's end is refused",
        arguments: ["/a\nb", "/a\rb", "/a\r\nb", "/ä\r\nb", "/a\u{85}b", "/a\u{2028}b", "/a\u{B}b"])
    func lines(value: String) {
        let complaint = Topology.complaint(about: Setting(key: "app.scene", value: value))
        #expect(complaint == .badValue(key: "app.scene", value: "a line's end", expected: "one line"))
        #expect(Topology.complaint(about: Setting(key: "app.scene", value: "/ä b.yaml")) == nil)
    }
}
