// LinkModel+File.swift: delays between processes, read from a YAML file in Config/Links.
//
// Input     `touchline simulate --links`, `touchline compare`
// Output    LinkModel, which gives the numbers their meaning
// Knows     YAML and files
//
// Sources   invented

import Basics
public import Configuration
public import Simulator
import Yams

extension LinkModel {
    private static let names = ["data", "control", "notice", "connect", "start"]
    /// The limits of a delay in microseconds, up to a minute.
    private static let times: ClosedRange<Int64> = 0...60_000_000
    private static let quantileLimit = 1001

    /// Reads a file. Delays that it omits are those of `measured`.
    ///
    /// - Parameter path: The path as the person wrote it; errors repeat it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        func invalid(_ node: Node?, _ problem: String) -> InvalidConfiguration {
            InvalidConfiguration([ConfigurationError(file: file, line: node?.mark?.line, problem: problem)])
        }
        let root: Node?
        do { root = try document(yaml: yaml) } catch {
            throw invalid(nil, "expected a file of lists, as data: [25, 50, 100], found no YAML")
        }
        self = .measured
        guard let root, root.scalar?.string != "" else { return }
        guard case .mapping(let mapping) = root else {
            throw invalid(root, "expected keys (\(Self.names.joined(separator: " "))), found none")
        }
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            let limits = "ascending microseconds from 0 to \(Self.times.upperBound), as [25, 50, 100]"
            guard case .sequence(let list) = value, (1...Self.quantileLimit).contains(list.count) else {
                throw invalid(value, "\(quoted(name)): expected 1 to \(Self.quantileLimit) \(limits)")
            }
            var spread: [Duration] = []
            for entry in list {
                guard let number = entry.scalar.flatMap({ Int64($0.string) }), Self.times.contains(number),
                    spread.last.map({ $0 <= .microseconds(number) }) ?? true
                else {
                    throw invalid(
                        entry, "\(quoted(name)): expected \(limits), found \(entry.scalar?.string ?? "a list")")
                }
                spread.append(.microseconds(number))
            }
            switch name {
            case "data": data = Spread(spread)
            case "control": control = Spread(spread)
            case "notice": notice = Spread(spread)
            case "connect": connect = Spread(spread)
            case "start": start = Spread(spread)
            default:
                throw invalid(key, "expected one of \(Self.names.joined(separator: " ")), found \(quoted(name))")
            }
        }
    }
}
