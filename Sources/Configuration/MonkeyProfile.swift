// MonkeyProfile.swift: reads a monkey profile from a YAML file, and writes one for people to copy.
//
// All mistakes of a file are reported, one line each. A test keeps Config/Profiles/standard.yaml equal to
// `MonkeyProfile.standard.yaml`.

import Basics
public import Synthesis
import Yams

extension MonkeyProfile {
    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    /// Parses a file. Missing values come from the standard profile; a table of weights replaces the standard one
    /// completely.
    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        self = .standard
        _ = try ProfileReader.read(yaml: yaml, file: file) { $0.read($1, into: &self) }
    }
}

private struct ProfileReader: DocumentReader {
    var complaints: Complaints

    private static let keys = ["human", "rate", "pause", "shares", "gestures", "multitouch", "devices", "regions"]
    private static let regionLimit = 1000

    mutating func read(_ root: Node, into profile: inout MonkeyProfile) {
        for (key, value) in entries(of: root, called: "a profile", known: Self.keys) {
            switch key {
            case "human": if let flag = flag(value, "human") { profile.human = flag }
            case "rate":
                if let rate = number(value, "rate", in: 20...240) {
                    if rate == rate.rounded() {
                        profile.rate = Int(rate)
                    } else {
                        complain(value, "rate: expected a whole number, found \(described(value))")
                    }
                }
            case "pause":
                if let pair = numbers(value, "pause", count: 2, in: 0...60) {
                    if pair[0] <= pair[1] {
                        profile.pause = Duration(seconds: pair[0])...Duration(seconds: pair[1])
                    } else {
                        complain(value, "pause: expected the shorter first, found \(pair[0]) and \(pair[1])")
                    }
                }
            case "shares":
                for (name, share) in entries(of: value, called: "shares", known: ["multitouch", "devices"]) {
                    guard let number = number(share, "shares.\(name)", in: 0...1) else { continue }
                    if name == "devices" { profile.deviceShare = number } else { profile.multitouchShare = number }
                }
                if profile.deviceShare + profile.multitouchShare > 1 {
                    complain(value, "shares: expected at most 1 together")
                }
            case "gestures": profile.gestures = weights(value, key)
            case "multitouch": profile.multitouch = weights(value, key)
            case "devices": profile.devices = weights(value, key)
            default: profile.regions = regions(value)
            }
        }
    }

    private mutating func entries(of node: Node, called name: String, known: [String]) -> [(String, Node)] {
        var found: [(String, Node)] = []
        for (key, value) in entries(of: node, called: name) {
            let word = key.scalar?.string ?? ""
            guard !complaints.isFull else { break }
            guard known.contains(word) else {
                complain(key, of: name, expectedOneOf: known)
                continue
            }
            found.append((word, value))
        }
        return found
    }

    private mutating func weights<Act: RawRepresentable & CaseIterable & Hashable & Sendable>(
        _ node: Node, _ name: String
    ) -> [MonkeyProfile.Weight<Act>] where Act.RawValue == String {
        var weights: [MonkeyProfile.Weight<Act>] = []
        for (word, value) in entries(of: node, called: name, known: Act.allCases.map(\.rawValue)) {
            guard let act = Act(rawValue: word), let weight = number(value, "\(name).\(word)", in: 0...1_000_000)
            else { continue }
            guard weight == weight.rounded() else {
                complain(value, "\(name).\(word): expected a whole number, found \(described(value))")
                continue
            }
            weights.append(MonkeyProfile.Weight(act, Int(weight)))
        }
        return weights
    }

    private mutating func regions(_ node: Node) -> [MonkeyProfile.Region] {
        guard case .sequence(let sequence) = node, sequence.count <= Self.regionLimit else {
            complain(node, "regions: expected a list of at most \(Self.regionLimit), found \(described(node))")
            return []
        }
        return sequence.compactMap { entry in
            var numbers: [String: Double] = [:]
            for (key, value) in entries(of: entry, called: "a region", known: ["x", "y", "width", "height", "weight"]) {
                numbers[key] = number(value, "region.\(key)", in: key == "weight" ? 0...1_000_000 : 0...1)
            }
            let (x, y) = (numbers["x"] ?? 0, numbers["y"] ?? 0)
            let (width, height) = (numbers["width"] ?? 1 - x, numbers["height"] ?? 1 - y)
            // 0.9 and 0.1 may add up to slightly more than 1.
            guard x + width <= 1.000_001, y + height <= 1.000_001 else {
                complain(entry, "a region: expected it on the screen, 0 to 1, found one that leaves it")
                return nil
            }
            guard let weight = Int(exactly: numbers["weight"] ?? 1) else {
                complain(entry, "region.weight: expected a whole number, found \(numbers["weight"] ?? 1)")
                return nil
            }
            return MonkeyProfile.Region(x: x, y: y, width: width, height: height, weight: weight)
        }
    }

    private mutating func number(_ node: Node, _ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let text = node.scalar?.string, let number = Double(text), range.contains(number) else {
            complain(
                node,
                "\(name): expected a number from \(short(range.lowerBound)) to \(short(range.upperBound)), "
                    + "found \(described(node))")
            return nil
        }
        return number
    }

    private mutating func numbers(
        _ node: Node, _ name: String, count: Int, in range: ClosedRange<Double>
    ) -> [Double]? {
        guard case .sequence(let sequence) = node, sequence.count == count else {
            complain(node, "\(name): expected \(count) numbers as [0.1, 0.5], found \(described(node))")
            return nil
        }
        let numbers = sequence.compactMap { number($0, name, in: range) }
        return numbers.count == count ? numbers : nil
    }

    private mutating func flag(_ node: Node, _ name: String) -> Bool? {
        switch node.scalar?.string {
        case "yes", "true": return true
        case "no", "false": return false
        default:
            complain(node, "\(name): expected yes or no, found \(described(node))")
            return nil
        }
    }
}

// MARK: Writing

extension MonkeyProfile {
    /// The profile as a file that parses to the same profile.
    public var yaml: String {
        func table<Act: RawRepresentable>(_ weights: [Weight<Act>]) -> String where Act.RawValue == String {
            weights.isEmpty
                ? " {}\n" : "\n" + weights.map { "  \($0.act.rawValue): \($0.weight)\n" }.joined()
        }
        var text = """
            # by a hand out of the seed, or with a ruler; yes, no
            human: \(human ? "yes" : "no")
            # samples a second; 20 to 240
            rate: \(rate)
            # seconds between one gesture and the next: the shortest and the longest
            pause: [\(short(pause.lowerBound.seconds)), \(short(pause.upperBound.seconds))]
            # of all gestures, how many take several fingers, and how many are a device's; the rest is one finger's
            shares:
              multitouch: \(short(multitouchShare))
              devices: \(short(deviceShare))
            # weights: \(Single.allCases.map(\.rawValue).joined(separator: ", "))
            gestures:\(table(gestures))\
            # weights: \(Multiple.allCases.map(\.rawValue).joined(separator: ", "))
            multitouch:\(table(multitouch))\
            # weights: \(Device.allCases.map(\.rawValue).joined(separator: ", "))
            devices:\(table(devices))\
            # where gestures begin, in fractions of the screen, by weight; none is anywhere
            regions:
            """
        if regions.isEmpty { return text + " []\n" }
        text += "\n"
        for region in regions {
            text +=
                "  - { x: \(short(region.x)), y: \(short(region.y)), width: \(short(region.width)), "
                + "height: \(short(region.height)), weight: \(region.weight) }\n"
        }
        return text
    }
}
