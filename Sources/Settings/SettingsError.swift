// SettingsError.swift: an unknown setting, or a value that a setting does not allow. At fault: its writer.

/// A setting that cannot be applied.
public enum SettingsError: Error, Hashable, Sendable {
    case unknown(String, nearest: String?)
    /// A name of an earlier version, with the name of today.
    case renamed(String, to: String)
    /// A key of an earlier version that has no successor.
    case removed(String, advice: String)
    case badValue(key: String, value: String, expected: String)
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let key, let nearest?): "unknown key \(key); did you mean \(nearest)?"
        case .unknown(let key, nil): "unknown key \(key)"
        case .renamed(let old, let new): "\(old): this setting is called \(new) now"
        case .removed(let key, let advice): "\(key) is no longer a key: \(advice)"
        case .badValue(let key, let value, let expected): "\(key): expected \(expected), found \(value)"
        }
    }
}
