// Choices.swift: the settings whose values are a few words, as types.

/// Where an app's event port is served.
public enum EventFetch: String, Sendable, CaseIterable {
    /// A second loop on the main loop's thread, with no hand-off.
    case loop
    /// A second loop, whose host reads the socket on a thread of its own. The core is the same.
    case thread
    /// The main loop itself, as on older systems.
    case main
}

/// When an app's frames become events.
public enum EventDelivery: String, Sendable, CaseIterable {
    /// Each frame is one `sendEvent`.
    case immediate
    /// Frames wait for the screen's next frame; moves become coalesced touches.
    case frameAligned
}

/// What iOS leaves in no order.
public enum OrderMode: String, Sendable, CaseIterable {
    /// Always the same way.
    case deterministic
    /// Shuffled by `order.seed`.
    case ios
}

/// What becomes of a contact that its device calls a palm.
public enum PalmRule: String, Sendable, CaseIterable {
    case cancel, keep
}

/// Whether a host writes a file.
public enum FileOutput: String, Sendable, CaseIterable {
    case off, file
}
