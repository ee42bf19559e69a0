// OrderFields.swift: the fields of messages between a supervisor, its children and its controllers.
//
// Input     Message.encode and Message.init, through a FieldCoder
// Output    the order, the widths and the limits of the fields, under their names in Docs/Reference/Wire.md
//
// Sources   invented

import Basics
import HID

extension LinkMessage: FieldCodable {
    private var parts: (word: UInt8, oldest: SequenceNumber, missed: UInt64) {
        switch self {
        case .probe: (0, 0, 0)
        case .received(let oldest, let missed): (1, oldest, missed)
        }
    }

    package init<Coder: FieldCoder>(coding value: LinkMessage?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let word = try coder.field(parts?.word, "word: 0 probe, 1 answer")
        let oldest = try coder.field(parts?.oldest, "answer: the first frame without an answer, 0 none")
        let missed = try coder.field(parts?.missed, "answer: frames that were missed")
        switch (word, oldest, missed) {
        case (0, 0, 0): self = .probe
        case (1, _, _): self = .received(oldest: oldest, missed: missed)
        default: throw coder.failure(.badValue("link word", UInt64(word)))
        }
    }
}

extension Peer: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Peer?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            try coder.field(
                value?.role, "role: 0 supervisor, 1 input-kit, 2 system-server, 3 app, 4 controller", as: "role"),
            try coder.field(value?.instance, "instance"))
    }
}

extension StrikeReport: FieldCodable {
    package init<Coder: FieldCoder>(coding value: StrikeReport?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            peer: try coder.field(value?.peer), generation: try coder.field(value?.generation, "generation"),
            strikes: try coder.field(value?.strikes, "strikes"),
            reason: try coder.field(value?.reason, "reason", as: "reason"))
    }
}

extension Stall: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Stall?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            app: try coder.field(value?.app, "app"), generation: try coder.field(value?.generation, "generation"),
            episode: try coder.field(value?.episode, "episode"),
            hop: try coder.field(value?.hop, "hop: 0 the link, 1 the app's main loop", as: "hop"),
            frame: try coder.field(value?.frame, "first unanswered frame"),
            since: try coder.field(value?.since, "since, ns"),
            unanswered: try coder.field(value?.unanswered, "scans unanswered"),
            waiting: try coder.field(value?.waiting, "frames waiting"),
            touches: try coder.field(value?.touches, "touches lost"))
        let lasted = try coder.field(value.map { $0.lasted?.nanoseconds ?? -1 }, "lasted, ns; -1 while it does")
        try coder.require(lasted >= -1, else: .badValue("length of a stall", UInt64(bitPattern: lasted)))
        self.lasted = lasted < 0 ? nil : .nanoseconds(lasted)
    }
}

extension Overrun: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Overrun?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            app: try coder.field(value?.app, "app"), generation: try coder.field(value?.generation, "generation"),
            change: try coder.field(value?.change, "moment", as: "life cycle"),
            limit: .nanoseconds(try coder.field(value?.limit.nanoseconds, "limit, ns")))
    }
}

extension LaunchOrder: FieldCodable {
    package init<Coder: FieldCoder>(coding value: LaunchOrder?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            peer: try coder.field(value?.peer), epoch: try coder.field(value?.epoch, "epoch"),
            generation: try coder.field(value?.generation, "generation"),
            runDirectory: try coder.field(value?.runDirectory, "run directory", as: "run directory"),
            settings: try coder.list(value?.settings, "settings", of: "settings", size: 8, limit: 4096))
        let name: StaticString = "is launched with a URL: the URL follows"
        guard try coder.field(value.map { $0.openRequest != nil }, name, as: "is launched with a URL") else { return }
        openRequest = try coder.field(value?.openRequest)
    }
}

extension Setting: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Setting?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            key: try coder.field(value?.key, "each: key", as: "key"),
            value: try coder.field(value?.value, "each: value", as: "value"))
    }
}

extension RosterEntry: FieldCodable {
    static let size = 50

    package init<Coder: FieldCoder>(coding value: RosterEntry?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            peer: try coder.field(value?.peer), pid: try coder.field(value?.pid, "pid"),
            uid: try coder.field(value?.uid, "uid"), generation: try coder.field(value?.generation, "generation"),
            isReady: try coder.field(value?.isReady, "ready", as: "ready"),
            seal: Seal(
                try coder.field(value?.seal.first, "seal, SHA-256 of its pass"),
                try coder.field(value?.seal.second, "seal"), try coder.field(value?.seal.third, "seal"),
                try coder.field(value?.seal.fourth, "seal")))
    }
}

extension SystemAct: FieldCodable {
    private struct Parts {
        var act: UInt8
        var app: AppID = 0
        var other: AppID = 0
        var frame: Rect<DisplaySpace>?
        var height: Fixed?
        var isOn: Bool?
        var orientation: InterfaceOrientation?
    }

    private var parts: Parts {
        switch self {
        case .interrupt: Parts(act: 0)
        case .resume: Parts(act: 1)
        case .home: Parts(act: 2)
        case .foreground(let app): Parts(act: 3, app: app)
        case .lock: Parts(act: 4)
        case .unlock: Parts(act: 5)
        case .split(let app, let other): Parts(act: 6, app: app, other: other)
        case .overlay(let app, let frame): Parts(act: 7, app: app, frame: frame)
        case .suspend(let app): Parts(act: 8, app: app)
        case .terminate(let app): Parts(act: 9, app: app)
        case .alert: Parts(act: 10)
        case .keyboard(let height): Parts(act: 11, height: height)
        case .display(let isOn): Parts(act: 12, isOn: isOn)
        case .orientation(let app, let orientation): Parts(act: 13, app: app, orientation: orientation)
        }
    }

    package init<Coder: FieldCoder>(coding value: SystemAct?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let act = try coder.field(
            parts?.act,
            """
            act: 0 interrupt, 1 resume, 2 home, 3 foreground, 4 lock, 5 unlock, 6 split, 7 overlay, 8 suspend, \
            9 terminate, 10 alert, 11 keyboard, 12 display, 13 orientation
            """)
        let hasApp = act == 3 || (6...9).contains(act) || act == 13
        let app = hasApp ? try coder.field(parts?.app, "app, for 3, 6 to 9 and 13") : 0
        switch act {
        case 0: self = .interrupt
        case 1: self = .resume
        case 2: self = .home
        case 3: self = .foreground(app: app)
        case 4: self = .lock
        case 5: self = .unlock
        case 6: self = .split(app: app, with: try coder.field(parts?.other, "the other app, for 6"))
        case 7:
            let name: StaticString = "frame, for 7, 16.16 points of the screen: x"
            self = .overlay(app: app, frame: try Rect(coding: parts?.frame, x: name, with: &coder))
        case 8: self = .suspend(app: app)
        case 9: self = .terminate(app: app)
        case 10: self = .alert
        case 11:
            let height = try coder.field(parts?.height, "height, for 11, 16.16 points")
            try coder.require(
                height >= .zero, else: .badValue("height", UInt64(UInt32(bitPattern: height.rawValue))))
            self = .keyboard(height: height)
        case 12: self = .display(isOn: try coder.field(parts?.isOn, "on, for 12", as: "display"))
        case 13:
            let name = InterfaceOrientation.fieldName
            self = .orientation(app: app, try coder.field(parts?.orientation, name, as: "orientation"))
        default: throw coder.failure(.badValue("act", UInt64(act)))
        }
    }
}

extension PlayOrder: FieldCodable {
    package init<Coder: FieldCoder>(coding value: PlayOrder?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            id: try coder.field(value?.id, "id"), source: try coder.field(value?.source),
            pace: try coder.field(value?.pace), repeats: try coder.field(value?.repeats, "repeats"),
            warmUpFrames: try coder.field(value?.warmUpFrames, "warm-up frames"),
            wantsLedgers: try coder.field(value?.wantsLedgers, "wants ledgers", as: "wants ledgers"))
        try coder.require(repeats > 0, else: .badValue("repeats", 0))
        absentMeansLifted = try coder.field(
            value?.absentMeansLifted, "absent means lifted", as: "absent means lifted")
        display = try coder.display(value?.display, "display, from 1")
        guard try coder.field(value.map { $0.ranges != nil }, "axes follow", as: "axes follow") else { return }
        ranges = AxisRanges(
            x: try coder.range(value?.ranges?.x, "least x", "greatest x", as: "x range"),
            y: try coder.range(value?.ranges?.y, "least y", "greatest y", as: "y range"))
    }
}

extension PlayOrder.Source: FieldCodable {
    private var parts: (source: UInt8, text: String?, frames: UInt32?) {
        switch self {
        case .file(let path): (0, path, nil)
        case .script(let text): (1, text, nil)
        case .synthetic(let frames): (2, nil, frames)
        case .marker: (3, nil, nil)
        }
    }

    package init<Coder: FieldCoder>(coding value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.source, "source: 0 file, 1 script, 2 synthetic, 3 marker") {
        case 0:
            let name: StaticString = "path; for 1 the script; for 2 a u32 of frames; for 3 nothing"
            self = .file(try coder.field(parts?.text, name, as: "path"))
        case 1: self = .script(try coder.field(parts?.text, "script", as: "script"))
        case 2: self = .synthetic(frames: try coder.field(parts?.frames, "frames"))
        case 3: self = .marker
        case let other: throw coder.failure(.badValue("source", UInt64(other)))
        }
    }
}

extension PlayOrder.Pace: FieldCodable {
    private var parts: (pace: UInt8, measure: UInt64) {
        switch self {
        case .times(let thousandths): (0, UInt64(thousandths))
        case .max: (1, 0)
        case .every(let nanoseconds): (2, nanoseconds)
        case .closedLoop: (3, 0)
        }
    }

    package init<Coder: FieldCoder>(coding value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let pace = try coder.field(parts?.pace, "pace: 0 times, 1 max, 2 every, 3 closed loop")
        let measure = try coder.field(parts?.measure, "speed in thousandths for 0, ns for 2")
        switch pace {
        case 0:
            let thousandths = UInt32(truncatingIfNeeded: measure)
            try coder.require(measure > 0 && UInt64(thousandths) == measure, else: .badValue("speed", measure))
            self = .times(thousandths)
        case 1: self = .max
        case 2:
            try coder.require(measure > 0, else: .badValue("period", 0))
            self = .every(measure)
        case 3: self = .closedLoop
        default: throw coder.failure(.badValue("pace", UInt64(pace)))
        }
    }
}

extension PlayReport: FieldCodable {
    package init<Coder: FieldCoder>(coding value: PlayReport?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(id: try coder.field(value?.id, "id"))
        sent = try coder.field(value?.sent, "sent")
        answered = try coder.field(value?.answered, "answered")
        delivered = try coder.field(value?.delivered, "delivered")
        home = try coder.field(value?.home, "home")
        dropped = try coder.field(value?.dropped, "dropped")
        sentTouches.began = try coder.field(value?.sentTouches.began, "sent began")
        sentTouches.moved = try coder.field(value?.sentTouches.moved, "sent moved")
        sentTouches.ended = try coder.field(value?.sentTouches.ended, "sent ended")
        sentTouches.cancelled = try coder.field(value?.sentTouches.cancelled, "sent cancelled")
        arrivedTouches.began = try coder.field(value?.arrivedTouches.began, "began")
        arrivedTouches.moved = try coder.field(value?.arrivedTouches.moved, "moved")
        arrivedTouches.ended = try coder.field(value?.arrivedTouches.ended, "ended")
        arrivedTouches.cancelled = try coder.field(value?.arrivedTouches.cancelled, "cancelled")
        coalesced = try coder.field(value?.coalesced, "coalesced")
        takenFrames = try coder.field(value?.takenFrames, "taken: frames")
        takenByMonitor = try coder.field(
            value?.takenByMonitor, "taken by touch monitors: moved, ended or cancelled")
        takenBySystem = try coder.field(value?.takenBySystem, "taken by system gestures: moved, ended or cancelled")
        failure = try coder.field(value?.failure, "failure", as: "failure")
    }
}

extension Report: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Report?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(peer: try coder.field(value?.peer), rows: try coder.rows(value?.rows))
    }
}

extension Report.Value {
    fileprivate var kind: UInt8 {
        switch self {
        case .number: 0
        case .text: 1
        case .flag: 2
        }
    }

    fileprivate var number: Int64? { if case .number(let number) = self { number } else { nil } }
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

extension Report.Row: FieldCodable {
    // Inlined, the row that a coder with a value makes of its fields is never made, and no text is copied for it.
    @inline(__always)
    package init<Coder: FieldCoder>(coding value: Report.Row?, with coder: inout Coder) throws(Coder.Failure) {
        let key = try coder.field(value?.key, "each: key", as: "key")
        switch try coder.field(value?.value.kind, "each: 0 number, 1 text, 2 flag") {
        case 0: self.init(key, .number(try coder.field(value?.value.number, "each: value; for 1 text, for 2 a u8")))
        case 1: self.init(key, .text(try coder.field(value?.value.text, "each: value", as: "value")))
        case 2: self.init(key, .flag(try coder.field(value?.value.flag, "each: value", as: "flag")))
        case let other: throw coder.failure(.badValue("report value", UInt64(other)))
        }
    }
}

extension FieldCoder {
    mutating func rows(_ rows: [Report.Row]?) throws(Failure) -> [Report.Row] {
        try list(rows, "rows", of: "report rows", size: 6, limit: 4096)
    }

    /// The two ends of a range, the lower one first.
    fileprivate mutating func range(
        _ range: ClosedRange<Int32>?, _ least: StaticString, _ greatest: StaticString, as what: StaticString
    ) throws(Failure) -> ClosedRange<Int32> {
        let lower = try field(range?.lowerBound, least)
        let upper = try field(range?.upperBound, greatest)
        guard lower < upper || range != nil else {
            throw failure(.badValue("\(what)", UInt64(UInt32(bitPattern: upper))))
        }
        return lower...upper
    }
}
