// Signals.swift: SIGTERM, SIGINT and SIGHUP as something to read.

import CSystem

final class Signals {
    private let file: Descriptor
    private let previous: [UInt8]
    /// How many have been read.
    private(set) var count = 0

    /// Takes them over for this thread and those it starts.
    init() throws(HostError) {
        var previous = [UInt8](repeating: 0, count: Int(SYSTEM_MASK_SIZE))
        file = try Descriptor(system_signalfd_create(&previous), from: "signalfd", "")
        self.previous = previous
    }

    var descriptor: Int32 { file.number }

    func next() -> Bool {
        guard system_signalfd_next(file.number) != 0 else { return false }
        count += 1
        return true
    }

    func restore() { system_restore_signals(previous) }
}
