// Cancellation.swift: the reasons why an interaction was cancelled before it ended.
//
// Input     Explain
// Output    RootCause, receipts: text, JSON
// Sources   invented

/// The cause of a cancellation.
public enum Cancellation: Hashable, Sendable {
    /// A touch monitor, by the number that `touchline monitor` prints.
    case touchMonitor(Int64)
    /// A system gesture by its name: `home`.
    case systemGesture(String)
    case call
    case home
    /// The text of the process that ended it: another act, the device, lost frames.
    case other(String)

    /// - Parameter act: The act as system-server notes it.
    init(act: String) {
        switch act {
        case "interrupt": self = .call
        case "home": self = .home
        case "lock": self = .other("the screen was locked")
        case "alert": self = .other("an alert")
        default:
            // `foreground(app: 2)`
            let words = act.split { "(:) ".contains($0) }
            self = words.first == "foreground" ? .other("app\(words.last ?? "") came to the front") : .other(act)
        }
    }

    /// One word, for scripts.
    public var code: String {
        switch self {
        case .touchMonitor: "takenByMonitor"
        case .systemGesture: "takenBySystem"
        case .call: "call"
        case .home: "home"
        case .other: "cancelled"
        }
    }
}

extension Cancellation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .touchMonitor(let number): "pilfered by monitor \(number)"
        case .systemGesture(let name): "system gesture: \(name)"
        case .call: "a call"
        case .home: "home"
        case .other(let why): why
        }
    }
}
