import Basics

/// When things happen on a virtual clock.
enum VirtualTime {
    /// The script's zero: the scene is up and everything is quiet by then.
    static let zero = Instant(nanoseconds: 1_000_000_000)
    /// A scenario that is not quiet this long after its script never will be.
    static let patience = Duration.seconds(120)
}
