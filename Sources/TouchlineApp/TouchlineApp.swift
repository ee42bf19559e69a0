// TouchlineApp.swift: the entry point of an executable that is an app of a group.
//
//     import TouchlineApp
//     import UIKit
//
//     @main struct CardsApp: TouchlineApp {
//         var delegate: any UIApplicationDelegate { CardsAppDelegate() }
//     }
//
// Station   inbox → action
// Input     `touchline up --app-executable PATH`
// Output    AppProgram, with the app's delegate as its content
//
// Sources   invented, after SwiftUI's App

public import UIKit

/// An app that runs as a process of a group. `@main` on a conforming type makes the executable.
///
/// `touchline up --app-executable PATH` starts the executable, and `--help` lists its options.
public protocol TouchlineApp {
    /// Makes the app at each start of its process.
    init()

    /// The application's delegate. It is read once, before the app launches, and retained.
    var delegate: any UIApplicationDelegate { get }

    /// Makes the delegate of the app's scene; nil for an app that has none. On a phone, Info.plist names its class.
    var makeSceneDelegate: (() -> any UISceneDelegate)? { get }
}

extension TouchlineApp {
    public var makeSceneDelegate: (() -> any UISceneDelegate)? { nil }

    /// Runs the app until its supervisor or a signal ends it. It does not return.
    public static func main() { AppProgram.runOwn { Self().show(in: $0) } }

    private func show(in application: UIApplication) {
        application.keptDelegate = delegate
        application.makeSceneDelegate = makeSceneDelegate
    }
}

/// An app that shows one view controller in a window of the screen's size.
public protocol SingleViewApp: TouchlineApp {
    /// The window's root view controller. It is read once, when the app has launched.
    var rootViewController: UIViewController { get }
}

extension SingleViewApp {
    public var delegate: any UIApplicationDelegate {
        WindowDelegate { $0.rootViewController = rootViewController }
    }
}
