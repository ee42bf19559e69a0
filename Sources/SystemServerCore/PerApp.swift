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
    func index(of app: AppID) -> Int? {
        if apps.first == app { return 0 }
        let index = lowerBound(app)
        return index < apps.count && apps[index] == app ? index : nil
    }

    /// The app at an index of `values`.
    func app(at index: Int) -> AppID { apps[index] }

    subscript(app: AppID) -> Value? { index(of: app).map { values[$0] } }

    mutating func set(_ value: Value, for app: AppID) {
        let index = lowerBound(app)
        if index < apps.count, apps[index] == app {
            values[index] = value
        } else {
            apps.insert(app, at: index)
            values.insert(value, at: index)
        }
    }

    @discardableResult
    mutating func remove(_ app: AppID) -> Value? {
        guard let index = index(of: app) else { return nil }
        apps.remove(at: index)
        return values.remove(at: index)
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
