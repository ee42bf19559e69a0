// DispatchLoad.swift: what a rig of dispatch has, and what its finger does.
//
// Sources   invented

/// The gesture that the finger repeats.
enum DispatchGesture: String, CaseIterable, Codable {
    /// The finger is down and circles within 2 points: no recognizer has recognized or failed.
    case moved
    /// Lands and lifts.
    case tap
    /// Lands, moves 24 points in two steps, lifts.
    case drag

    /// The number of events of one gesture.
    var events: Int {
        switch self {
        case .moved: 1
        case .tap: 2
        case .drag: 4
        }
    }
}

/// The tree of views and recognizers.
enum DispatchCase: String, CaseIterable, Codable {
    case a, b, c, d, e

    var title: String {
        switch self {
        case .a: "100 views, 5 deep"
        case .b: "100 views, 10 recognizers on the path"
        case .c: "10,000 views, 5 deep"
        case .d: "1,000 recognizers on one view"
        case .e: "10,000 recognizers on one view"
        }
    }

    /// The number of views at each depth.
    var levels: [Int] {
        switch self {
        case .a, .b: [1, 3, 9, 27, 60]
        case .c: [1, 9, 90, 900, 9000]
        case .d, .e: [1]
        }
    }

    /// The number of recognizers on each view of the path, half of them taps and half pans.
    var recognizers: Int {
        switch self {
        case .a, .c: 0
        case .b: 2
        case .d: 1000
        case .e: 10_000
        }
    }

    var gestures: [DispatchGesture] {
        switch self {
        case .a, .c: [.moved, .tap]
        case .b, .d, .e: [.moved, .tap, .drag]
        }
    }
}

/// The views and recognizers of a rig, as one word of a command line: `a`, `flat-1000`, `recognizers-50`.
enum DispatchLoad: Equatable {
    case one(DispatchCase)
    /// This number of views without recognizers.
    case views(HitTestTree, Int)
    /// One view with this number of recognizers.
    case recognizers(Int)

    init?(argument: String) {
        if let kind = DispatchCase(rawValue: argument) {
            self = .one(kind)
            return
        }
        let words = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, let count = Int(words[1]), count >= 0 else { return nil }
        if words[0] == "recognizers" {
            self = .recognizers(count)
        } else if let tree = HitTestTree(rawValue: String(words[0])), (1...tree.limit).contains(count) {
            self = .views(tree, count)
        } else {
            return nil
        }
    }

    var word: String {
        switch self {
        case .one(let kind): kind.rawValue
        case .views(let tree, let count): "\(tree.rawValue)-\(count)"
        case .recognizers(let count): "recognizers-\(count)"
        }
    }

    /// The two numbers of gestures in a callgrind run. They are small because the simulation of instructions is slow.
    var callgrindCounts: (few: Int, many: Int) {
        switch self {
        case .one(.a), .one(.b), .one(.c): (100, 600)
        case .one(.e): (2, 6)
        case .one(.d), .views, .recognizers: (16, 48)
        }
    }
}
