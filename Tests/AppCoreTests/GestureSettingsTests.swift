import AppCore
import Gestures
import Settings
import Testing
import UIKit
import Wire

@Suite("Gesture thresholds")
struct GestureSettingsTests {
    /// Each threshold as its path and its value in text.
    private func fields(_ settings: GestureSettings) -> [(name: String, value: String)] {
        Mirror(reflecting: settings).children.flatMap { group in
            Mirror(reflecting: group.value).children.map { ("\(group.label ?? "").\($0.label ?? "")", "\($0.value)") }
        }
    }

    @Test("default settings equal the gesture machines' default thresholds")
    func defaults() {
        #expect(GestureSettings(Settings()) == GestureSettings())
        #expect(UIKitSettings(Settings()).gestures == GestureSettings())
    }

    @Test("each gesture threshold has a documented key that changes only that threshold")
    func keys() throws {
        let standard = fields(GestureSettings())
        #expect(standard.count > 15)
        for (name, value) in standard {
            guard let key = Settings.keys.first(where: { $0.name == name }) else {
                Issue.record("\(name) has no key")
                continue
            }
            #expect(!key.meaning.isEmpty && key.source != "invented", "\(key.name) does not say where it comes from")
            let other =
                switch key.kind {
                case .flag: "true"
                case .number(let range) where !range.contains(7.25): "\((range.lowerBound + range.upperBound) / 2)"
                default: "7.25"
                }
            let changed = fields(GestureSettings(try Settings([Setting(key: key.name, value: other)])))
            for (before, after) in zip(standard, changed) where before.name != name {
                #expect(before.value == after.value, "\(key.name) changes \(before.name)")
            }
            #expect(changed.first { $0.name == name }?.value != value, "\(key.name) changes nothing")
        }
    }
}
