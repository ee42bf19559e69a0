// SampleApps.swift: the sample apps by name.
//
// Input     `touchline up --app NAME`
// Output    the application delegate of an app
// Knows     the entry of each app. Nothing of Touchline.
//
// Each app is one file of plain UIKit with an application delegate as its entry. On a phone that delegate would be the
// target's `@main`.

public import UIKit

/// One sample app.
public struct SampleApp: Sendable {
    /// The name for `--app`.
    public let name: String
    /// One line about the app, for a person.
    public let summary: String
    /// Makes a delegate, which shows the app when launching has finished.
    public let makeDelegate: @Sendable () -> any UIApplicationDelegate
    /// Makes a delegate of the app's scene, for an app that has one. On a phone, Info.plist names its class.
    public var makeSceneDelegate: (@Sendable () -> any UIWindowSceneDelegate)?

    public static let all: [SampleApp] = [
        SampleApp(
            name: "phenomena", summary: "a table, a button and a view behind them that is tapped",
            makeDelegate: { PhenomenaAppDelegate() }),
        SampleApp(
            name: "tab-bar", summary: "a tab bar whose raised button is hit outside the bar",
            makeDelegate: { TabBarAppDelegate() }),
        SampleApp(
            name: "draggable", summary: "a view that follows the finger",
            makeDelegate: { DraggableAppDelegate() }),
        SampleApp(
            name: "taps", summary: "single and double tap on one view, without conflict and without delay",
            makeDelegate: { TapsAppDelegate() }),
        SampleApp(
            name: "photo", summary: "pinch, turn and move a photo, all at once", makeDelegate: { PhotoAppDelegate() }),
        SampleApp(
            name: "drawing", summary: "a pad that draws with coalesced and predicted touches",
            makeDelegate: { DrawingAppDelegate() }),
        SampleApp(
            name: "slider", summary: "a slider inside a scroll view that scrolls the same way",
            makeDelegate: { SliderAppDelegate() }),
        SampleApp(
            name: "links", summary: "the URL that opened the app, and a view that opens another app",
            makeDelegate: { LinksAppDelegate() }, makeSceneDelegate: { LinksSceneDelegate() }),
    ]

    public static var names: [String] { all.map(\.name) }

    /// Returns the app with this name; nil if there is none.
    public static func named(_ name: String) -> SampleApp? { all.first { $0.name == name } }
}
