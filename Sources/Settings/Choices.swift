// Choices.swift: the settings with a few words as values, as types.

/// The loop that serves an app's event port.
public enum EventFetch: String, Sendable, CaseIterable {
    /// A second loop on the main loop's thread, without a hand-off.
    case loop
    /// A second loop with a host that reads the socket on a separate thread. The core is the same.
    case thread
    /// The main loop itself, as on older systems.
    case main
}

/// The time at which an app's frames become events.
public enum EventDelivery: String, Sendable, CaseIterable {
    /// Each frame is one `sendEvent`.
    case immediate
    /// Frames wait for the next display frame; moves become coalesced touches.
    case frameAligned
}

/// The order of things that iOS leaves undefined.
public enum OrderMode: String, Sendable, CaseIterable {
    /// Always the same order.
    case deterministic
    /// Shuffled by `order.seed`.
    case ios
}

/// The treatment of a contact that its device marks as a palm.
public enum PalmRule: String, Sendable, CaseIterable {
    case cancel, keep
}

/// What becomes of the CPU of a group's processes while a finger is down.
public enum TouchedCPU: String, Sendable, CaseIterable {
    /// The kernel decides where threads run and when a CPU sleeps.
    case never
    /// The threads that wake each other run on one CPU.
    case shared
    /// That CPU does not sleep either.
    case whileTouched
}

/// Whether a host writes a file.
public enum FileOutput: String, Sendable, CaseIterable {
    case off, file
}

/// The thread that receives and sends for libzmq in a process of a group.
public enum IOThread: String, Sendable, CaseIterable {
    /// The process's own thread, while that is not busy.
    case lent
    /// libzmq's I/O thread.
    case own
}

/// The carrier of frames between the processes of a machine.
public enum Transport: String, Sendable, CaseIterable {
    case zeromq
    /// Shared memory, once ZeroMQ has opened and authenticated the link.
    case ring
}
