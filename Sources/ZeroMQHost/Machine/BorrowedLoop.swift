// BorrowedLoop.swift: the loop of libzmq's I/O thread, which the host's thread runs.
//
// Input     ZeroMQHost: after sends, and when the loop's descriptor is readable
// Output    the sockets that have received
//
// Sources   invented (Docs/Decisions/SystemCalls.md)

import CSystem

/// The loop of libzmq's I/O thread, while this thread runs it; its end gives it back.
final class BorrowedLoop {
    /// The descriptor that is readable when the loop has work.
    let descriptor: Int32
    private let server: Int32?
    private let listeners: [Int32]

    /// Borrows the loop.
    ///
    /// - Parameters:
    ///   - server: The descriptor of the server link's socket; nil without one.
    ///   - listeners: The descriptors of the listeners' sockets.
    /// - Returns: Nil if this process has not exactly one I/O thread, or its calls are not answered here.
    init?(server: Int32?, listeners: [Int32]) {
        let sockets = (server.map { [$0] } ?? []) + listeners
        let descriptor = libzmq_lend_loop(sockets, Int32(sockets.count))
        guard descriptor >= 0 else { return nil }
        (self.descriptor, self.server, self.listeners) = (descriptor, server, listeners)
    }

    deinit { libzmq_end_loan() }

    /// Runs the loop if it has work.
    ///
    /// - Parameter isReady: Whether its descriptor is readable.
    /// - Returns: Whether it ran.
    func run(isReady: Bool) -> Bool { libzmq_run_loop(isReady ? 1 : 0) != 0 }

    var hasServerReceived: Bool { server.map { libzmq_signals($0) > 0 } ?? false }

    func hasListenerReceived(_ index: Int) -> Bool { libzmq_signals(listeners[index]) > 0 }
}
