// ScriptWords.swift: the words of one line of a finger script, and the acts they express.

import Basics
import HID

/// One line of a script, parsed word by word.
///
/// A point is one word: `(187.5, 333.5)` may contain blanks.
struct ScriptWords: ~Escapable {
    /// The whole script.
    private let text: Span<UInt8>
    /// The ranges of the current line's words in the text.
    private var words: [Range<Int>] = []
    private var next = 0

    static let verbs =
        [
            "down", "move", "up", "cancel", "tap", "stroke", "interrupt", "resume", "launch", "foreground", "home",
            "crash", "lock", "unlock", "set", "remove", "disable", "press", "key", "shake", "remote", "scroll", "wheel",
            "hover", "transform", "scan", "axes", "open",
        ] + ScreenAct.verbs

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    /// Begins a line of the text.
    ///
    /// - Parameter line: The range of the line. It must be inside the text, because the bytes are read without checks.
    mutating func begin(_ line: Range<Int>) throws(Complaint) {
        words.removeAll(keepingCapacity: true)
        next = 0
        precondition(line.lowerBound >= 0 && line.upperBound <= text.count, "a line of another text")
        var (place, end) = (line.lowerBound, line.lowerBound)
        while end < line.upperBound, text[unchecked: end] != UInt8(ascii: "#") { end &+= 1 }
        while place < end {
            let (start, first) = (place, text[place])
            place += 1
            if first == UInt8(ascii: "(") {
                while place < end, text[unchecked: place] != UInt8(ascii: ")") { place &+= 1 }
                guard place < end else {
                    throw Complaint(expected: "a point's closing bracket", found: quotation(start..<end))
                }
                place += 1
            } else if Fields.isBlank(first) {
                continue
            } else {
                while place < end, !Fields.isBlank(text[unchecked: place]),
                    text[unchecked: place] != UInt8(ascii: "(")
                { place &+= 1 }
            }
            words.append(start..<place)
        }
    }

    private mutating func nextWord(expected: String) throws(Complaint) -> Range<Int> {
        guard next < words.count else { throw Complaint(expected: expected, found: "the line's end") }
        defer { next += 1 }
        return words[next]
    }

    private func string(_ range: Range<Int>) -> String {
        text.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    private func quotation(_ range: Range<Int>) -> String { quoted(string(range)) }

    private func isText(_ word: Range<Int>, _ other: StaticString) -> Bool {
        guard word.count == other.utf8CodeUnitCount else { return false }
        return other.withUTF8Buffer { other in
            for place in other.indices where text[word.lowerBound + place] != other[place] { return false }
            return true
        }
    }

    private func first(_ byte: UInt8, in word: Range<Int>) -> Int? {
        for place in word where text[place] == byte { return place }
        return nil
    }

    /// Parses `axes (0,0) (4095,4095)`; nil for any other line.
    mutating func parseAxes() throws(Complaint) -> AxisRanges? {
        guard let first = words.first, isText(first, "axes") else { return nil }
        next = 1
        let (from, to) = (try parsePoint(), try parsePoint())
        func range(_ from: Double, _ to: Double) -> ClosedRange<Int32>? {
            guard let from = Int32(exactly: from), let to = Int32(exactly: to), from < to else { return nil }
            return from...to
        }
        guard let x = range(from.x, to.x), let y = range(from.y, to.y) else {
            throw Complaint(
                expected: "the panel's first and last corner in whole units",
                found: "\(quotation(words[1])) and \(quotation(words[2]))")
        }
        try expectEnd()
        return AxisRanges(x: x, y: y)
    }

    /// Appends the acts of the line: none for a blank line, several for a tap or a stroke.
    mutating func parseLine(number: Int, into lines: inout [FingerScript.Line]) throws(Complaint) {
        guard let first = words.first else { return }
        next = 1
        if let act = try parseFingerAct(first) {
            lines.append(FingerScript.Line(time: .nanoseconds(try parseTime()), act: act, number: number))
            return try expectEnd()
        }
        let verb = string(first)
        func append(_ time: Int64, _ act: FingerScript.Act) {
            lines.append(FingerScript.Line(time: .nanoseconds(time), act: act, number: number))
        }
        switch verb {
        case "tap":
            let (finger, point) = (try parseFinger(), try parsePoint())
            let time = try parseTime()
            append(time, .down(finger: finger, point))
            append(time + 80_000_000, .up(finger: finger))
        case "stroke":
            let stroke = try parseStroke()
            guard lines.count + stroke.count <= FingerScript.lineLimit else {
                throw Complaint(
                    expected: "at most \(FingerScript.lineLimit) steps", found: "\(stroke.count) in one stroke")
            }
            for index in 0..<stroke.count {
                let (time, act) = stroke[index]
                append(time, act)
            }
        default:
            let act = try parseAct(verb)
            append(try parseTime(), act)
        }
        try expectEnd()
    }

    private func expectEnd() throws(Complaint) {
        guard next == words.count else { throw Complaint(expected: "the line's end", found: quotation(words[next])) }
    }

    /// Parses the acts of nearly all lines. No text is made of their verbs.
    ///
    /// - Returns: Nil for another verb.
    private mutating func parseFingerAct(_ verb: Range<Int>) throws(Complaint) -> FingerScript.Act? {
        if isText(verb, "move") { return .move(finger: try parseFinger(), try parsePoint()) }
        if isText(verb, "down") { return .down(finger: try parseFinger(), try parsePoint()) }
        return isText(verb, "up") ? .up(finger: try parseFinger()) : nil
    }

    /// Parses any other act of one line, between its verb and its time.
    private mutating func parseAct(_ verb: String) throws(Complaint) -> FingerScript.Act {
        switch verb {
        case "cancel": return .cancel(finger: try parseFinger())
        case "interrupt": return .interrupt(string(try nextWord(expected: "what interrupts")))
        case "scan": return .scan
        case "resume": return .resume
        case "launch": return .launch(app: try parseApp())
        case "foreground": return .foreground(app: try parseApp())
        case "split", "overlay", "suspend", "terminate", "alert", "keyboard", "display", "orientation":
            return .screen(try parseScreenAct(verb))
        case "home": return .home
        case "open": return .open(string(try nextWord(expected: "a URL")))
        case "crash": return .crash(app: try parseApp())
        case "lock": return .lock
        case "unlock": return .unlock
        case "set": return try parseSet()
        case "remove": return .remove(string(try nextWord(expected: "a name")))
        case "disable": return .disable(string(try nextWord(expected: "a recognizer's name")))
        case "press", "key", "shake", "remote", "scroll", "wheel", "hover", "transform":
            return .device(try parseDeviceAct(verb))
        default:
            let near = nearestName(to: verb, among: Self.verbs).map { ", did you mean \($0)?" } ?? ""
            throw Complaint(expected: "down, move, up, tap, stroke or another act", found: quoted(verb) + near)
        }
    }

    private mutating func parseSet() throws(Complaint) -> FingerScript.Act {
        let target = try nextWord(expected: "name.property")
        var dot = target.upperBound - 1
        while dot > target.lowerBound, text[dot] != UInt8(ascii: ".") { dot -= 1 }
        guard dot > target.lowerBound, dot + 1 < target.upperBound else {
            throw Complaint(expected: "name.property", found: quotation(target))
        }
        return .set(
            name: string(target.lowerBound..<dot), property: string(dot + 1..<target.upperBound),
            value: try parseValue())
    }

    /// Parses a screen act, after the verb and up to the time.
    private mutating func parseScreenAct(_ verb: String) throws(Complaint) -> ScreenAct {
        switch verb {
        case "split": return .split(app: try parseApp(), with: try parseApp())
        case "overlay":
            let (app, corner, size) = (try parseApp(), try parsePoint(), try parsePoint())
            guard size.x > 0, size.y > 0 else {
                throw Complaint(expected: "a size as (320,480)", found: quotation(words[next - 1]))
            }
            return .overlay(app: app, Rect(x: corner.x, y: corner.y, width: size.x, height: size.y))
        case "suspend": return .suspend(app: try parseApp())
        case "terminate": return .terminate(app: try parseApp())
        case "keyboard": return .keyboard(try parseNumber("points", in: 0...10_000))
        case "display":
            switch string(try nextWord(expected: "on or off")) {
            case "on": return .display(isOn: true)
            case "off": return .display(isOn: false)
            case let other: throw Complaint(expected: "on or off", found: quoted(other))
            }
        case "orientation":
            let app = try parseApp()
            let name = try parseName("an orientation", of: InterfaceOrientation.allCases.map(\.description))
            guard let orientation = InterfaceOrientation(name: name) else {
                preconditionFailure("\(name) was just found")
            }
            return .orientation(app: app, orientation)
        default: return .alert
        }
    }

    /// Parses a device act, after the verb and up to the time.
    private mutating func parseDeviceAct(_ verb: String) throws(Complaint) -> DeviceAct {
        switch verb {
        case "press":
            let name = try parseName("a button", of: HIDUsage.pressed.map(\.name))
            return .press(name, isDown: try parseIsDown())
        case "key":
            let name = try parseName("a key", of: HIDUsage.keys.map(\.name))
            return .key(name, isDown: try parseIsDown())
        case "remote":
            let name = try parseName("a command", of: RemoteCommand.allCases.map { "\($0)" })
            guard let command = RemoteCommand(name: name) else { preconditionFailure("\(name) was just found") }
            return .remote(command)
        case "scroll", "hover", "transform":
            if next < words.count, isText(words[next], "end"), let pointer = DeviceAct.Pointer(rawValue: verb) {
                next += 1
                return .end(pointer)
            }
            let point = try parsePoint()
            if verb == "hover" { return .hover(point) }
            if verb == "scroll" {
                let by = try parseStep()
                return .scroll(point, dx: by.x, dy: by.y)
            }
            try expectWord("scale")
            let scale = try parseNumber("a scale", in: 0.01...100)
            try expectWord("rotate")
            return .transform(point, scale: scale, degrees: try parseNumber("degrees", in: -36_000...36_000))
        case "wheel":
            let point = try parsePoint()
            let by = try parseStep()
            return .wheel(point, dx: by.x, dy: by.y)
        default: return .shake
        }
    }

    private mutating func parseName(_ expected: String, of names: [String]) throws(Complaint) -> String {
        let word = string(try nextWord(expected: expected))
        guard names.contains(word) else {
            let near = nearestName(to: word, among: names).map { ", did you mean \($0)?" } ?? ""
            throw Complaint(expected: expected, found: quoted(word) + near)
        }
        return word
    }

    private mutating func parseIsDown() throws(Complaint) -> Bool {
        switch string(try nextWord(expected: "down or up")) {
        case "down": true
        case "up": false
        case let other: throw Complaint(expected: "down or up", found: quoted(other))
        }
    }

    private mutating func expectWord(_ expected: String) throws(Complaint) {
        let word = string(try nextWord(expected: expected))
        guard word == expected else { throw Complaint(expected: expected, found: quoted(word)) }
    }

    private mutating func parseNumber(_ expected: String, in range: ClosedRange<Double>) throws(Complaint) -> Double {
        let word = try nextWord(expected: expected)
        guard let number = decimal(word), range.contains(number) else {
            throw Complaint(
                expected: "\(expected) from \(range.lowerBound) to \(range.upperBound)", found: quotation(word))
        }
        return number
    }

    /// Parses `by (dx,dy)`.
    private mutating func parseStep() throws(Complaint) -> Point<ScreenSpace> {
        try expectWord("by")
        return try parsePoint()
    }

    /// Parses `f1`.
    private mutating func parseFinger() throws(Complaint) -> Int {
        let word = try nextWord(expected: "a finger")
        guard text[word.lowerBound] == UInt8(ascii: "f"), word.count > 1, let number = whole(word.dropFirst()),
            number <= UInt16.max
        else { throw Complaint(expected: "a finger as f1", found: quotation(word)) }
        return Int(number)
    }

    /// Parses `app2`; `app` alone is the first app.
    private mutating func parseApp() throws(Complaint) -> UInt32 {
        let word = string(try nextWord(expected: "an app"))
        if word == "app" { return 1 }
        guard word.hasPrefix("app"), let number = UInt32(word.dropFirst(3)), number > 0 else {
            throw Complaint(expected: "an app as app1", found: quoted(word))
        }
        return number
    }

    /// Parses `(187.5,333.5)`, each number to the nearest Double.
    private mutating func parsePoint() throws(Complaint) -> Point<ScreenSpace> {
        let word = try nextWord(expected: "a point")
        guard word.count > 2, text[word.lowerBound] == UInt8(ascii: "("),
            text[word.upperBound - 1] == UInt8(ascii: ")"), let comma = first(UInt8(ascii: ","), in: word),
            let x = decimal(trimmed(word.lowerBound + 1..<comma)),
            let y = decimal(trimmed(comma + 1..<word.upperBound - 1))
        else { throw Complaint(expected: "a point as (187.5,333.5)", found: quotation(word)) }
        return Point(x, y)
    }

    private func trimmed(_ word: Range<Int>) -> Range<Int> {
        var (start, end) = (word.lowerBound, word.upperBound)
        while start < end, Fields.isBlank(text[start]) { start += 1 }
        while start < end, Fields.isBlank(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// All words up to the time: `0.5`, `(10,20)`, `two words`.
    private mutating func parseValue() throws(Complaint) -> String {
        var value: [String] = []
        while next < words.count, text[words[next].lowerBound] != UInt8(ascii: "@") {
            value.append(string(words[next]))
            next += 1
        }
        guard !value.isEmpty else { throw Complaint(expected: "a value", found: "nothing") }
        return value.joined(separator: " ")
    }

    /// Parses `@0.080` or `@ 0.080` as nanoseconds.
    private mutating func parseTime() throws(Complaint) -> Int64 {
        let word = try nextWord(expected: "a time as @0.080")
        guard text[word.lowerBound] == UInt8(ascii: "@") else {
            throw Complaint(expected: "a time as @0.080", found: quotation(word))
        }
        return word.count == 1 ? try parseSeconds() : try time(word.dropFirst())
    }

    private mutating func parseSeconds() throws(Complaint) -> Int64 { try time(try nextWord(expected: "seconds")) }

    private func time(_ word: Range<Int>) throws(Complaint) -> Int64 {
        guard let time = nanoseconds(word), time <= Stroke.timeLimit else {
            throw Complaint(expected: "seconds from 0 to 86400", found: quotation(word))
        }
        return time
    }

    private mutating func parseStroke() throws(Complaint) -> Stroke {
        let finger = try parseFinger()
        let (from, to) = (try parsePoint(), try parsePoint())
        let (start, end) = (try parseTime(), try parseSeconds())
        guard end > start else {
            throw Complaint(expected: "a stroke that takes time", found: quotation(words[next - 1]))
        }
        var step = (numerator: Int64(1_000_000_000), denominator: Int64(60))
        if next < words.count {
            try expectWord("step")
            let word = try nextWord(expected: "a step as 1/60")
            let slash = first(UInt8(ascii: "/"), in: word)
            guard let numerator = nanoseconds(word.lowerBound..<(slash ?? word.upperBound)), numerator > 0,
                numerator <= Stroke.timeLimit,
                let denominator = slash.map({ Int64(string($0 + 1..<word.upperBound)) }) ?? 1,
                (1...1_000_000).contains(denominator)
            else { throw Complaint(expected: "a step as 1/60 or 0.016", found: quotation(word)) }
            step = (numerator, denominator)
        }
        return Stroke(finger: finger, from: from, to: to, start: start, end: end, step: step)
    }

    // MARK: Numbers

    /// Parses digits with an optional sign, fraction and decimal exponent, as Swift writes numbers; no `inf`, no `0x`.
    private func decimal(_ word: Range<Int>) -> Double? {
        guard let first = word.first else { return nil }
        let isNegative = text[first] == UInt8(ascii: "-")
        let digits = isNegative || text[first] == UInt8(ascii: "+") ? word.dropFirst() : word
        guard !digits.isEmpty, digits.count <= 40 else { return nil }
        var (number, divisor) = (Int64(0), 1.0)
        var point: Int?
        for place in digits {
            if text[place] == UInt8(ascii: "."), point == nil {
                point = place
                continue
            }
            guard let digit = digit(place) else { return scientific(digits).map { isNegative ? -$0 : $0 } }
            number = number &* 10 &+ digit
            if point != nil { divisor *= 10 }
        }
        guard digits.count > (point == nil ? 0 : 1) else { return nil }
        // With up to fifteen digits both numbers are exact, so the quotient is rounded once: to the nearest.
        guard digits.count > 15 else { return Double(number) / divisor * (isNegative ? -1 : 1) }
        var long = string(digits)
        if point == digits.lowerBound { long = "0" + long }
        if point == digits.upperBound - 1 { long.removeLast() }
        return Double(long).map { isNegative ? -$0 : $0 }
    }

    /// Parses `1.5e-05`.
    private func scientific(_ digits: Range<Int>) -> Double? {
        // `Double` also reads names, hexadecimal digits and a second sign.
        guard let first = digits.first, digit(first) != nil,
            digits.allSatisfy({ digit($0) != nil || "eE.+-".utf8.contains(text[$0]) }),
            let number = Double(string(digits)), number.isFinite
        else { return nil }
        return number
    }

    /// Parses seconds as exact nanoseconds; finer digits are rounded.
    private func nanoseconds(_ word: Range<Int>) -> Int64? {
        let point = first(UInt8(ascii: "."), in: word) ?? word.upperBound
        let (whole, fraction) = (word.lowerBound..<point, min(point + 1, word.upperBound)..<word.upperBound)
        guard fraction.count <= 40, !(whole.isEmpty && fraction.isEmpty) else { return nil }
        guard let seconds = self.whole(whole) else { return nil }
        var (rest, scale) = (Int64(0), Int64(1_000_000_000))
        var rounding: Int64?
        for place in fraction {
            guard let digit = digit(place) else { return nil }
            if scale > 1 {
                scale /= 10
                rest += digit * scale
            } else if rounding == nil {
                rounding = digit
            }
        }
        return seconds * 1_000_000_000 + rest + (rounding ?? 0 >= 5 ? 1 : 0)
    }

    /// Parses up to nine digits; 0 without digits, nil for more.
    private func whole(_ word: Range<Int>) -> Int64? {
        guard word.count <= 9 else { return nil }
        var number: Int64 = 0
        for place in word {
            guard let digit = digit(place) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private func digit(_ place: Int) -> Int64? {
        let digit = text[place] &- 0x30
        return digit < 10 ? Int64(digit) : nil
    }
}

/// A straight line of one finger, as the acts that it stands for, made one at a time.
private struct Stroke {
    var finger: Int
    var from, to: Point<ScreenSpace>
    /// Nanoseconds; the step is a fraction, so that 1/60 s does not drift.
    var start, end: Int64
    var step: (numerator: Int64, denominator: Int64)

    /// A day: enough for any script, and no product of two times overflows.
    static let timeLimit: Int64 = 86_400_000_000_000

    private func offset(_ index: Int64) -> Int64 {
        // numerator ≤ 8.64e13 and the index stays below lineLimit: at most 1.8e19 needs 128 bits.
        let (high, low) = step.numerator.multipliedFullWidth(by: index)
        let (quotient, remainder) = step.denominator.dividingFullWidth((high, low))
        return quotient + (remainder * 2 >= step.denominator ? 1 : 0)
    }

    /// The moves strictly between start and end.
    private var moves: Int64 {
        let (high, low) = step.denominator.multipliedFullWidth(by: end - start)
        // Any number above the limit has the same effect, and its division might overflow.
        guard high == 0, low / UInt64(step.numerator) <= UInt64(FingerScript.lineLimit) else {
            return Int64(FingerScript.lineLimit)
        }
        var count = Int64(low / UInt64(step.numerator))
        while count > 0, start + offset(count) >= end { count -= 1 }
        return count
    }

    /// The number of acts: down, moves, the last move, up.
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

extension Range<Int> {
    fileprivate func dropFirst() -> Range<Int> { lowerBound + 1..<upperBound }
}
