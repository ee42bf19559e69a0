// DelegateClass.swift: `@main` on the class of an application's delegate, as in an app for iOS.
//
//     import TouchlineApp
//     import UIKit
//
//     @main class AppDelegate: UIResponder, UIApplicationDelegate { … }
//
// Output    AppProgram, with an object of the class as the application's delegate
//
// Sources   documented  UIApplicationDelegate has a static main() that makes the delegate

import Foundation
public import UIKit

extension UIApplicationDelegate {
    /// Runs an app with an object of this class as its delegate. It does not return.
    ///
    /// - Precondition: The class has `init()`, its own or an inherited one.
    /// - Source: documented (UIApplicationDelegate.main())
    public static func main() {
        AppProgram.runOwn { $0.keptDelegate = makeObject(of: Self.self) as? Self }
    }
}

/// Makes the delegate as the runtime of iOS does, which knows its class by name.
private func makeObject(of delegate: any UIApplicationDelegate.Type) -> NSObject {
    guard let object = delegate as? NSObject.Type else {
        preconditionFailure("\(delegate): expected a subclass of UIResponder or NSObject")
    }
    return ObjectMaking.make(object)
}
