// TextLaws.swift: what a person writes: scenes and scenarios, configuration, profiles of monkeys.

import Configuration
import FuzzDriver
import Scenarios
import Settings
import Synthesis

/// A folder that is not there: what a scene names beside itself is not found, and nothing is read.
private let file = "/nowhere/at/all/input.yaml"

func expectLaws(ofScene bytes: [UInt8]) {
    // Bytes that are no UTF-8 are refused before any parser sees them.
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    do throws(ScenarioError) {
        let scenario = try Scenario(parsing: text, file: file)
        // Its constants are settings that a group takes.
        do throws(SettingsError) { _ = try Settings(scenario.config) } catch { broken("\(error)") }
    } catch {
        expectPlace(error, in: bytes)
    }
}

private func expectPlace(_ error: ScenarioError, in bytes: [UInt8]) {
    // One line, which a person can follow to the spot.
    expect(error.place.line >= 1 && error.place.column >= 0, "\(error.place)")
    expect(error.place.line <= bytes.count + 2, "line \(error.place.line) of \(bytes.count) bytes")
    expect(!error.reason.isEmpty, "no reason")
}

func expectLaws(ofConfiguration bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    do throws(InvalidConfiguration) {
        let configuration = try Configuration(yaml: text, file: file)
        // What was read can be handed to a child and understood there.
        let changed = configuration.settings.changed
        do throws(SettingsError) {
            expect(try Settings(changed).changed == changed, "a launch order says something else")
        } catch { broken("\(error)") }
    } catch { expectNamed(error) }
    do throws(InvalidConfiguration) { _ = try MonkeyProfile(yaml: text, file: file) } catch { expectNamed(error) }
}

private func expectNamed(_ failure: InvalidConfiguration) {
    expect(!failure.errors.isEmpty, "refused without a word")
    for error in failure.errors { expect("\(error)".hasPrefix(file), "\(error)") }
}
