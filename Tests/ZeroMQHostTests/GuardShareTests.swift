import Basics
import CSystem
import CZeroMQ
import Foundation
import Hosting
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The connection limits of a guarded listener") struct GuardShareTests {
    let scratch = Scratch()

    /// A guarded listening socket without libzmq: this class accepts the connections.
    private final class Entrance {
        let path: String
        let listener: Int32
        let outer: Guard

        /// - Parameter taken: The descriptor that the listening socket gets; nil for any free one.
        init(_ scratch: Scratch, _ limits: Guard.Limits, at taken: Int32? = nil) throws {
            path = scratch.paths.app
            let bound = try scratch.listen(path)
            if let taken {
                try #require(dup2(bound, taken) == taken)
                close(bound)
            }
            listener = taken ?? bound
            outer = try Guard(listener, limits)
        }

        deinit { close(listener) }

        /// - Returns: The connection that a listener receives, or nil.
        func accept() -> Int32? {
            let call = guard_accept(listener)
            return call < 0 ? nil : call
        }

        /// The connection that a listener receives; a missing connection fails the test.
        func accepted() throws -> Int32 {
            let call = guard_accept(listener)
            let error = errno
            return try #require(call < 0 ? nil : call, "errno \(error), refusals: \(refusals())")
        }

        func refusals() -> [Refusal] {
            var arrivals: [Input] = []
            outer.takeRefusals(into: &arrivals)
            return arrivals.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
        }
    }

    private func limits(connections: UInt32, each: UInt32) -> Guard.Limits {
        var limits = Guard.Limits(listeners: 1, processConnections: each, user: me.uid)
        (limits.connections, limits.processConnections) = (connections, each)
        return limits
    }

    @Test("a process has as many connections as its limit and no more")
    func processShare() throws {
        let entrance = try Entrance(scratch, limits(connections: 16, each: 3))
        var calls: [RawConnection] = []
        var accepted: [Int32] = []
        for _ in 0..<3 {
            calls.append(try RawConnection(entrance.path))
            accepted.append(try entrance.accepted())
        }
        let fourth = try RawConnection(entrance.path)
        #expect(entrance.accept() == nil && fourth.waitForClose())
        #expect(entrance.refusals() == [.connectionsRefused(pid: me.pid, uid: me.uid, count: 1, .processLimit(3))])
        close(accepted.removeFirst())
        calls.append(try RawConnection(entrance.path))
        accepted.append(try entrance.accepted())
        for descriptor in accepted { close(descriptor) }
    }

    @Test("at a full listener a new connection replaces the oldest unproven one")
    func doorShare() throws {
        let entrance = try Entrance(scratch, limits(connections: 4, each: 100))
        var calls: [RawConnection] = []
        var accepted: [Int32] = []
        for _ in 0..<4 {
            calls.append(try RawConnection(entrance.path))
            accepted.append(try entrance.accepted())
        }
        entrance.outer.markProved(accepted[0])
        entrance.outer.markProved(accepted[2])
        for _ in 0..<2 {
            calls.append(try RawConnection(entrance.path))
            accepted.append(try entrance.accepted())
        }
        #expect(calls[1].waitForClose() && calls[3].waitForClose())
        #expect(entrance.refusals() == [.connectionsRefused(pid: me.pid, uid: me.uid, count: 2, .evicted(4))])
        for descriptor in accepted { entrance.outer.markProved(descriptor) }
        let last = try RawConnection(entrance.path)
        #expect(entrance.accept() == nil && last.waitForClose())
        #expect(entrance.refusals() == [.connectionsRefused(pid: me.pid, uid: me.uid, count: 1, .listenerLimit(4))])
        #expect(entrance.outer.count == 4)
        for descriptor in accepted { close(descriptor) }
        #expect(entrance.outer.count == 0)
    }

    @Test("a listener that reuses a descriptor has its own guard")
    func reusedDescriptor() throws {
        let earlierScratch = Scratch()
        var strict = limits(connections: 4, each: 4)
        strict.user = me.uid + 1
        let taken = try earlierScratch.listen(earlierScratch.paths.app)
        // The later listener closes the descriptor that both have used.
        let earlier = try Guard(taken, strict)
        let entrance = try Entrance(scratch, limits(connections: 4, each: 4), at: taken)
        let call = try RawConnection(entrance.path)
        let accepted = try entrance.accepted()
        #expect(entrance.outer.count == 1 && earlier.count == 0)
        withExtendedLifetime((call, earlier)) {}
        close(accepted)
    }

    @Test("the guard refuses another user's process as a stranger")
    func otherUser() throws {
        var limits = limits(connections: 4, each: 4)
        limits.user = me.uid + 1
        let entrance = try Entrance(scratch, limits)
        let call = try RawConnection(entrance.path)
        #expect(entrance.accept() == nil && call.waitForClose())
        #expect(entrance.refusals() == [.notOnRoster(pid: me.pid, uid: me.uid)])
    }

    @Test("a connection ends when its unread bytes exceed its backlog")
    func backlog() throws {
        var limits = limits(connections: 4, each: 4)
        limits.backlog = 10_000
        let entrance = try Entrance(scratch, limits)
        for isRead in [true, false] {
            let call = try RawConnection(entrance.path)
            let accepted = try entrance.accepted()
            call.send(RawConnection.greeting() + RawConnection.ready([RawConnection.dealer]))
            var bytes = [UInt8](repeating: 0, count: 4096)
            var isUp = true
            for _ in 0..<100 where isUp {
                call.send(RawConnection.part([UInt8](repeating: 1, count: 1000), more: false))
                while isUp {
                    let count = Glibc.recv(accepted, &bytes, bytes.count, 0)
                    if count < 0 {
                        isUp = errno == EAGAIN
                        break
                    }
                }
                if isRead { entrance.outer.noteTaken(1000, of: accepted) }
            }
            #expect(isUp == isRead)
            close(accepted)
        }
        #expect(entrance.refusals() == [.connectionsRefused(pid: me.pid, uid: me.uid, count: 1, .backlog(10_000))])
    }

    /// Reads as libzmq does.
    ///
    /// - Returns: Whether the connection continues.
    private func readAll(_ accepted: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = Glibc.recv(accepted, &bytes, bytes.count, 0)
            if count < 0 { return errno == EAGAIN }
            if count == 0 { return false }
        }
    }

    static let greeted = RawConnection.greeting() + RawConnection.ready([RawConnection.dealer])

    @Test("unread bytes of all connections together are limited, including ended ones")
    func doorBacklog() throws {
        var limits = limits(connections: 512, each: 512)
        limits.totalBacklog = 2 << 20
        let entrance = try Entrance(scratch, limits)
        let message = RawConnection.part([UInt8](repeating: 7, count: 60_000), more: false)
        let quiet = try RawConnection(entrance.path)
        let quietAccepted = try entrance.accepted()
        quiet.send(Self.greeted + RawConnection.part([UInt8](repeating: 1, count: 1000), more: false))
        #expect(readAll(quietAccepted))
        var kept = 0
        // 40 connections send 24 MB together; each stays below the limit of one connection.
        for _ in 0..<40 {
            let call = try RawConnection(entrance.path)
            let accepted = try entrance.accepted()
            defer { close(accepted) }
            call.send(Self.greeted)
            for _ in 0..<10 {
                guard call.send(message), readAll(accepted) else { break }
                kept += message.count
            }
        }
        // Besides twice the limit, each connection may keep two messages before it ends because of the others' bytes.
        #expect(kept < 4 << 20 + 40 * 3 * message.count)
        let refusals = entrance.refusals()
        #expect(refusals.allSatisfy { "\($0)".contains("more than \(2 << 20) bytes") } && !refusals.isEmpty)
        // A connection with few bytes continues. All connections continue after the listener has read everything.
        quiet.send(message)
        #expect(readAll(quietAccepted))
        entrance.outer.noteAllTaken()
        for _ in 0..<20 {
            quiet.send(message)
            #expect(readAll(quietAccepted))
            entrance.outer.noteTaken(60_000, of: quietAccepted)
        }
        close(quietAccepted)
    }

    @Test("over the common limit the connection with most unread bytes ends")
    func largestBacklog() throws {
        var limits = limits(connections: 8, each: 8)
        limits.totalBacklog = 500_000
        let entrance = try Entrance(scratch, limits)
        let message = RawConnection.part([UInt8](repeating: 7, count: 60_000), more: false)
        var (calls, accepted): ([RawConnection], [Int32]) = ([], [])
        for count in [5, 3, 1] {
            calls.append(try RawConnection(entrance.path))
            accepted.append(try entrance.accepted())
            calls.last?.send(Self.greeted)
            for _ in 0..<count {
                calls.last?.send(message)
                #expect(readAll(accepted[accepted.count - 1]))
            }
        }
        #expect(calls[0].waitForClose())
        #expect(entrance.refusals() == [.connectionsRefused(pid: me.pid, uid: me.uid, count: 1, .backlog(500_000))])
        #expect(!readAll(accepted[0]))
        entrance.outer.noteAllTaken()
        calls[2].send(message)
        #expect(readAll(accepted[2]))
        for descriptor in accepted { close(descriptor) }
    }

    @Test("an unproven connection makes room after its time, even without need")
    func silence() throws {
        var limits = limits(connections: 8, each: 8)
        limits.proofSeconds = 1
        let entrance = try Entrance(scratch, limits)
        var (calls, accepted): ([RawConnection], [Int32]) = ([], [])
        for _ in 0..<3 {
            calls.append(try RawConnection(entrance.path))
            accepted.append(try entrance.accepted())
        }
        entrance.outer.markProved(accepted[1])
        entrance.outer.advance(seconds: 2)
        calls.append(try RawConnection(entrance.path))
        accepted.append(try entrance.accepted())
        #expect(calls[0].waitForClose() && calls[2].waitForClose())
        #expect(entrance.outer.count == 2)
        entrance.outer.hangUp(accepted[1])
        #expect(calls[1].waitForClose())
        for descriptor in accepted { close(descriptor) }
    }

    @Test("messages of an ended connection are no credit for its descriptor's successor")
    func noCredit() throws {
        var limits = limits(connections: 4, each: 4)
        limits.backlog = 10_000
        let entrance = try Entrance(scratch, limits)
        let call = try RawConnection(entrance.path)
        let accepted = try entrance.accepted()
        defer { close(accepted) }
        call.send(Self.greeted)
        #expect(readAll(accepted))
        for _ in 0..<100 { entrance.outer.noteTaken(1000, of: accepted) }
        for _ in 0..<9 { call.send(RawConnection.part([UInt8](repeating: 1, count: 1000), more: false)) }
        #expect(readAll(accepted))
        call.send(RawConnection.part([UInt8](repeating: 1, count: 1000), more: false))
        #expect(!readAll(accepted))
    }

    @Test("connection limits leave room for the process's other descriptors")
    func shares() {
        for descriptors in [16, 40, 64, 256, 1024, 4096, 1 << 20] as [UInt64] {
            let limits = Guard.Limits(listeners: 3, processConnections: 8, user: 0, descriptors: descriptors)
            #expect(limits.connections >= 4 && limits.connections <= 512)
            #expect(limits.processConnections >= 2 && limits.processConnections <= 8)
            if descriptors > 64 { #expect(UInt64(limits.connections) * 3 + 40 <= descriptors) }
        }
    }
}
