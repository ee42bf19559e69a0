// Cancellation.swift: what took an interaction from its app before it ended.
//
// Fed by    Explain
// Feeds     RootCause, receipts: text, JSON
// Sources   invented

public enum Cancellation: Hashable, Sendable {
    /// A touch monitor, by the number that `touchline spy` prints.
    case touchMonitor(Int64)
    /// By its name: `home`.
    case systemGesture(String)
    case call
    case home
    /// In the words of the process that ended it: another act, the device, lost frames.
    case other(String)

    /// - Parameter act: As system-server notes the act that it carries out.
    init(act: String) {
        switch act {
        case "interrupt": self = .call
        case "home": self = .home
        default: self = .other(act)
        }
    }

    /// One word, for scripts.
    public var word: String {
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
        case .touchMonitor(let number): "taken by spy \(number)"
        case .systemGesture(let name): "system gesture: \(name)"
        case .call: "a call"
        case .home: "home"
        case .other(let why): why
        }
    }
}
