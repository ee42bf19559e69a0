import Settings
import Testing
import Wire

@Suite("Settings")
struct SettingsTests {

    @Test("every key's default is a value that the key accepts")
    func defaults() throws {
        var settings = Settings()
        for key in Settings.keys { try settings.set(key.name, to: key.standard) }
        #expect(settings.changed.isEmpty)
        #expect(Set(Settings.keys.map(\.name)).count == Settings.keys.count)
    }

    @Test("an unknown key is refused with the nearest known key")
    func unknown() {
        #expect(throws: SettingsError.unknown("screen.widht", nearest: "screen.width")) {
            try Settings([Setting(key: "screen.widht", value: "1")])
        }
    }

    @Test("a key of an earlier version is refused with advice")
    func removed() {
        #expect {
            try Settings([Setting(key: "swipe.minRate", value: "200")])
        } throws: {
            "\($0)"
                == "swipe.minRate is no longer a key: a swipe has no speed limit any more (B9.4); take the line out"
        }
    }

    @Test("an old key is refused with its new name")
    func renamed() {
        #expect {
            try Settings([Setting(key: "trace.places", value: "true")])
        } throws: {
            "\($0)" == "trace.places: this setting is called trace.positions now"
        }
    }

    @Test("old keys are in order, are no keys, and lead to a key")
    func renamedTable() {
        let (names, old) = (Set(Settings.keys.map(\.name)), Settings.renamed.map(\.key))
        #expect(old == Set(old).sorted())
        for (old, new) in Settings.renamed {
            #expect(!names.contains(old) && names.contains(new), "\(old) → \(new)")
            #expect(old.prefix { $0 != "." } == new.prefix { $0 != "." }, "\(old) moved to another section")
        }
    }

    @Test("a refused value is reported with what its key accepts")
    func badValue() {
        #expect(
            throws: SettingsError.badValue(key: "screen.rotation", value: "45", expected: "0 or 90 or 180 or 270")
        ) { try Settings([Setting(key: "screen.rotation", value: "45")]) }
        #expect(throws: SettingsError.self) { try Settings([Setting(key: "screen.width", value: "wide")]) }
        #expect(throws: SettingsError.self) { try Settings([Setting(key: "screen.width", value: "nan")]) }
    }

    @Test("host.affinity accepts CPU numbers separated by commas, or nothing")
    func cpus() throws {
        for value in ["", "0", "1,0", "1023"] { _ = try Settings([Setting(key: "host.affinity", value: value)]) }
        for value in ["x", "0,", ",", "-1", "1024", "0 1", "0,x"] {
            #expect(
                throws: SettingsError.badValue(
                    key: "host.affinity", value: value, expected: "CPU numbers such as 0 or 0,1")
            ) { try Settings([Setting(key: "host.affinity", value: value)]) }
        }
    }

    @Test("changed settings are only those that differ from their defaults")
    func changed() throws {
        let settings = try Settings([Setting(key: "host.spin", value: "true")])
        #expect(settings.changed == [Setting(key: "host.spin", value: "true")])
        #expect(settings[.hostSpin])
        #expect(settings[.serverSuspensionLimit] == .milliseconds(900))
    }
}
