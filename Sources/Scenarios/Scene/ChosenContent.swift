// ChosenContent.swift: what an app shows, as its settings ask: a sample app, a scene, or an empty window.
//
// Fed by    `touchline up`, which only wants to know whether it can be shown; the app process, which shows it
// Feeds     AppCore
// Knows     the keys app.sample and app.scene

import Basics
import SampleApps
public import Settings
import UIKit

/// What no app can show. Blame: whoever configured it.
package enum ChoiceError: Error, CustomStringConvertible {
    case noSuchApp(String, nearest: String?)
    case both(sample: String, scene: String)

    package var description: String {
        switch self {
        case .noSuchApp(let name, let nearest?): "app.sample: no sample app is called \(name); did you mean \(nearest)?"
        case .noSuchApp(let name, nil):
            "app.sample: no sample app is called \(name): there are \(SampleApp.names.joined(separator: ", "))"
        case .both(let sample, let scene):
            "app.sample is \(sample) and app.scene is \(scene): an app shows one or the other"
        }
    }
}

/// What an app with these settings shows: a sample, a scene, or an empty window.
///
/// - Throws: `ChoiceError`, or the scene's `ScenarioError`. Either is one line for a person.
public func chosenContent(_ settings: Settings) throws -> AppContent {
    let (sample, scene) = (settings[.appSample], settings[.appScene])
    guard !sample.isEmpty else { return try Scene.content(ofFile: scene) }
    guard let app = SampleApp.named(sample) else {
        throw ChoiceError.noSuchApp(sample, nearest: nearestName(to: sample, among: SampleApp.names))
    }
    guard scene.isEmpty else { throw ChoiceError.both(sample: sample, scene: scene) }
    return { application in
        application.keptDelegate = app.makeDelegate()
        application.makeSceneDelegate = app.makeSceneDelegate.map { make in { make() } }
    }
}
