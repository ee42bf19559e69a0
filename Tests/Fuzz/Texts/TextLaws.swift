// TextLaws.swift: texts that a person writes: scenes and scenarios, configurations, monkey profiles.

import Configuration
import FuzzDriver
import Scenarios
import Settings
import Synthesis

/// A folder that does not exist: files that a scene names are not found, and no file is read.
private let file = "/nowhere/at/all/input.yaml"

func expectLaws(ofScene bytes: [UInt8]) {
    // Bytes that are not UTF-8 are refused before any parser reads them.
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    do throws(ScenarioError) {
        let scenario = try Scenario(parsing: text, file: file)
        // The scenario's settings are settings that a group accepts.
        do throws(SettingsError) { _ = try Settings(scenario.config) } catch { broken("\(error)") }
    } catch {
        expectPlace(error, in: bytes)
    }
}

private func expectPlace(_ error: ScenarioError, in bytes: [UInt8]) {
    // The error is one line with a place that a person can find.
    expect(error.location.line >= 1 && error.location.column >= 0, "\(error.location)")
    expect(error.location.line <= bytes.count + 2, "line \(error.location.line) of \(bytes.count) bytes")
    expect(!error.reason.isEmpty, "no reason")
}

func expectLaws(ofConfiguration bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    do throws(InvalidConfiguration) {
        let configuration = try Configuration(yaml: text, file: file)
        // A launch order carries the settings to a child, which reads the same settings.
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
