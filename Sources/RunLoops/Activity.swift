/// The activities of a run loop that an observer can observe; a set of them is the observer's mask.
///
/// - Source: documented, `CFRunLoopActivity`, same raw values.
public struct Activity: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let entry = Activity(rawValue: 1)
    public static let beforeTimers = Activity(rawValue: 2)
    public static let beforeSources = Activity(rawValue: 4)
    public static let beforeWaiting = Activity(rawValue: 32)
    public static let afterWaiting = Activity(rawValue: 64)
    public static let exit = Activity(rawValue: 128)
}

extension Activity: CustomStringConvertible {
    public var description: String {
        let words: [(Activity, String)] = [
            (.entry, "entry"), (.beforeTimers, "beforeTimers"), (.beforeSources, "beforeSources"),
            (.beforeWaiting, "beforeWaiting"), (.afterWaiting, "afterWaiting"), (.exit, "exit"),
        ]
        return words.filter { contains($0.0) }.map(\.1).joined(separator: "+")
    }
}
