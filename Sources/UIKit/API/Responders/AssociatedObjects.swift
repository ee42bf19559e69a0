// AssociatedObjects.swift: values that code attaches to an object of another's class.
//
// Input     extensions that need a stored property
// Output    the values, by object and key
// Knows     responders keep their values themselves, other objects in a table of the process (AttachedValues.swift).
//
// Sources   documented  objc_setAssociatedObject (Objective-C Runtime)

import ProcessServices

/// How an associated value is kept.
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Kept weakly here: the value of a dead object is nil.
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// Kept as it is: values here are not copied.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

/// Attaches a value to an object under a key, or removes it with nil.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    let object = object as AnyObject
    var values = attachedValues(of: object)
    values[key] = value.map { value in
        policy == .OBJC_ASSOCIATION_ASSIGN ? .weak(AttachedValues.WeakObject(value as AnyObject)) : .strong(value)
    }
    setAttachedValues(values, of: object)
}

/// The value that is attached to an object under a key; nil without one.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    attachedValues(of: object as AnyObject)[key]?.current
}

/// Removes all values that are attached to an object.
public func objc_removeAssociatedObjects(_ object: Any) {
    setAttachedValues([:], of: object as AnyObject)
}

private func attachedValues(of object: AnyObject) -> AttachedValues.Values {
    if let responder = object as? UIResponder { return responder.extras?.attached ?? [:] }
    return AttachedValues.values(of: object)
}

private func setAttachedValues(_ values: AttachedValues.Values, of object: AnyObject) {
    if let responder = object as? UIResponder {
        responder.ownExtras.attached = values
    } else {
        AttachedValues.set(values, of: object)
    }
}
