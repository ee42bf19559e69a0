// Signals.swift: SIGTERM, SIGINT and SIGHUP as a readable descriptor.

import CSystem

/// The stop signals of this process.
final class Signals {
    private let file: Descriptor
    private let previous: [UInt8]

    /// Blocks the signals in this thread and in the threads it starts, so that only `next()` receives them.
    init() throws(HostError) {
        var previous = [UInt8](repeating: 0, count: Int(SYSTEM_MASK_SIZE))
        file = try Descriptor(system_signalfd_create(&previous), from: "signalfd", "")
        self.previous = previous
    }

    var descriptor: Int32 { file.number }

    /// Reads one signal; false when none is pending.
    func next() -> Bool { system_signalfd_next(file.number) != 0 }

    /// Restores the signal mask that this thread had before.
    func restore() { system_restore_signals(previous) }
}
