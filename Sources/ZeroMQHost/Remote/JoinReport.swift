// JoinReport.swift: what an app of another machine's server prints for the person at its own machine.
//
//     joined, joined again ─▶ stdout, as `ready` of `touchline up`
//     shows, link lost, another address, refused ─▶ stderr
//
// Input     the host: inputs of the core, answers of the resolver
// Output    a line for each change, none for a repetition
// Knows     names and states. No socket, no clock.
//
// Sources   invented

import Basics
import Wire

/// The state of a joined app, as its lines tell it.
struct JoinReport {
    enum Line: Equatable {
        case out(String)
        case error(String)
    }

    private enum State { case joining, joined, lost(Instant) }

    private let peer: Peer
    /// The address as the person wrote it.
    private let address: String
    /// What the app shows, such as the path of a scene.
    private let content: String
    private var state = State.joining
    private var isShown = false
    /// The last complaint about the name.
    private var lookupComplaint: String?

    init(_ peer: Peer, at address: ServerAddress, showing content: String) {
        (self.peer, self.address, self.content) = (peer, "\(address)", content)
    }

    /// - Parameters:
    ///   - current: The numeric address of the link.
    ///   - clock: How far the server's clock is ahead of this one.
    mutating func connected(
        to current: TCPAddress, generation: UInt32, clock: PeerClock.Estimate?, at now: Instant
    ) -> Line {
        var verb = "joined"
        if case .lost(let since) = state { verb = "joined again after \(since.duration(to: now).milliseconds):" }
        (state, lookupComplaint) = (.joined, nil)
        let place = address == "\(current)" ? address : "\(address) (\(current.host))"
        let ahead = clock.map {
            // The estimate is the server's lead, and a person compares this machine with the server.
            ", this clock is \(millisecondsText($0.offset == .min ? .max : -$0.offset)) "
                + "± \(millisecondsText($0.error)) ahead"
        }
        return .out("\(peer): \(verb) \(place), generation \(generation)\(ahead ?? "")")
    }

    mutating func lost(_ current: TCPAddress, at now: Instant) -> Line? {
        guard case .joined = state else { return nil }
        (state, isShown) = (.lost(now), false)
        return .error("\(peer): link to \(current) lost; it joins again as soon as the server answers")
    }

    mutating func changed(_ change: LifeCycleChange) -> Line? {
        switch change {
        case .didBecomeActive where !isShown:
            isShown = true
            return .error("\(peer): shows \(content)")
        case .didEnterBackground where isShown:
            isShown = false
            return .error("\(peer): is in the background")
        case .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .willTerminate: return nil
        }
    }

    /// Notes that the server's name has come to mean other addresses.
    func moved(from old: TCPAddress, to new: TCPAddress) -> Line {
        .error("\(peer): \(address) is no longer \(old.host): tries \(new.host)")
    }

    /// Notes a lookup that failed after the app had joined.
    mutating func notFound(because reason: String, trying current: TCPAddress) -> Line? {
        guard lookupComplaint != reason else { return nil }
        lookupComplaint = reason
        return .error("\(peer): \(address) does not resolve: \(reason): tries \(current.host) as before")
    }
}
