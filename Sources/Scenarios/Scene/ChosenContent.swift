// ChosenContent.swift: the content of an app, from its settings: a sample app, a scene, or an empty window.
//
// Input     `touchline up`, which checks the settings; the app process
// Output    AppCore
// Knows     the keys app.sample, app.scene and app.executable

import Basics
import SampleApps
public import Settings
import UIKit

/// Settings that name no content. At fault: the person who configured the app.
package enum ChoiceError: Error, CustomStringConvertible {
    case noSuchApp(String, nearest: String?)
    case several(key: String, value: String, otherKey: String, otherValue: String)
    case ownProgram(String)

    package var description: String {
        switch self {
        case .noSuchApp(let name, let nearest?): "app.sample: no sample app is called \(name); did you mean \(nearest)?"
        case .noSuchApp(let name, nil):
            "app.sample: no sample app is called \(name): there are \(SampleApp.names.joined(separator: ", "))"
        case .several(let key, let value, let otherKey, let otherValue):
            "\(key) is \(value) and \(otherKey) is \(otherValue): an app shows one or the other"
        case .ownProgram(let path):
            "app.executable is \(path): what it shows is in that program, which `touchline up` starts"
        }
    }
}

/// Checks that an app with these settings has content: at most one of a scene, a sample and a program of its own, and
/// that the scene or the sample can be shown. The program is not looked at.
///
/// - Throws: `ChoiceError`, or the scene's `ScenarioError`. Either is one line for a person.
package func checkContent(_ settings: Settings) throws {
    try checkSingleChoice(settings)
    if settings[.appExecutable].isEmpty { _ = try chosenContent(settings) }
}

private func checkSingleChoice(_ settings: Settings) throws(ChoiceError) {
    let keys: [Settings.Key<String>] = [.appExecutable, .appSample, .appScene]
    let chosen = keys.filter { !settings[$0].isEmpty }
    guard chosen.count > 1 else { return }
    throw .several(
        key: chosen[0].name, value: settings[chosen[0]], otherKey: chosen[1].name, otherValue: settings[chosen[1]])
}

/// Returns the content of an app with these settings: a sample, a scene, or an empty window.
///
/// - Throws: `ChoiceError`, or the scene's `ScenarioError`. Either is one line for a person.
public func chosenContent(_ settings: Settings) throws -> AppContent {
    guard settings[.appExecutable].isEmpty else { throw ChoiceError.ownProgram(settings[.appExecutable]) }
    let (sample, scene) = (settings[.appSample], settings[.appScene])
    guard !sample.isEmpty else { return try Scene.content(ofFile: scene) }
    guard let app = SampleApp.named(sample) else {
        throw ChoiceError.noSuchApp(sample, nearest: nearestName(to: sample, among: SampleApp.names))
    }
    try checkSingleChoice(settings)
    return app.content
}

extension SampleApp {
    /// The content of an app that runs this sample.
    var content: AppContent {
        { application in
            application.keptDelegate = makeDelegate()
            application.makeSceneDelegate = makeSceneDelegate.map { make in { make() } }
        }
    }
}
