// Exhaustion+State.swift: where a small group can be, and what can happen to it next.
//
// Input     Exhaustion's search, which takes a move in a state
// Output    the state: what tells two runs apart, and nothing else
// Knows     numbers of histories and of mail. No cores.
//
// Sources   invented

import Hosting
import Wire

extension Exhaustion {
    enum Move: Hashable {
        /// A finger lands, moves or lifts: the scan says it of all that are down.
        case scan(finger: Int, Finger)
        /// The oldest mail on a link.
        case deliver(Link)
        /// The host tells a client what became of the server.
        case tell(client: Int)
        case interrupt, front
        /// Its last words get lost, or do not.
        case crash(Int, silently: Bool)
        case restart(Int)

        enum Finger: UInt8 { case lands, moves, lifts }
    }

    /// From a client up to the server, or down to it.
    struct Link: Hashable {
        let client: Int
        let isUp: Bool
    }

    /// Processes by place: input-kit, the server, apps.
    enum Place {
        static let inputKit = 0
        static let server = 1
        static func peer(_ place: Int) -> Peer {
            switch place {
            case inputKit: .inputKit
            case server: .systemServer
            default: .app(AppID(UInt32(place - 1)))
            }
        }
    }

    struct State: Hashable {
        /// By place: its history; -1 while it is dead.
        var histories = SIMD4<Int32>(repeating: -1)
        /// By place: how often it was started.
        var generations = SIMD4<UInt8>(repeating: 0)
        /// By place of a client: what its host has yet to tell; first that the server is lost, then that there is one.
        var isLossUntold = SIMD4<UInt8>(repeating: 0)
        var isServerUntold = SIMD4<UInt8>(repeating: 0)
        /// By place of a client: whether its host has told it of this server.
        var isLinked = SIMD4<UInt8>(repeating: 0)
        /// In order, each behind its link: two numbers a piece. What is lost with its connection is not in here.
        var mail: [Int32] = []
        var fingers: UInt8 = 0
        var scans: UInt8 = 0
        var crashes: UInt8
        var acts: UInt8

        init(crashes: Int, acts: Int) { (self.crashes, self.acts) = (UInt8(crashes), UInt8(acts)) }

        func hasNews(_ client: Int) -> Bool { isLossUntold[client] + isServerUntold[client] > 0 }

        /// In place of mail: the end of a client's connection.
        static let end: Int32 = -1

        private static func code(_ link: Link) -> Int32 { Int32(link.client * 2 + (link.isUp ? 1 : 0)) }

        mutating func append(_ id: Int32, to link: Link) {
            let code = Self.code(link)
            var place = mail.count
            // Sorted by link, so that the order of what is on different links is no part of the state.
            while place > 0, mail[place - 2] > code { place -= 2 }
            mail.insert(contentsOf: [code, id], at: place)
        }

        func first(on link: Link) -> Int32? {
            let code = Self.code(link)
            var place = 0
            while place < mail.count {
                if mail[place] == code { return mail[place + 1] }
                place += 2
            }
            return nil
        }

        mutating func removeFirst(on link: Link) -> Int32? {
            let code = Self.code(link)
            var place = 0
            while place < mail.count {
                if mail[place] == code {
                    defer { mail.removeSubrange(place..<place + 2) }
                    return mail[place + 1]
                }
                place += 2
            }
            return nil
        }

        mutating func removeAll(on link: Link) { while removeFirst(on: link) != nil {} }

        /// Whether a client's connection has ended, and the server does not know.
        func hasEnd(on link: Link) -> Bool {
            let code = Self.code(link)
            var place = 0
            while place < mail.count {
                if mail[place] == code, mail[place + 1] == Self.end { return true }
                place += 2
            }
            return false
        }

        func isUp(_ place: Int) -> Bool { histories[place] >= 0 }
    }
}

extension Exhaustion.Move: CustomStringConvertible {
    var description: String {
        switch self {
        case .scan(let finger, let what): "finger \(finger) \(what)"
        case .deliver(let link):
            link.isUp
                ? "system-server takes from \(Exhaustion.Place.peer(link.client))"
                : "\(Exhaustion.Place.peer(link.client)) takes from system-server"
        case .tell(let client): "\(Exhaustion.Place.peer(client))'s host says what became of system-server"
        case .interrupt: "a call comes"
        case .front: "app2 is brought to front"
        case .crash(let place, let silently):
            "\(Exhaustion.Place.peer(place)) dies\(silently ? ", and its last words are lost" : "")"
        case .restart(let place): "\(Exhaustion.Place.peer(place)) is started again"
        }
    }
}
