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

/// Makes an object of a class with `init()`.
///
/// The runtime of iOS makes the delegate by its class's name. Swift on Linux calls `init()` of a class that is known
/// only at run time if the initializer is `required`, and the one of NSObject is not. `RequiredInit` overrides that
/// initializer with a required one. So a call through its metatype uses the entry of `NSObject.init()` in the table of
/// the actual class. For a class without that initializer, the entry stops the program with the name of the class.
@inline(never)
private func makeObject(of delegate: any UIApplicationDelegate.Type) -> NSObject {
    guard let object = delegate as? NSObject.Type else {
        preconditionFailure("\(delegate): expected a subclass of UIResponder or NSObject")
    }
    return unsafeBitCast(object, to: RequiredInit.Type.self).init()
}

/// A class whose `init()` is required. It is open, so that the optimizer does not take the class of a call for granted.
open class RequiredInit: NSObject {
    public required override init() { super.init() }
}
