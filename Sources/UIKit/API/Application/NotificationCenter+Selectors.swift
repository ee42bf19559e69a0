// NotificationCenter+Selectors.swift: observers that receive notifications by a selector.
//
// Input     addObserver(_:selector:name:object:)
// Output    the observer's method
// Knows     the default center belongs to the whole process: an observer that an app has added receives what the same app
//           and other threads post, and nothing of other apps.
//
// Sources   documented  NotificationCenter

public import Foundation
import ProcessServices

extension NotificationCenter {
    /// Runs the selector's method on the observer, with the notification as its argument, until the observer is removed
    /// or released.
    ///
    /// - Parameters:
    ///   - observer: The object that has the method. It is not retained.
    ///   - aSelector: The method that runs.
    ///   - aName: The notifications that the observer receives; nil for all.
    ///   - anObject: The sender whose notifications the observer receives; nil for all.
    public func addObserver(
        _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?, object anObject: Any?
    ) {
        let isOfApplication = UIApplication.current != nil
        weak let clock = UIApplication.current?.clock
        NotificationObservers.add(
            observer as AnyObject, to: self, name: aName, object: anObject,
            deliver: { delivery in
                if !isOfApplication { return delivery() }
                guard let clock else { return }
                // What another thread posts arrives in the next turn; what another app posts does not.
                guard let current = UIApplication.current?.clock else { return clock.inbox.append(delivery) }
                if current === clock { delivery() }
            },
            receive: { observer, notification in
                demand(
                    aSelector.isAnswered(by: observer),
                    "an observer of \(notification.name.rawValue), \(type(of: observer)), does not respond to \(aSelector)"
                )
                aSelector.run(on: observer, sender: notification, event: nil)
            })
    }

    /// Removes all of an observer's entries, or the observer that `addObserver(forName:)` returned.
    public func removeObserver(_ observer: AnyObject) {
        NotificationObservers.remove(observer, from: self, name: nil, object: nil)
    }

    /// Removes the observer's entries for a name and a sender; nil stands for all.
    public func removeObserver(_ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?) {
        NotificationObservers.remove(observer, from: self, name: aName, object: anObject)
    }
}
