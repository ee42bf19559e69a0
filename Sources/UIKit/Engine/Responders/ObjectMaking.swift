// ObjectMaking.swift: makes an object of a class that is known only at run time.
//
// Input     UIView.layerClass; TouchlineApp, with the class of an application's delegate
// Output    the object
//
// The runtime of iOS makes such objects by `init()`. Swift on Linux calls `init()` of a class that is known only at run time
// if the initializer is `required`, and the one of NSObject is not. `RequiredInit` overrides that initializer with a required
// one. So a call through its metatype uses the entry of `NSObject.init()` in the table of the actual class.
//
// Sources   documented  docs/ABI/TypeMetadata.rst of the Swift project: a class has the vtable entries of its superclass first

public import Foundation

package enum ObjectMaking {
    /// Makes an object by its class's `init()`.
    ///
    /// - Precondition: The class has `init()`, its own or an inherited one. For another class the entry stops the program
    ///   with the name of the class.
    @inline(never)
    package static func make(_ type: NSObject.Type) -> NSObject {
        unsafeBitCast(type, to: RequiredInit.Type.self).init()
    }
}

/// A class whose `init()` is required. It is open, so that the optimizer does not take the class of a call for granted.
open class RequiredInit: NSObject {
    public required override init() { super.init() }
}
