// PhoneError.swift: what a test asked of a phone and cannot have.
//
// Output    the failure of a test, as one text for a person
//
// Sources   invented

/// A request to a `TestPhone` that cannot be carried out. At fault: the test, or the app that it tests.
public enum PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No view fits.
    ///
    /// - Parameters:
    ///   - target: What the test asked for.
    ///   - shown: The views that could be meant, a line each.
    case notFound(target: String, shown: [String])
    /// More than one view fits, a line for each.
    case ambiguous(target: String, found: [String])
    /// A touch at the place would not reach the view.
    case notHittable(target: String, reason: String)
    /// The gesture is impossible on this screen, with its measure and the limit.
    case impossible(String)
    /// A finger goes down that is down, or moves or lifts although it is up.
    case finger(Int, isDown: Bool)
    /// The app does not run: it was killed, or has ended.
    case notRunning

    public var description: String {
        switch self {
        case .notFound(let target, let shown):
            "no view is \(target)" + (shown.isEmpty ? "" : "; shown are\n  " + shown.joined(separator: "\n  "))
        case .ambiguous(let target, let found):
            "\(found.count) views are \(target):\n  " + found.joined(separator: "\n  ")
        case .notHittable(let target, let reason): "a touch does not reach \(target): \(reason)"
        case .impossible(let why): why
        case .finger(let number, let isDown): "finger \(number) is \(isDown ? "down already" : "not down")"
        case .notRunning: "the app does not run"
        }
    }
}
