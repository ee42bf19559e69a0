// FingerScript.swift: a script of fingers, people and systems, and the only parser of its text.
//
// Station   device
// Input     a file, a scenario, or `touchline replay`
// Output    InputKitCore (the fingers), Scenarios (everything else)
// Knows     names as words. Not their meaning.
//
// Sources   documented  Docs/Spec/Semantics.md section 0.4, Docs/Spec/Scenarios.md; invented: axes, scan

public import Basics
public import HID

/// The acts of a script, in order of time.
///
///     down f1 (187.5,333.5) @0.000            interrupt call @t      set Y.hidden true @t
///     move f1 (x,y) @t                        resume @t              remove Y @t
///     up f1 @t                                launch app2 @t         disable R.pan @t
///     cancel f1 @t                            foreground app2 @t
///     tap f1 (x,y) @t                         home @t
///     stroke f1 (x0,y0) (x1,y1) @t0 t1 step 1/60                     crash app @t     lock @t     unlock @t
///     press menu down @t                      key a down @t          scroll (x,y) by (dx,dy) @t       scroll end @t
///     press menu up @t                        key a up @t            hover (x,y) @t                   hover end @t
///     shake @t                                remote play @t         transform (x,y) scale s rotate deg @t
///     wheel (x,y) by (dx,dy) @t                                      transform end @t
///     split app1 app2 @t                      overlay app2 (x,y) (width,height) @t                    alert @t
///     suspend app2 @t                         terminate app2 @t      keyboard 216 @t                  display off @t
///     orientation app1 landscapeLeft @t       open touchline-demo://hello @t
///     axes (x0,y0) (x1,y1)                    scan @t
///
/// A point is in screen points, a time in seconds. `#` begins a comment. A tap is a down and, 0.080 s later, an up. A
/// stroke is a down at t0 and an up one step after t1. Between them it moves on the straight line at every step before
/// t1, and to the end point at t1. Consecutive lines with the same time form one frame with several fingers. The first
/// scroll, hover or transform begins it, further ones change it, `end` ends it. Scale and rotation count from its
/// beginning. A wheel's notch and a shake begin and end at once.
///
/// With `axes` before all acts, points are in a panel's own units, from its first corner to its last. A recording that
/// is converted to a script uses them, so that its positions stay exact. A `scan` begins a frame where nothing else
/// would. It allows two frames at one time, and a frame without any change.
public struct FingerScript: Hashable, Sendable {
    /// One act of a script.
    public enum Act: Hashable, Sendable {
        case down(finger: Int, Point<ScreenSpace>)
        case move(finger: Int, Point<ScreenSpace>)
        case up(finger: Int)
        /// The system cancels the touch.
        case cancel(finger: Int)
        /// The panel reports: the following acts with this time form a separate frame.
        case scan

        /// A call or an alert, by its word.
        case interrupt(String)
        case resume
        case launch(app: UInt32)
        case foreground(app: UInt32)
        case home
        case crash(app: UInt32)
        case lock
        case unlock
        /// Scenes beside and over each other.
        case screen(ScreenAct)
        /// Opens a URL with the app of its scheme.
        case open(String)
        /// `set Y.hidden true`: sets a property of a view or window, by its scenario name; the value as it is written.
        case set(name: String, property: String, value: String)
        case remove(String)
        /// `disable R.pan`: disables a recognizer.
        case disable(String)
        /// A key, a shake, a pointer: an input of another device than the panel.
        case device(DeviceAct)

        /// Whether a panel could report this act: a finger's, or a scan.
        public var isFinger: Bool {
            switch self {
            case .down, .move, .up, .cancel, .scan: true
            case .interrupt, .resume, .launch, .foreground, .home, .crash, .lock, .unlock, .screen, .open, .set,
                .remove, .disable, .device:
                false
            }
        }

        /// Whether input-kit plays this act: an input of a panel or another device.
        public var isInput: Bool {
            if case .device = self { true } else { isFinger }
        }
    }

    /// One act with its time.
    public struct Line: Hashable, Sendable {
        /// The time since the script's zero.
        public var time: Duration
        public var act: Act
        /// The line number in the text, from 1. The acts of one tap or stroke share it.
        public var number: Int

        public init(time: Duration, act: Act, number: Int) { (self.time, self.act, self.number) = (time, act, number) }
    }

    /// Sorted by time; lines with the same time are in the order of the text.
    public private(set) var lines: [Line]
    /// The axes of the panel that the points refer to; nil for points of the screen.
    public private(set) var axes: AxisRanges?

    /// Limits on the bytes of text, and on the lines after taps and strokes are expanded.
    public static let textLimit = 1 << 20
    public static let lineLimit = 200_000
    /// The latest time: a day.
    public static let timeLimit = Duration.seconds(86_400)

    /// A script without lines.
    public init() { lines = [] }

    /// Parses a whole script.
    ///
    /// - Parameters:
    ///   - text: Lines as documented for this type; blank lines and comments are skipped.
    ///   - file: The name of the file in errors.
    ///   - firstLine: The number of the text's first line, for scripts inside a larger file.
    /// - Throws: `RecordingError` for a line that cannot be parsed, and for a finger that goes down twice or moves
    ///   while it is up.
    public init(parsing text: String, file: String = "script", firstLine: Int = 1) throws(RecordingError) {
        guard text.utf8.count <= Self.textLimit else {
            throw RecordingError(
                file: file, line: 0, expected: "at most \(Self.textLimit) bytes of script",
                found: "\(text.utf8.count)")
        }
        var lines: [Line] = []
        var number = firstLine
        let utf8 = text.utf8
        let bytes = utf8.span
        // Most lines move a finger. Shorter ones enlarge the list once.
        lines.reserveCapacity(bytes.count / 32 + 1)
        var words = ScriptWords(bytes)
        var next = 0
        while next <= bytes.count {
            // Not by Character: in Swift "\r\n" is a single Character and not equal to "\n".
            let start = next
            while next < bytes.count, bytes[unchecked: next] != UInt8(ascii: "\n") { next &+= 1 }
            let line = start..<next
            next += 1
            do throws(Complaint) {
                try words.begin(line)
                if let axes = try words.parseAxes() {
                    guard self.axes == nil, lines.isEmpty else {
                        throw Complaint(expected: "axes once, ahead of all acts", found: "them here")
                    }
                    self.axes = axes
                    number += 1
                    continue
                }
                try words.parseLine(number: number, into: &lines)
                guard lines.count <= Self.lineLimit else {
                    throw Complaint(expected: "at most \(Self.lineLimit) steps", found: "more")
                }
            } catch { throw error.at(file, number) }
            number += 1
        }
        self.lines = lines.byTime
        try checkFingers(file: file)
    }

    /// The script without the acts that no device reports.
    public var inputs: FingerScript {
        var script = self
        script.lines.removeAll { !$0.act.isInput }
        return script
    }

    /// The time of the last act.
    public var duration: Duration { lines.last?.time ?? .zero }

    /// Checks that every finger goes down before it moves and lifts before it goes down again.
    private func checkFingers(file: String) throws(RecordingError) {
        var down: [Int] = []
        for line in lines {
            func complain(_ expected: String, _ found: String) -> RecordingError {
                RecordingError(file: file, line: line.number, expected: expected, found: found)
            }
            switch line.act {
            case .down(let finger, _):
                guard !down.contains(finger) else {
                    throw complain("f\(finger) to lift before it lands again", "a second down")
                }
                guard down.count < HIDEvent.fingerLimit else {
                    throw complain("at most \(HIDEvent.fingerLimit) fingers down at once", "one more")
                }
                down.append(finger)
            case .move(let finger, _):
                guard down.contains(finger) else { throw complain("f\(finger) to be down", "a move in the air") }
            case .up(let finger), .cancel(let finger):
                guard let index = down.firstIndex(of: finger) else {
                    throw complain("f\(finger) to be down", "an end without a beginning")
                }
                down.remove(at: index)
            case .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .lock, .unlock, .screen, .open,
                .set, .remove, .disable, .device:
                break
            }
        }
    }
}

extension [FingerScript.Line] {
    /// The lines sorted by time; lines with the same time keep their order.
    public var byTime: [FingerScript.Line] {
        // Most scripts are sorted already. A closure would get a copy of each line.
        var sortedCount = Swift.min(1, count)
        while sortedCount < count, self[sortedCount - 1].time <= self[sortedCount].time { sortedCount += 1 }
        if sortedCount == count { return self }
        return indices.sorted { (self[$0].time, $0) < (self[$1].time, $1) }.map { self[$0] }
    }
}

// MARK: Text

extension FingerScript: CustomStringConvertible {
    /// The script as text, with taps and strokes expanded. It parses to the same lines, except for their numbers.
    public var description: String {
        let heading = axes.map {
            "axes (\($0.x.lowerBound),\($0.y.lowerBound)) (\($0.x.upperBound),\($0.y.upperBound))\n"
        }
        return (heading ?? "") + lines.text
    }
}

extension [FingerScript.Line] {
    /// The lines as in a file, each with its line break.
    public var text: String {
        var bytes: [UInt8] = []
        for line in self {
            line.write(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FingerScript.Line: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate func write(into bytes: inout [UInt8]) {
        switch act {
        // Nearly all lines are these: a recording has thousands of them.
        case .down(let finger, let point): write("down f", finger, point, into: &bytes)
        case .move(let finger, let point): write("move f", finger, point, into: &bytes)
        case .up(let finger):
            bytes.append("up f")
            bytes.append(decimal: finger)
        case .device(let act): act.write(into: &bytes)
        default: bytes.append(text: "\(act)")
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(time: time)
    }

    private func write(_ verb: StaticString, _ finger: Int, _ point: Point<ScreenSpace>, into bytes: inout [UInt8]) {
        bytes.append(verb)
        bytes.append(decimal: finger)
        bytes.append(UInt8(ascii: " "))
        bytes.append(point: point)
    }
}

extension FingerScript {
    /// Returns a time as a line of a script has it, `@0.080000000`.
    public static func text(ofTime time: Duration) -> String {
        var bytes: [UInt8] = []
        bytes.append(time: time)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func append(time: Duration) {
        let nanoseconds = time.nanoseconds
        append(UInt8(ascii: "@"))
        append(decimal: nanoseconds / 1_000_000_000)
        append(UInt8(ascii: "."))
        append(decimal: nanoseconds % 1_000_000_000, width: 9)
    }

    /// Appends a point as a script has it, `(187.5,333.5)`.
    mutating func append(point: Point<ScreenSpace>) {
        append(UInt8(ascii: "("))
        append(number: point.x)
        append(UInt8(ascii: ","))
        append(number: point.y)
        append(UInt8(ascii: ")"))
    }

    /// Appends the shortest text that reads back to the same number, as Swift does.
    ///
    /// Most positions are multiples of 1/64 below a million; for these the text is the digits up to the last that is
    /// not zero.
    mutating func append(number: Double) {
        guard number.sign == .plus, number < 1_000_000 else { return append(text: "\(number)") }
        let sixtyFourths = Int64(number * 64)
        guard Double(sixtyFourths) == number * 64 else { return append(text: "\(number)") }
        append(wholeSixtyFourths: sixtyFourths)
        if sixtyFourths % 64 == 0 { append(".0") }
    }
}

extension FingerScript.Act: CustomStringConvertible {
    public var description: String {
        switch self {
        case .down(let finger, let point): "down f\(finger) (\(point.x),\(point.y))"
        case .move(let finger, let point): "move f\(finger) (\(point.x),\(point.y))"
        case .up(let finger): "up f\(finger)"
        case .cancel(let finger): "cancel f\(finger)"
        case .scan: "scan"
        case .interrupt(let what): "interrupt \(what)"
        case .resume: "resume"
        case .launch(let app): "launch app\(app)"
        case .foreground(let app): "foreground app\(app)"
        case .home: "home"
        case .crash(let app): "crash app\(app)"
        case .lock: "lock"
        case .unlock: "unlock"
        case .screen(let act): "\(act)"
        case .open(let url): "open \(url)"
        case .set(let name, let property, let value): "set \(name).\(property) \(value)"
        case .remove(let name): "remove \(name)"
        case .disable(let name): "disable \(name)"
        case .device(let act): "\(act)"
        }
    }
}

// MARK: Frames

extension FingerScript {
    /// The panel of a script: normalized 16.16 positions without conversion, so that nothing is rounded twice.
    public static let ranges = AxisRanges(x: 0...65536, y: 0...65536)

    /// The ranges of this script's frames.
    public var panelRanges: AxisRanges { axes ?? Self.ranges }

    /// One report of a device.
    public enum Report: Hashable, Sendable {
        case contacts(ContactFrame)
        case device(time: Duration, DeviceInput<DigitizerSpace>)

        public var time: Duration {
            switch self {
            case .contacts(let frame): frame.time
            case .device(let time, _): time
            }
        }
    }

    /// The reports of a phone's devices: from the panel, one frame per time.
    ///
    /// A frame contains every finger that is down; unchanged fingers are stationary. A finger with two acts at one time
    /// needs two frames, except that it may lift and go down in one. An act of no finger separates the lines around it.
    /// So does a scan, which is a frame of its own without a following finger.
    ///
    /// - Parameter screen: The screen of the points. For a script with axes, only the sizes of pointers use it.
    /// - Returns: The reports in order, frames in `panelRanges`. Fingers that are down at the end stay down. Each
    ///   change of a scroll, hover or transform has the phase `began`; HeldInputs corrects that.
    public func reports(on screen: ScreenGeometry) -> [Report] {
        var reports: [Report] = []
        let panel = ScriptPanel(screen: screen, axes: axes)
        var assembly = ScriptAssembly()
        func closeFrame() {
            if let frame = assembly.closeFrame() { reports.append(.contacts(frame)) }
        }
        for (index, line) in lines.enumerated() {
            let follows = index > 0 && lines[index - 1].time == line.time && lines[index - 1].act.isFinger
            if !follows || !assembly.canAppend(line.act) { closeFrame() }
            assembly.append(line, on: panel)
            if case .device(let act) = line.act {
                for input in act.inputs(on: panel) { reports.append(.device(time: line.time, input)) }
            }
        }
        closeFrame()
        return reports
    }
}

/// The space of a script's points: the screen, or a panel with its own units.
package struct ScriptPanel: Sendable {
    let screen: ScreenGeometry
    let axes: AxisRanges?

    package init(screen: ScreenGeometry, axes: AxisRanges? = nil) { (self.screen, self.axes) = (screen, axes) }

    /// The position in the script's `panelRanges`.
    func position(_ point: Point<ScreenSpace>) -> (x: Int32, y: Int32) {
        guard axes != nil else {
            let position = screen.panelPosition(point)
            return (position.x.rawValue, position.y.rawValue)
        }
        return (Int32(clamping: Int64(clamping: point.x)), Int32(clamping: Int64(clamping: point.y)))
    }

    /// The position on the panel, 0...1.
    func panelPosition(_ point: Point<ScreenSpace>) -> Point<DigitizerSpace> {
        guard let axes else { return screen.panelPosition(point) }
        let (x, y) = position(point)
        return axes.panelPosition(x, y)
    }
}

/// A frame under construction, and the fingers that were down before it.
///
///     canAppend? ──no──▶ closeFrame ─▶ append ─▶ … ─▶ closeFrame
package struct ScriptAssembly: Sendable {
    private struct Finger {
        var number: Int
        var id: Int64
        var x, y: Int32
        var phase: DeviceContact.Phase
    }
    /// In order of touch-down; a finger that lifts and goes down in one frame is here twice.
    private var fingers: [Finger] = []
    private var time: Duration?
    private var landingCount: Int64 = 0

    package init() {}

    /// The numbers of the fingers that are down, in order of touch-down.
    package var fingersDown: [Int] { fingers.map(\.number) }

    private func index(of number: Int) -> Int? { fingers.lastIndex { $0.number == number } }

    /// Whether the act can be part of the frame under construction. Otherwise the frame has to be closed first.
    package func canAppend(_ act: FingerScript.Act) -> Bool {
        func phase(_ number: Int) -> DeviceContact.Phase? { index(of: number).map { fingers[$0].phase } }
        return switch act {
        case .down(let number, _):
            fingers.count < HIDEvent.fingerLimit && (phase(number).map { $0 == .ended || $0 == .cancelled } ?? true)
        case .move(let number, _), .up(let number), .cancel(let number): phase(number) == .stationary
        case .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .lock, .unlock, .screen, .open, .set,
            .remove, .disable, .device:
            false
        }
    }

    /// Adds an act to the frame. An act of no finger changes nothing.
    package mutating func append(_ line: FingerScript.Line, on panel: ScriptPanel) {
        switch line.act {
        case .down(let number, let point):
            let (x, y) = panel.position(point)
            fingers.append(Finger(number: number, id: landingCount, x: x, y: y, phase: .began))
            landingCount += 1
        case .move(let number, let point):
            guard let index = index(of: number) else { return }
            let (x, y) = panel.position(point)
            (fingers[index].x, fingers[index].y, fingers[index].phase) = (x, y, .moved)
        case .up(let number):
            guard let index = index(of: number) else { return }
            fingers[index].phase = .ended
        case .cancel(let number):
            guard let index = index(of: number) else { return }
            fingers[index].phase = .cancelled
        case .scan: break
        case .interrupt, .resume, .launch, .foreground, .home, .crash, .lock, .unlock, .screen, .open, .set, .remove,
            .disable, .device:
            return
        }
        time = line.time
    }

    /// Ends the frame.
    ///
    /// - Returns: The frame; nil if no finger has acted.
    package mutating func closeFrame() -> ContactFrame? {
        guard let time else { return nil }
        let frame = ContactFrame(
            time: time, contacts: fingers.map { DeviceContact(id: $0.id, phase: $0.phase, x: $0.x, y: $0.y) })
        fingers.removeAll { $0.phase == .ended || $0.phase == .cancelled }
        for index in fingers.indices { fingers[index].phase = .stationary }
        self.time = nil
        return frame
    }
}
