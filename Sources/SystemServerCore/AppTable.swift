// AppTable.swift: which apps are there, which is in front, and what the phone is doing.
//
// Station   router
// Fed by    SystemServerCore: hellos, deaths, system acts
// Feeds     Router (who gets a finger that lands), SystemServerCore (life-cycle messages, in order)
// Knows     app numbers. No fingers, no links.
//
//     home ──app 1 says hello, foreground──▶ app in front ──home, its death──▶ home
//                                              │     ▲
//                                     interrupt│     │resume        lock covers whatever is shown; unlock uncovers it
//                                              ▼     │
//                                          interrupted
//
// Sources   documented  life cycle: active ↔ inactive ↔ background (D7)
//           invented    app 1 comes to front by itself when it is launched and nobody asked for the home screen

import Wire

struct AppTable: Equatable, Sendable {
    enum Act: Equatable, Sendable {
        case launched(UInt32)
        /// Its link was lost, and its process was not.
        case linked(UInt32)
        case died(UInt32)
        case foreground(UInt32)
        case home, interrupt, resume, lock, unlock
    }

    /// What an act asks for, in order: touches are taken before the app hears why (D6).
    enum Step: Equatable, Sendable {
        case revoke(Recipient)
        case tell(UInt32, LifeCycle)
    }

    /// Apps that have said hello, ascending.
    private(set) var running: [UInt32] = []
    private(set) var front: UInt32?
    private(set) var isInterrupted = false
    private(set) var isLocked = false
    /// Somebody pressed home: a launch does not come to front by itself any more.
    private var homeWasAsked = false
    /// Asked to front before it was running.
    private var awaited: UInt32?
    /// Was in front when it was lost, and nobody has been asked to front since.
    private var missing: UInt32?

    /// Who gets a finger that lands now. Nil: nobody, the screen is locked.
    var recipient: Recipient? {
        if isLocked { return nil }
        if isInterrupted { return .overlay }
        return front.map(Recipient.app) ?? .home
    }

    /// What an app has been told of its life, in as few words as say it to one that may not have heard.
    func standing(of app: UInt32) -> [LifeCycle] {
        guard front == app, !isLocked else { return [.willResignActive, .didEnterBackground] }
        return isInterrupted ? [.willResignActive] : [.didBecomeActive]
    }

    mutating func handle(_ act: Act) -> [Step] {
        switch act {
        case .launched(let app):
            join(app)
            if missing == app { missing = nil }
            if awaited == app { return bringToFront(app) }
            guard front == nil, app == 1, !homeWasAsked else { return [] }
            front = app
            return isActive ? [.tell(app, .didBecomeActive)] : []
        case .linked(let app):
            join(app)
            if awaited == app { return bringToFront(app) }
            guard front == nil, missing == app else { return [] }
            // What it shows is shown again: it has not been anything else meanwhile.
            (front, missing) = (app, nil)
            return isActive ? [.revoke(.home)] : []
        case .died(let app):
            running.removeAll { $0 == app }
            if front == app { (front, missing) = (nil, app) }
            return []
        case .foreground(let app):
            guard running.contains(app) else {
                (awaited, missing) = (app, nil)
                return []
            }
            return bringToFront(app)
        case .home:
            homeWasAsked = true
            (awaited, missing) = (nil, nil)
            return sendToBack()
        case .interrupt:
            guard !isInterrupted else { return [] }
            let steps = deactivate()
            isInterrupted = true
            return steps
        case .resume:
            guard isInterrupted else { return [] }
            isInterrupted = false
            return activate()
        case .lock:
            guard !isLocked else { return [] }
            let steps = deactivate() + (front.map { [.tell($0, .didEnterBackground)] } ?? [])
            isLocked = true
            return steps
        case .unlock:
            guard isLocked else { return [] }
            isLocked = false
            return (front.map { [.tell($0, .willEnterForeground)] } ?? []) + activate()
        }
    }

    private var isActive: Bool { !isInterrupted && !isLocked }

    private func activate() -> [Step] {
        guard let front, isActive else { return [] }
        return [.tell(front, .didBecomeActive)]
    }

    /// Whoever is touched loses it; the app in front, if active, hears it.
    private func deactivate() -> [Step] {
        guard isActive else { return [.revoke(.overlay)] }
        guard let front else { return [.revoke(.home)] }
        return [.revoke(.app(front)), .tell(front, .willResignActive)]
    }

    private mutating func sendToBack() -> [Step] {
        guard let old = front else { return [] }
        var steps = isActive ? deactivate() : []
        if !isLocked { steps.append(.tell(old, .didEnterBackground)) }
        front = nil
        return steps
    }

    private mutating func join(_ app: UInt32) {
        guard !running.contains(app) else { return }
        running.insert(app, at: running.firstIndex { $0 > app } ?? running.endIndex)
    }

    private mutating func bringToFront(_ app: UInt32) -> [Step] {
        (awaited, missing) = (nil, nil)
        guard front != app else { return [] }
        let steps = front == nil ? deactivate() : sendToBack()
        front = app
        return steps + (isLocked ? [] : [.tell(app, .willEnterForeground)]) + activate()
    }
}
