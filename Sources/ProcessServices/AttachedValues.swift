// AttachedValues.swift: values that code attaches to an object of another's class, and that the object does not keep itself.
//
// Input     UIKit's objc_setAssociatedObject
// Output    the values, by object and key
// Knows     weak references to the objects. The values of a dead object are released at the latest when the table has doubled.
//
// Sources   documented  objc_setAssociatedObject (Objective-C Runtime)

import Synchronization

/// The values that are attached to objects of this process.
package enum AttachedValues {
    package typealias Values = [UnsafeRawPointer: Value]

    /// A value, kept strongly or weakly.
    package enum Value: @unchecked Sendable {
        case strong(Any)
        case weak(WeakObject)

        /// The value; nil if it was kept weakly and is dead.
        package var current: Any? {
            switch self {
            case .strong(let value): value
            case .weak(let value): value.object
            }
        }
    }

    /// A weak reference.
    package struct WeakObject: @unchecked Sendable {
        package weak var object: AnyObject?
        package init(_ object: AnyObject) { self.object = object }
    }

    private struct Entry: @unchecked Sendable {
        var object: WeakObject
        var values: Values
    }
    private struct Table: @unchecked Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of entries at which dead objects leave the table.
        var limit = 64
    }
    private static let table = Mutex(Table())

    /// The values of an object; empty without any.
    package static func values(of object: AnyObject) -> Values {
        let entry = table.withLock { $0.entries[ObjectIdentifier(object)] }
        // A new object can have the address of a dead one.
        guard let entry, entry.object.object === object else { return [:] }
        return entry.values
    }

    /// Replaces the values of an object.
    package static func set(_ values: Values, of object: AnyObject) {
        // Values are released outside of the lock, because their `deinit` may come here.
        let (released, alive): ([Entry], [AnyObject]) = table.withLock { table in
            let previous = table.entries.removeValue(forKey: ObjectIdentifier(object))
            if !values.isEmpty {
                table.entries[ObjectIdentifier(object)] = Entry(object: WeakObject(object), values: values)
            }
            guard table.entries.count > table.limit else { return (previous.map { [$0] } ?? [], []) }
            // An object that is alive here may have its last reference here when the lock is left.
            let objects = table.entries.mapValues { $0.object.object }
            let dead = table.entries.filter { objects[$0.key]! == nil }
            for identifier in dead.keys { table.entries[identifier] = nil }
            table.limit = max(64, 2 * table.entries.count)
            return (dead.map(\.value) + (previous.map { [$0] } ?? []), objects.values.compactMap { $0 })
        }
        withExtendedLifetime((released, alive)) {}
    }
}
