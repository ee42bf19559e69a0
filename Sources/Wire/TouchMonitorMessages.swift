// TouchMonitorMessages.swift: messages of touch monitors, which observe every routed touch and may take one.
//
//    controller ───monitor───▶ supervisor ───monitor───▶ system-server     begin, answers, the last page received, end
//               ◀─monitorPage─            ◀─monitorPage─                   pages: a scan, a verdict, or counts of omitted news
//
// Input     `touchline monitor`; TouchMonitorTable
// Output    pages, in the order in which the server routed the touches
// Knows     touches, owners and positions. No view.
//
// A touch monitor has a credit window of its own, so that neither the server nor an app waits for it. News beyond the
// window is omitted, and the next page tells how much (Docs/Decisions/TouchMonitors.md).
//
// Sources   invented, after Android's input monitors and InputManager.pilferPointers

public import Basics
public import HID

/// A request of a touch monitor.
public struct TouchMonitorRequest: Hashable, Sendable {
    /// The kind of a request.
    public enum Kind: Hashable, Sendable {
        /// Begins to observe; of a monitor that exists already, begins again.
        case begin(TouchMonitorInterest)
        /// The monitor has received all pages up to this one.
        case acknowledged(UInt64)
        case answer(TouchID, TouchMonitorAnswer)
        case end
    }

    /// The number of the controller, chosen by the supervisor; each page returns it.
    public var id: UInt32
    public var kind: Kind

    public init(id: UInt32, _ word: Kind) { (self.id, self.kind) = (id, word) }
}

/// The answer of a touch monitor in the contest for a touch.
public enum TouchMonitorAnswer: UInt8, Sendable, CaseIterable {
    /// The monitor receives no more of the touch.
    case no
    case maybe
    /// The same as `maybe`: no process outside the server delays an app.
    case hold
    /// The monitor takes the touch.
    case yes
}

/// The touches that a monitor receives.
public struct TouchMonitorInterest: Hashable, Sendable {
    /// Touches that land on this app; nil for any app.
    public var app: AppID?
    /// Touches that land in this rectangle of their display. A touch without a reported position lands nowhere.
    public var zone: Rect<DisplaySpace>?
    /// The time after its landing in which the monitor may still answer yes or no; nil for as long as the touch lasts.
    public var answerLimit: Duration?

    public init(app: AppID? = nil, zone: Rect<DisplaySpace>? = nil, answerLimit: Duration? = nil) {
        (self.app, self.zone, self.answerLimit) = (app, zone, answerLimit)
    }
}

/// A message to a touch monitor.
public struct TouchMonitorPage: Hashable, Sendable {
    /// The content of a page.
    public enum Content: Hashable, Sendable {
        case begun
        /// The limit of monitors is reached.
        case turnedAway(limit: UInt32)
        case scan(MonitoredScan)
        /// The result of the answer `yes`.
        case verdict(TouchID, TouchMonitorVerdict)
        /// No news: the page only tells how much was omitted.
        case omissions
    }

    /// The amount of omitted news.
    public struct Omission: Hashable, Sendable {
        public var count: UInt32
        /// Of the omitted news: beginnings and ends of touches, and verdicts.
        public var edgeCount: UInt32

        public init(count: UInt32 = 0, edgeCount: UInt32 = 0) { (self.count, self.edgeCount) = (count, edgeCount) }
    }

    public var id: UInt32
    /// The number of the page, from 1 without gaps since the monitor began.
    public var number: UInt64
    /// The news omitted between the previous page and this one.
    public var omission: Omission
    public var content: Content

    public init(id: UInt32, number: UInt64, omission: Omission = Omission(), _ content: Content) {
        (self.id, self.number, self.omission, self.content) = (id, number, omission, content)
    }
}

/// One scan, as the server routed it.
public struct MonitoredScan: Hashable, Sendable {
    /// The time of the device.
    public var timeStamp: Instant
    public var device: UInt64
    /// The contacts in the order of their touches.
    public var contacts: [MonitoredContact]

    /// The greatest number of contacts of one scan.
    public static let contactLimit = 512

    public init(timeStamp: Instant, device: UInt64, contacts: [MonitoredContact]) {
        (self.timeStamp, self.device, self.contacts) = (timeStamp, device, contacts)
    }
}

/// One contact of a scan, with its owner and its position.
public struct MonitoredContact: Hashable, Sendable {
    public var touch: TouchID
    public var phase: ContactPhase
    public var owner: TouchOwner
    /// The position; nil where it is not reported (Docs/Internals/Threats.md, T5).
    public var location: MonitoredLocation?

    public init(_ touch: TouchID, _ phase: ContactPhase, of owner: TouchOwner, at location: MonitoredLocation? = nil) {
        (self.touch, self.phase, self.owner, self.location) = (touch, phase, owner, location)
    }
}

/// The position of a touch with its display.
public struct MonitoredLocation: Hashable, Sendable {
    public var position: Point<DisplaySpace>
    /// The display; 1 is the main one.
    public var display: DisplayID

    public init(_ position: Point<DisplaySpace>, on display: DisplayID = 1) {
        (self.position, self.display) = (position, display)
    }
}

/// The owner of a touch.
public enum TouchOwner: Hashable, Sendable {
    case app(AppID)
    /// The server itself: the home screen, an alert, the keyboard.
    case server
    /// A system gesture took the touch.
    case system
    /// A touch monitor took the touch, this one or another.
    case touchMonitor(UInt32)
    /// The touch is ignored until it lifts.
    case ignored
}

/// The result of a monitor's answer `yes`.
public enum TouchMonitorVerdict: UInt8, Sendable, CaseIterable {
    /// The monitor has the touch; the app receives a cancellation.
    case taken
    /// The touch has ended, or the monitor never received it.
    case unknown
    /// A system gesture has the touch.
    case system
    /// Another monitor was first.
    case otherMonitor
    /// This monitor answered no before, or did not answer in time.
    case declined
    /// The touch is ignored until it lifts.
    case ignored
}

// MARK: Fields

extension TouchMonitorRequest: FieldCodable {
    private var parts:
        (kind: UInt8, interest: TouchMonitorInterest?, page: UInt64?, touch: TouchID?, answer: TouchMonitorAnswer?)
    {
        switch kind {
        case .begin(let interest): (0, interest, nil, nil, nil)
        case .acknowledged(let page): (1, nil, page, nil, nil)
        case .answer(let touch, let answer): (2, nil, nil, touch, answer)
        case .end: (3, nil, nil, nil, nil)
        }
    }

    package init<Coder: FieldCoder>(coding value: TouchMonitorRequest?, with coder: inout Coder) throws(Coder.Failure) {
        id = try coder.field(value?.id, "id")
        let parts = value?.parts
        switch try coder.field(parts?.kind, "request: 0 begin, 1 acknowledge, 2 answer, 3 end") {
        case 0: kind = .begin(try coder.field(parts?.interest))
        case 1: kind = .acknowledged(try coder.field(parts?.page, "acknowledge: number of a page"))
        case 2:
            kind = .answer(
                try coder.field(parts?.touch, "answer: touch"),
                try coder.field(parts?.answer, "answer: 0 no, 1 maybe, 2 hold, 3 yes", as: "answer"))
        case 3: kind = .end
        case let other: throw coder.failure(.badValue("touch monitor request", UInt64(other)))
        }
    }
}

extension TouchMonitorInterest: FieldCodable {
    package init<Coder: FieldCoder>(coding value: TouchMonitorInterest?, with coder: inout Coder) throws(Coder.Failure)
    {
        self.init(app: try coder.field(value.map(\.app), orZero: "begin: app, 0 any"))
        let given = value.map { $0.answerLimit.map { max(0, $0.nanoseconds) &+ 1 } ?? 0 }
        let nanoseconds = try coder.field(given, "begin: answer limit, ns and one, 0 none")
        try coder.require(nanoseconds >= 0, else: .badValue("answer limit", UInt64(bitPattern: nanoseconds)))
        if nanoseconds > 0 { answerLimit = .nanoseconds(nanoseconds - 1) }
        guard try coder.field(value.map { $0.zone != nil }, "begin: 1 with a zone", as: "zone") else { return }
        zone = try Rect(coding: value?.zone, x: "zone, 16.16 points of a display: x", with: &coder)
    }
}

extension TouchMonitorPage: FieldCodable {
    private var parts:
        (kind: UInt8, limit: UInt32?, scan: MonitoredScan?, touch: TouchID?, verdict: TouchMonitorVerdict?)
    {
        switch content {
        case .begun: (0, nil, nil, nil, nil)
        case .turnedAway(let limit): (1, limit, nil, nil, nil)
        case .scan(let scan): (2, nil, scan, nil, nil)
        case .verdict(let touch, let verdict): (3, nil, nil, touch, verdict)
        case .omissions: (4, nil, nil, nil, nil)
        }
    }

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: TouchMonitorPage?, with coder: inout Coder) throws(Coder.Failure) {
        let id = try coder.field(value?.id, "id")
        let number = try coder.field(value?.number, "number, from 1; 0 of one turned away")
        let omission = Omission(
            count: try coder.field(value?.omission.count, "news omitted before it"),
            edgeCount: try coder.field(value?.omission.edgeCount, "of those, beginnings, ends and verdicts"))
        let content: Content
        let parts = value?.parts
        switch try coder.field(parts?.kind, "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room") {
        case 0: content = .begun
        case 1: content = .turnedAway(limit: try coder.field(parts?.limit, "turned away: limit of monitors"))
        case 2: content = .scan(try coder.field(parts?.scan))
        case 3:
            content = .verdict(
                try coder.field(parts?.touch, "verdict: touch"),
                try coder.field(
                    parts?.verdict, "verdict: 0 taken, 1 unknown, 2 system, 3 other monitor, 4 declined, 5 ignored",
                    as: "verdict"))
        case 4: content = .omissions
        case let other: throw coder.failure(.badValue("touch monitor page", UInt64(other)))
        }
        self.init(id: id, number: number, omission: omission, content)
    }
}

extension MonitoredScan: FieldCodable {
    @inline(__always)
    package init<Coder: FieldCoder>(coding value: MonitoredScan?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            timeStamp: try coder.field(value?.timeStamp, "scan: device time, ns"),
            device: try coder.field(value?.device, "scan: device"),
            contacts: try coder.list(
                value?.contacts, "contacts", of: "monitored contacts", size: MonitoredContact.size,
                limit: Self.contactLimit
            ))
    }
}

extension MonitoredContact: FieldCodable {
    static let size = 19

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: MonitoredContact?, with coder: inout Coder) throws(Coder.Failure) {
        touch = try coder.field(value?.touch, "each: touch")
        phase = try coder.field(
            value?.phase, "each: phase: 0 began, 1 moved, 2 stationary, 3 ended, 4 cancelled", as: "phase")
        owner = try coder.field(value?.owner)
        let display = try coder.field(
            value.map { $0.location?.display ?? 0 }, "each: display of its position, from 1; 0 without a position")
        try coder.require(display <= DisplayID.last, else: .badValue("display", UInt64(display.rawValue)))
        let told = MonitoredLocation(
            try coder.field(
                value.map { $0.location?.position ?? .zero }, x: "each: position, 16.16 points of that display: x",
                y: "each: position: y"), on: display)
        location = display == 0 ? nil : told
    }
}

extension TouchOwner: FieldCodable {
    private var parts: (kind: UInt8, number: UInt32) {
        switch self {
        case .ignored: (0, 0)
        case .app(let app): (1, app.rawValue)
        case .server: (2, 0)
        case .system: (3, 0)
        case .touchMonitor(let monitor): (4, monitor)
        }
    }

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: TouchOwner?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let kind = try coder.field(parts?.kind, "each: owner: 0 ignored, 1 app, 2 server, 3 system, 4 monitor")
        let number = try coder.field(parts?.number, "each: number of the app or monitor")
        switch kind {
        case 0: self = .ignored
        case 1: self = .app(AppID(number))
        case 2: self = .server
        case 3: self = .system
        case 4: self = .touchMonitor(number)
        default: throw coder.failure(.badValue("owner", UInt64(kind)))
        }
    }
}

// MARK: Text

extension TouchOwner: CustomStringConvertible {
    public var description: String {
        switch self {
        case .app(let app): "app:\(app)"
        case .server: "server"
        case .system: "system"
        case .touchMonitor(let monitor): "monitor:\(monitor)"
        case .ignored: "ignored"
        }
    }
}

extension TouchMonitorVerdict: CustomStringConvertible {
    /// The reason why a touch was not taken, for a person.
    public var description: String {
        switch self {
        case .taken: "taken"
        case .unknown: "the touch has ended, or was never shown to this monitor"
        case .system: "the system owns it"
        case .otherMonitor: "another touch monitor has taken it"
        case .declined: "this monitor has declined it, or its deadline has passed"
        case .ignored: "it is ignored until it lifts"
        }
    }
}
