import Basics
import HID

/// One line of a script, taken word by word.
///
/// Points are words too: `(187.5, 333.5)` may hold blanks.
struct ScriptWords {
    private var words: [Substring]
    private var next = 0

    static let verbs = [
        "down", "move", "up", "cancel", "tap", "stroke", "interrupt", "resume", "launch", "foreground", "home",
        "crash", "lock", "unlock", "set", "remove", "disable", "press", "key", "shake", "remote", "scroll", "wheel",
        "hover", "transform", "scan", "axes",
    ]

    init(_ line: Substring) throws(Complaint) {
        words = []
        // By bytes: what parts words is ASCII, and a Character costs twenty times as much.
        let bytes = line.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        var place = bytes.startIndex
        while place < end {
            guard !bytes[place].isBlank else {
                place = bytes.index(after: place)
                continue
            }
            let start = place
            if bytes[place] == UInt8(ascii: "(") {
                while place < end, bytes[place] != UInt8(ascii: ")") { place = bytes.index(after: place) }
                guard place < end else {
                    throw Complaint(expected: "a point's closing bracket", found: quoted(line[start..<end]))
                }
                place = bytes.index(after: place)
            } else {
                while place < end, !bytes[place].isBlank, bytes[place] != UInt8(ascii: "(") {
                    place = bytes.index(after: place)
                }
            }
            words.append(line[start..<place])
        }
    }

    private mutating func take(_ expected: String) throws(Complaint) -> Substring {
        guard next < words.count else { throw Complaint(expected: expected, found: "the line's end") }
        defer { next += 1 }
        return words[next]
    }

    /// `axes (0,0) (4095,4095)`; nil for any other line.
    mutating func takeAxes() throws(Complaint) -> AxisRanges? {
        guard words.first == "axes" else { return nil }
        next = 1
        let (from, to) = (try takePoint(), try takePoint())
        func range(_ from: Double, _ to: Double) -> ClosedRange<Int32>? {
            guard let from = Int32(exactly: from), let to = Int32(exactly: to), from < to else { return nil }
            return from...to
        }
        guard let x = range(from.x, to.x), let y = range(from.y, to.y) else {
            throw Complaint(
                expected: "the panel's first and last corner in whole units",
                found: "\(quoted(words[1])) and \(quoted(words[2]))")
        }
        guard next == words.count else { throw Complaint(expected: "the line's end", found: quoted(words[next])) }
        return AxisRanges(x: x, y: y)
    }

    /// Appends what the line says: nothing for a blank one, several for a tap or a stroke.
    mutating func takeLine(number: Int, into lines: inout [FingerScript.Line]) throws(Complaint) {
        guard let verb = words.first else { return }
        next = 1
        func append(_ time: Int64, _ act: FingerScript.Act) {
            lines.append(FingerScript.Line(time: .nanoseconds(time), act: act, number: number))
        }
        switch verb {
        case "down":
            let act = FingerScript.Act.down(finger: try takeFinger(), try takePoint())
            append(try takeTime(), act)
        case "move":
            let act = FingerScript.Act.move(finger: try takeFinger(), try takePoint())
            append(try takeTime(), act)
        case "up":
            let act = FingerScript.Act.up(finger: try takeFinger())
            append(try takeTime(), act)
        case "cancel":
            let act = FingerScript.Act.cancel(finger: try takeFinger())
            append(try takeTime(), act)
        case "tap":
            let (finger, point) = (try takeFinger(), try takePoint())
            let time = try takeTime()
            append(time, .down(finger: finger, point))
            append(time + 80_000_000, .up(finger: finger))
        case "stroke":
            let stroke = try takeStroke()
            guard lines.count + stroke.count <= FingerScript.lineLimit else {
                throw Complaint(
                    expected: "at most \(FingerScript.lineLimit) steps", found: "\(stroke.count) in one stroke")
            }
            for index in 0..<stroke.count {
                let (time, act) = stroke[index]
                append(time, act)
            }
        case "interrupt":
            let act = FingerScript.Act.interrupt(String(try take("what interrupts")))
            append(try takeTime(), act)
        case "scan": append(try takeTime(), .scan)
        case "resume": append(try takeTime(), .resume)
        case "launch":
            let act = FingerScript.Act.launch(app: try takeApp())
            append(try takeTime(), act)
        case "foreground":
            let act = FingerScript.Act.foreground(app: try takeApp())
            append(try takeTime(), act)
        case "home": append(try takeTime(), .home)
        case "crash":
            let act = FingerScript.Act.crash(app: try takeApp())
            append(try takeTime(), act)
        case "lock": append(try takeTime(), .lock)
        case "unlock": append(try takeTime(), .unlock)
        case "set":
            let target = try take("name.property")
            guard let dot = target.lastIndex(of: "."), dot > target.startIndex,
                target.index(after: dot) < target.endIndex
            else { throw Complaint(expected: "name.property", found: quoted(target)) }
            let act = FingerScript.Act.set(
                name: String(target[..<dot]), property: String(target[target.index(after: dot)...]),
                value: try takeValue())
            append(try takeTime(), act)
        case "remove":
            let act = FingerScript.Act.remove(String(try take("a name")))
            append(try takeTime(), act)
        case "disable":
            let act = FingerScript.Act.disable(String(try take("a recogniser's name")))
            append(try takeTime(), act)
        case "press", "key", "shake", "remote", "scroll", "wheel", "hover", "transform":
            let act = try takeDevice(verb)
            append(try takeTime(), .device(act))
        default:
            let near = nearestName(to: String(verb), among: Self.verbs).map { ", did you mean \($0)?" } ?? ""
            throw Complaint(expected: "down, move, up, tap, stroke or another act", found: quoted(verb) + near)
        }
        guard next == words.count else { throw Complaint(expected: "the line's end", found: quoted(words[next])) }
    }

    /// What follows the verb, up to the time.
    private mutating func takeDevice(_ verb: Substring) throws(Complaint) -> DeviceAct {
        switch verb {
        case "press":
            let name = try takeName("a button", of: HIDUsage.buttons.map(\.name))
            return .press(name, isDown: try takeWhetherDown())
        case "key":
            let name = try takeName("a key", of: HIDUsage.keys.map(\.name))
            return .key(name, isDown: try takeWhetherDown())
        case "remote":
            let name = try takeName("a command", of: RemoteCommand.allCases.map { "\($0)" })
            guard let command = RemoteCommand(word: name) else { preconditionFailure("\(name) was just found") }
            return .remote(command)
        case "scroll", "hover", "transform":
            if next < words.count, words[next] == "end", let pointer = DeviceAct.Pointer(rawValue: String(verb)) {
                next += 1
                return .end(pointer)
            }
            let point = try takePoint()
            if verb == "hover" { return .hover(point) }
            if verb == "scroll" {
                let by = try takeStep()
                return .scroll(point, dx: by.x, dy: by.y)
            }
            try takeWord("scale")
            let scale = try takeNumber("a scale", in: 0.01...100)
            try takeWord("rotate")
            return .transform(point, scale: scale, degrees: try takeNumber("degrees", in: -36_000...36_000))
        case "wheel":
            let point = try takePoint()
            let by = try takeStep()
            return .wheel(point, dx: by.x, dy: by.y)
        default: return .shake
        }
    }

    private mutating func takeName(_ expected: String, of names: [String]) throws(Complaint) -> String {
        let word = String(try take(expected))
        guard names.contains(word) else {
            let near = nearestName(to: word, among: names).map { ", did you mean \($0)?" } ?? ""
            throw Complaint(expected: expected, found: quoted(word) + near)
        }
        return word
    }

    private mutating func takeWhetherDown() throws(Complaint) -> Bool {
        switch try take("down or up") {
        case "down": true
        case "up": false
        case let other: throw Complaint(expected: "down or up", found: quoted(other))
        }
    }

    private mutating func takeWord(_ expected: String) throws(Complaint) {
        let word = try take(expected)
        guard word == expected else { throw Complaint(expected: expected, found: quoted(word)) }
    }

    private mutating func takeNumber(_ expected: String, in range: ClosedRange<Double>) throws(Complaint) -> Double {
        let word = try take(expected)
        guard let number = decimal(word), range.contains(number) else {
            throw Complaint(
                expected: "\(expected) from \(range.lowerBound) to \(range.upperBound)", found: quoted(word))
        }
        return number
    }

    /// `by (dx,dy)`
    private mutating func takeStep() throws(Complaint) -> Point<ScreenSpace> {
        try takeWord("by")
        return try takePoint()
    }

    /// `f1`
    private mutating func takeFinger() throws(Complaint) -> Int {
        let word = try take("a finger")
        guard word.utf8.first == UInt8(ascii: "f"), let number = UInt16(word.afterFirst) else {
            throw Complaint(expected: "a finger as f1", found: quoted(word))
        }
        return Int(number)
    }

    /// `app2`; a bare `app` is the first.
    private mutating func takeApp() throws(Complaint) -> UInt32 {
        let word = try take("an app")
        if word == "app" { return 1 }
        guard word.hasPrefix("app"), let number = UInt32(word.dropFirst(3)), number > 0 else {
            throw Complaint(expected: "an app as app1", found: quoted(word))
        }
        return number
    }

    /// `(187.5,333.5)`: read as written, each to the nearest Double.
    private mutating func takePoint() throws(Complaint) -> Point<ScreenSpace> {
        let word = try take("a point")
        let bytes = word.utf8
        guard bytes.count > 2, bytes.first == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")"),
            let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.lastIndex(of: UInt8(ascii: ",")) == comma,
            let x = decimal(word.afterFirst[..<comma].trimmed),
            let y = decimal(word[bytes.index(after: comma)..<bytes.index(before: bytes.endIndex)].trimmed)
        else { throw Complaint(expected: "a point as (187.5,333.5)", found: quoted(word)) }
        return Point(x, y)
    }

    /// All words up to the time: `0.5`, `(10,20)`, `two words`.
    private mutating func takeValue() throws(Complaint) -> String {
        var value: [Substring] = []
        while next < words.count, words[next].first != "@" {
            value.append(words[next])
            next += 1
        }
        guard !value.isEmpty else { throw Complaint(expected: "a value", found: "nothing") }
        return value.joined(separator: " ")
    }

    /// `@0.080` or `@ 0.080`, in nanoseconds.
    private mutating func takeTime() throws(Complaint) -> Int64 {
        let word = try take("a time as @0.080")
        guard word.utf8.first == UInt8(ascii: "@") else {
            throw Complaint(expected: "a time as @0.080", found: quoted(word))
        }
        return word.utf8.count == 1 ? try takeSeconds() : try Self.nanoseconds(word.afterFirst)
    }

    private mutating func takeSeconds() throws(Complaint) -> Int64 { try Self.nanoseconds(try take("seconds")) }

    private static func nanoseconds(_ word: Substring) throws(Complaint) -> Int64 {
        guard let time = decimalNanoseconds(word), time <= Stroke.timeLimit else {
            throw Complaint(expected: "seconds from 0 to 86400", found: quoted(word))
        }
        return time
    }

    private mutating func takeStroke() throws(Complaint) -> Stroke {
        let finger = try takeFinger()
        let (from, to) = (try takePoint(), try takePoint())
        let (start, end) = (try takeTime(), try takeSeconds())
        guard end > start else { throw Complaint(expected: "a stroke that takes time", found: quoted(words[next - 1])) }
        var step = (numerator: Int64(1_000_000_000), denominator: Int64(60))
        if next < words.count {
            guard try take("step") == "step" else { throw Complaint(expected: "step", found: quoted(words[next - 1])) }
            let word = try take("a step as 1/60")
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let numerator = decimalNanoseconds(parts[0]), numerator > 0,
                numerator <= Stroke.timeLimit,
                let denominator = parts.count == 2 ? Int64(parts[1]) : 1, (1...1_000_000).contains(denominator)
            else { throw Complaint(expected: "a step as 1/60 or 0.016", found: quoted(word)) }
            step = (numerator, denominator)
        }
        return Stroke(finger: finger, from: from, to: to, start: start, end: end, step: step)
    }
}

/// A straight line drawn by one finger, as the lines it stands for, made one at a time.
private struct Stroke {
    var finger: Int
    var from, to: Point<ScreenSpace>
    /// Nanoseconds; the step as a fraction, so that 1/60 s does not drift.
    var start, end: Int64
    var step: (numerator: Int64, denominator: Int64)

    /// A day: enough for any script, and no product of two times overflows.
    static let timeLimit: Int64 = 86_400_000_000_000

    private func offset(_ index: Int64) -> Int64 {
        // numerator ≤ 8.64e13 and the index stays below lineLimit wherever it is used: at most 1.8e19 needs 128 bits.
        let (high, low) = step.numerator.multipliedFullWidth(by: index)
        let (quotient, remainder) = step.denominator.dividingFullWidth((high, low))
        return quotient + (remainder * 2 >= step.denominator ? 1 : 0)
    }

    /// Moves strictly between start and end.
    private var moves: Int64 {
        let (high, low) = step.denominator.multipliedFullWidth(by: end - start)
        // More than the limit is as good as any such number, and its division might not fit.
        guard high == 0, low / UInt64(step.numerator) <= UInt64(FingerScript.lineLimit) else {
            return Int64(FingerScript.lineLimit)
        }
        var count = Int64(low / UInt64(step.numerator))
        while count > 0, start + offset(count) >= end { count -= 1 }
        return count
    }

    /// Down, moves, the last move, up.
    var count: Int { Int(moves) + 3 }

    subscript(index: Int) -> (Int64, FingerScript.Act) {
        if index == 0 { return (start, .down(finger: finger, from)) }
        if index == count - 1 { return (end + offset(1), .up(finger: finger)) }
        if index == count - 2 { return (end, .move(finger: finger, to)) }
        let time = start + offset(Int64(index))
        let share = Double(time - start) / Double(end - start)
        let point = Point<ScreenSpace>(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
        return (time, .move(finger: finger, point))
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }
}

extension Substring {
    /// Without its first byte, which is known to be ASCII.
    fileprivate var afterFirst: Substring { self[utf8.index(after: startIndex)...] }

    fileprivate var trimmed: Substring {
        var (start, end) = (startIndex, endIndex)
        while start < end, utf8[start].isBlank { start = utf8.index(after: start) }
        while start < end, utf8[utf8.index(before: end)].isBlank { end = utf8.index(before: end) }
        return self[start..<end]
    }
}

/// Digits with an optional sign and fraction; no exponents, no `inf`, no `0x`.
private func decimal(_ word: Substring) -> Double? {
    let first = word.utf8.first
    let isNegative = first == UInt8(ascii: "-")
    let digits = isNegative || first == UInt8(ascii: "+") ? word.afterFirst : word
    guard !digits.isEmpty, digits.utf8.count <= 40, digits.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) })
    else { return nil }
    let text = digits.utf8.first == UInt8(ascii: ".") ? "0" + digits : digits
    guard let magnitude = Double(text.utf8.last == UInt8(ascii: ".") ? text.dropLast() : text) else { return nil }
    return isNegative ? -magnitude : magnitude
}

/// Seconds as exact nanoseconds, what is finer rounded.
private func decimalNanoseconds(_ word: Substring) -> Int64? {
    let point = word.utf8.firstIndex(of: UInt8(ascii: "."))
    let whole = word[..<(point ?? word.endIndex)]
    guard whole.utf8.count <= 9, let seconds = whole.isEmpty ? 0 : UInt32(whole) else { return nil }
    var fraction: Int64 = 0
    var scale: Int64 = 1_000_000_000
    var rounding: UInt8 = 0
    if let point {
        let digits = word[word.utf8.index(after: point)...]
        guard !(whole.isEmpty && digits.isEmpty), digits.utf8.count <= 40 else { return nil }
        for byte in digits.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            if scale > 1 {
                scale /= 10
                fraction += Int64(byte - 0x30) * scale
            } else if rounding == 0 {
                rounding = byte
            }
        }
    } else if whole.isEmpty {
        return nil
    }
    return Int64(seconds) * 1_000_000_000 + fraction + (rounding >= 0x35 ? 1 : 0)
}
