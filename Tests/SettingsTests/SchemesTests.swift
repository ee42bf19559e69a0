import Settings
import Testing
import Wire

@Suite("URL schemes of apps")
struct SchemesTests {

    private func complaint(_ text: String) -> String? {
        do throws(SettingsError) { _ = try Schemes(text: text) } catch { return "\(error)" }
        return nil
    }

    @Test("schemes read back as written, in lower case")
    func text() throws {
        let schemes = try Schemes(text: "Demo=2 other=3 x=2")
        #expect(schemes.text == "demo=2 other=3 x=2")
        #expect(schemes.app(of: "demo") == 2 && schemes.app(of: "other") == 3)
        #expect(schemes.app(of: "none") == nil)
        #expect(try Schemes(text: schemes.text) == schemes)
    }

    @Test("invalid and duplicate schemes are refused")
    func mistakes() {
        #expect(complaint("a=1 A=2") == "group.schemes: expected each scheme once, found a of app 1 and of app 2")
        for text in ["a", "a=", "a=0", "a=x", "=1"] { #expect(complaint(text) != nil, "\(text)") }
        #expect(complaint((0...Schemes.limit).map { "s\($0)=1" }.joined(separator: " ")) != nil)
    }

    @Test("identical apps have no schemes unless there is one app")
    func alike() throws {
        var settings = Settings()
        try settings.set("app.schemes", to: "demo")
        #expect(try Schemes(settings, Topology(), apps: 1).text == "demo=1")
        #expect(throws: SettingsError.self) { _ = try Schemes(settings, Topology(), apps: 2) }
        #expect(throws: SettingsError.self) { try settings.set("app.schemes", to: "1demo") }
        try settings.set("app.schemes", to: "")
        try settings.set("group.schemes", to: "demo=2")
        let topology = Topology([[], [Setting(key: "app.schemes", value: "mine")]])
        #expect(try Schemes(settings, topology, apps: 2).text == "demo=2 mine=2")
    }
}
