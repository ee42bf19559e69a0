// SampleApps.swift: the apps there are, by name.
//
// Each is one file of plain UIKit, with an application delegate as its entry; on a phone that delegate would be the
// target's `@main`. `touchline up --app NAME` shows one.
//
// Knows     names, and how each app begins. Nothing of Touchline.

public import UIKit

public struct SampleApp: Sendable {
    /// What `--app` takes.
    public let name: String
    /// What to do with it, in a line.
    public let summary: String
    /// A new delegate, which shows the app when it is told that launching is done.
    public let makeDelegate: @Sendable () -> any UIApplicationDelegate
    /// A new delegate of its scene, for an app that has one: on a phone Info.plist names its class.
    public var makeSceneDelegate: (@Sendable () -> any UIWindowSceneDelegate)?

    public static let all: [SampleApp] = [
        SampleApp(
            name: "phenomena", summary: "a table, a button and a view behind them that is tapped",
            makeDelegate: { PhenomenaAppDelegate() }),
        SampleApp(
            name: "tab-bar", summary: "a tab bar whose raised button is hit outside the bar",
            makeDelegate: { TabBarAppDelegate() }),
        SampleApp(
            name: "draggable", summary: "a view that goes with the finger on it",
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
            name: "links", summary: "what it was opened with, and a view that has another app opened",
            makeDelegate: { LinksAppDelegate() }, makeSceneDelegate: { LinksSceneDelegate() }),
    ]

    public static var names: [String] { all.map(\.name) }

    /// Nil for a name that is none.
    public static func named(_ name: String) -> SampleApp? { all.first { $0.name == name } }
}
