// ChosenContent.swift: the content of an app, from its settings: a sample app, a scene, or an empty window.
//
// Input     `touchline up`, which checks the settings; the app process
// Output    AppCore
// Knows     the keys app.sample and app.scene

import Basics
import SampleApps
public import Settings
import UIKit

/// Settings that name no content. At fault: the person who configured the app.
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

/// Returns the content of an app with these settings: a sample, a scene, or an empty window.
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
