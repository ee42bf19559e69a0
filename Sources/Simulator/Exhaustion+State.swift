// Exhaustion+State.swift: the states of a small group in an exhaustive search, and the moves between them.
//
// Input     the search of Exhaustion.swift, which makes a move in a state
// Output    the state: everything that distinguishes two runs, and nothing else
// Knows     numbers of histories and of mail; no cores
//
// Sources   invented

import Hosting
import Wire

extension Exhaustion {
    /// One move of the search.
    enum Move: Hashable {
        /// A finger lands, moves or lifts. Each scan lists all fingers that are down.
        case scan(finger: Int, Finger)
        /// The oldest mail on a link is delivered.
        case deliver(Link)
        /// The host of a client reports a change of the server: that it is lost, or that there is one.
        case reportServerChange(client: Int)
        case interrupt, front
        /// A process crashes. Silently: its frames in transit are lost as well.
        case crash(Int, silently: Bool)
        case restart(Int)

        enum Finger: String {
            case lands, moves, lifts
            /// Two scans that are due together share a frame, as far as credit allows.
            case movesTwice = "moves twice at once"
        }
    }

    /// One direction between a client and the server: up to the server, or down to the client.
    struct Link: Hashable {
        let client: Int
        let isUp: Bool
    }

    /// The slots of the processes: input-kit, the server, then the apps.
    enum ProcessSlot {
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

    /// One state of the group.
    struct State: Hashable {
        /// By slot: the number of its history; −1 while the process is dead.
        var histories = SIMD4<Int32>(repeating: -1)
        /// By slot: how often the process was started.
        var generations = SIMD4<UInt8>(repeating: 0)
        /// By slot of a client: 1 while its host has yet to report the loss of the server, or a new server. The loss
        /// is reported first.
        var hasUnreportedLoss = SIMD4<UInt8>(repeating: 0)
        var hasUnreportedServer = SIMD4<UInt8>(repeating: 0)
        /// By slot of a client: 1 when its host has announced the present server.
        var isLinked = SIMD4<UInt8>(repeating: 0)
        /// Pairs of link code and mail number, sorted by link, oldest first. Mail that was lost with its connection is
        /// not in here.
        var mail: [Int32] = []
        var fingers: UInt8 = 0
        var scans: UInt8 = 0
        var crashes: UInt8
        var acts: UInt8

        init(crashes: Int, acts: Int) { (self.crashes, self.acts) = (UInt8(crashes), UInt8(acts)) }

        func hasUnreportedChange(_ client: Int) -> Bool { hasUnreportedLoss[client] + hasUnreportedServer[client] > 0 }

        /// A mail number that stands for the end of a client's connection.
        static let end: Int32 = -1

        private static func code(_ link: Link) -> Int32 { Int32(link.client * 2 + (link.isUp ? 1 : 0)) }

        mutating func append(_ id: Int32, to link: Link) {
            let code = Self.code(link)
            var index = mail.count
            // Sorted by link: the order of mail on different links is no part of the state.
            while index > 0, mail[index - 2] > code { index -= 2 }
            mail.insert(contentsOf: [code, id], at: index)
        }

        func first(on link: Link) -> Int32? {
            let code = Self.code(link)
            var index = 0
            while index < mail.count {
                if mail[index] == code { return mail[index + 1] }
                index += 2
            }
            return nil
        }

        mutating func removeFirst(on link: Link) -> Int32? {
            let code = Self.code(link)
            var index = 0
            while index < mail.count {
                if mail[index] == code {
                    defer { mail.removeSubrange(index..<index + 2) }
                    return mail[index + 1]
                }
                index += 2
            }
            return nil
        }

        mutating func removeAll(on link: Link) { while removeFirst(on: link) != nil {} }

        /// Whether a client's connection has ended and the server has not noticed.
        func hasEnd(on link: Link) -> Bool {
            let code = Self.code(link)
            var index = 0
            while index < mail.count {
                if mail[index] == code, mail[index + 1] == Self.end { return true }
                index += 2
            }
            return false
        }

        func isUp(_ place: Int) -> Bool { histories[place] >= 0 }
    }
}

extension Exhaustion.Move: CustomStringConvertible {
    var description: String {
        switch self {
        case .scan(let finger, let what): "finger \(finger) \(what.rawValue)"
        case .deliver(let link):
            link.isUp
                ? "system-server receives from \(Exhaustion.ProcessSlot.peer(link.client))"
                : "\(Exhaustion.ProcessSlot.peer(link.client)) receives from system-server"
        case .reportServerChange(let client):
            "\(Exhaustion.ProcessSlot.peer(client))'s host reports the end of system-server"
        case .interrupt: "a call interrupts"
        case .front: "app2 is brought to front"
        case .crash(let slot, let silently):
            "\(Exhaustion.ProcessSlot.peer(slot)) dies\(silently ? ", and its last frames are lost" : "")"
        case .restart(let slot): "\(Exhaustion.ProcessSlot.peer(slot)) is started again"
        }
    }
}
