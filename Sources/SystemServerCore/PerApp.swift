// PerApp.swift: one value for each app, found by number and changed in place.
//
// Station   router
// Knows     numbers in ascending order. Nothing of the values.
//
// A group has one app, or a hundred. A binary search among so few costs less than hashing. A value is changed in place,
// where a dictionary would allocate three times.

import Wire

/// Values by app number.
struct PerApp<Value: Sendable>: Sendable {
    /// The app numbers, ascending.
    private var apps: [AppID] = []
    /// The values, in the same order. An index is valid until a value is inserted or removed.
    var values: [Value] = []

    /// The index of the app in `values`; nil if it has no value.
    func place(of app: AppID) -> Int? {
        if apps.first == app { return 0 }
        let place = lowerBound(app)
        return place < apps.count && apps[place] == app ? place : nil
    }

    /// The app at an index of `values`.
    func app(at place: Int) -> AppID { apps[place] }

    subscript(app: AppID) -> Value? { place(of: app).map { values[$0] } }

    mutating func set(_ value: Value, for app: AppID) {
        let place = lowerBound(app)
        if place < apps.count, apps[place] == app {
            values[place] = value
        } else {
            apps.insert(app, at: place)
            values.insert(value, at: place)
        }
    }

    @discardableResult
    mutating func remove(_ app: AppID) -> Value? {
        guard let place = place(of: app) else { return nil }
        apps.remove(at: place)
        return values.remove(at: place)
    }

    /// Keeps the `count` values with the highest app numbers.
    mutating func keepLast(_ count: Int) {
        guard apps.count > count else { return }
        apps.removeFirst(apps.count - count)
        values.removeFirst(values.count - count)
    }

    mutating func removeAll() { (apps, values) = ([], []) }

    /// The index of the app, or the index at which it would be inserted.
    private func lowerBound(_ app: AppID) -> Int {
        var (low, high) = (0, apps.count)
        while low < high {
            let middle = (low + high) / 2
            if apps[middle] < app { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
