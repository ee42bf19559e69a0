// PerApp.swift: something for each of a few apps, found by number and changed where it is.
//
// Station   router
// Knows     numbers in ascending order. Nothing of what it holds.
//
// A group has one app, or a hundred: a search among so few costs less than hashing, and what is found is changed in
// place, which a dictionary does by three allocations.

import Wire

struct PerApp<Value: Sendable>: Sendable {
    /// Ascending.
    private var apps: [AppID] = []
    /// In the same order; a place is good until something is inserted or removed.
    var values: [Value] = []

    func place(of app: AppID) -> Int? {
        if apps.first == app { return 0 }
        let place = lowerBound(app)
        return place < apps.count && apps[place] == app ? place : nil
    }

    /// The app of a place.
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

    /// Forgets those with the lowest numbers, of more than so many.
    mutating func keepLast(_ count: Int) {
        guard apps.count > count else { return }
        apps.removeFirst(apps.count - count)
        values.removeFirst(values.count - count)
    }

    mutating func removeAll() { (apps, values) = ([], []) }

    /// Where the app is, or would be.
    private func lowerBound(_ app: AppID) -> Int {
        var (low, high) = (0, apps.count)
        while low < high {
            let middle = (low + high) / 2
            if apps[middle] < app { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
