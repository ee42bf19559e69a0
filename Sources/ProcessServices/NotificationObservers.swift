// NotificationObservers.swift: observers of notification centers that are kept weakly.
//
// Input     UIKit's addObserver(_:selector:name:object:)
// Output    a call for each notification
// Knows     which observer asked which center for what.
//
// Sources   documented  NotificationCenter: an observer with a selector is released without being removed

package import Foundation
import Synchronization

/// The observers of this process that have no token of their own.
package enum NotificationObservers {
    private struct Entry: @unchecked Sendable {
        weak var observer: AnyObject?
        var identity: ObjectIdentifier
        weak var center: NotificationCenter?
        var token: any NSObjectProtocol
        var name: NSNotification.Name?
        var object: ObjectIdentifier?
    }
    private static let entries = Mutex<[Entry]>([])

    /// Calls `receive` for each notification, until the observer is removed or released.
    ///
    /// - Parameters:
    ///   - deliver: Runs the delivery, or passes it to the observer's thread, or drops it. Until the delivery runs, the
    ///     observer is not touched: its thread may be releasing it.
    ///   - center: A `NotificationCenter`.
    ///   - name: nil for all notifications.
    ///   - object: The sender; nil for all.
    package static func add(
        _ observer: AnyObject, to center: AnyObject, name: NSNotification.Name?, object: Any?,
        deliver: @escaping (@escaping () -> Void) -> Void, receive: @escaping (AnyObject, Notification) -> Void
    ) {
        guard let center = center as? NotificationCenter else { return }
        let reference = AttachedValues.WeakObject(observer)
        nonisolated(unsafe) let (deliver, receive) = (deliver, receive)
        let token = center.addObserver(forName: name, object: object, queue: nil) { notification in
            deliver {
                if let observer = reference.object { receive(observer, notification) }
            }
        }
        let entry = Entry(
            observer: observer, identity: ObjectIdentifier(observer), center: center, token: token, name: name,
            object: object.map { ObjectIdentifier($0 as AnyObject) })
        entries.withLock { $0.append(entry) }
        removeDead()
    }

    /// Removes the observer's entries for a name and a sender, nil for all, or a token of the center itself.
    package static func remove(_ observer: AnyObject, from center: AnyObject, name: NSNotification.Name?, object: Any?)
    {
        let sender = object.map { ObjectIdentifier($0 as AnyObject) }
        remove {
            $0.center === center && $0.identity == ObjectIdentifier(observer) && (name == nil || $0.name == name)
                && (sender == nil || $0.object == sender)
        }
        (center as? NotificationCenter)?.removeObserver(observer as Any, name: name, object: object)
    }

    private static func removeDead() {
        // An observer that is alive here may have its last reference here when the lock is left, and its `deinit` may come
        // back to this type.
        let (dead, alive): ([Entry], [AnyObject]) = entries.withLock { list in
            let observers = list.map(\.observer)
            let dead = zip(list, observers).filter { $0.1 == nil }.map(\.0)
            list = zip(list, observers).filter { $0.1 != nil }.map(\.0)
            return (dead, observers.compactMap { $0 })
        }
        withExtendedLifetime(alive) {}
        for entry in dead { entry.center?.removeObserver(entry.token) }
    }

    private static func remove(_ isRemoved: (Entry) -> Bool) {
        let removed = entries.withLock { list in
            let removed = list.filter(isRemoved)
            list.removeAll(where: isRemoved)
            return removed
        }
        for entry in removed { entry.center?.removeObserver(entry.token) }
    }
}
