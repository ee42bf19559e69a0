// Front.swift: who gets a finger that lands, as the server's frames of acts, hellos and ends have it.
//
// Sources   invented, after SEMANTICS D5–D7: the screen that is locked takes nothing, a call takes all, else who is in front

import Wire

/// Whose a finger is from its landing until it lifts.
enum Owner: Equatable, Sendable {
    /// By its place among the links.
    case app(Int)
    case home
    case overlay
    /// Landed on nothing, or taken away: dead until it lifts.
    case nobody
}

struct Front: Sendable {
    private var app: Int?
    private var isInterrupted = false
    private var isLocked = false
    private var wantsHome = false
    /// To come to front as soon as it is there.
    private var awaited: Int?
    /// Was in front when its link was lost, and nobody else has been asked for since.
    private var missing: Int?

    /// Whose a finger is that lands now.
    var owner: Owner {
        if isLocked { return .nobody }
        if isInterrupted { return .overlay }
        return app.map { .app($0) } ?? .home
    }

    /// Who loses its touches to whatever comes over it.
    private var covered: Owner { isLocked || isInterrupted ? .overlay : owner }

    /// - Parameters:
    ///   - place: Of the app that is to come to front.
    ///   - isThere: Whether it has said hello; if not it comes to front when it does.
    /// - Returns: Who loses its touches.
    mutating func take(_ act: SystemAct, _ place: Int?, isThere: Bool) -> Owner? {
        switch act {
        case .interrupt:
            guard !isInterrupted else { return nil }
            defer { isInterrupted = true }
            return covered
        case .lock:
            guard !isLocked else { return nil }
            defer { isLocked = true }
            return covered
        case .resume: isInterrupted = false
        case .unlock: isLocked = false
        case .home:
            (wantsHome, awaited, missing) = (true, nil, nil)
            return leave()
        case .foreground:
            guard let place, isThere else {
                (awaited, missing) = (place, nil)
                return nil
            }
            return bring(place)
        }
        return nil
    }

    /// It has said hello.
    ///
    /// - Parameter isSameLife: Its process has been here before: only its link was lost.
    /// - Returns: Who loses its touches.
    mutating func arrived(_ place: Int, instance: UInt32, isSameLife: Bool) -> Owner? {
        defer { if missing == place { missing = nil } }
        if awaited == place { return bring(place) }
        guard app == nil else { return nil }
        guard isSameLife else {
            if instance == 1, !wantsHome { app = place }
            return nil
        }
        guard missing == place else { return nil }
        defer { app = place }
        return isLocked || isInterrupted ? nil : .home
    }

    mutating func left(_ place: Int) {
        if app == place { (app, missing) = (nil, place) }
    }

    private mutating func leave() -> Owner? {
        guard app != nil else { return nil }
        defer { app = nil }
        return isLocked || isInterrupted ? nil : covered
    }

    private mutating func bring(_ place: Int) -> Owner? {
        (awaited, missing) = (nil, nil)
        guard app != place else { return nil }
        defer { app = place }
        return app == nil ? covered : leave()
    }
}
