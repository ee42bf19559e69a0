// Spying.swift: what is said so that somebody outside the server sees every touch it routes, and may take one.
//
//    controller ──spy──▶ supervisor ──spy──▶ system-server     begin, answers, how far it has heard, end
//               ◀─spied─            ◀─spied─                   pages: a scan each, a verdict, or what was left out
//
// A spy is told beside the apps, of where the server has sent things, in the order in which it did. It has a window of
// its own, so that nobody waits for it: what it has no room for is left out, and the next page says how much
// (Docs/Decisions/Spies.md).
//
// Sources   invented, after Android's input monitors and InputManager.pilferPointers

public import Basics
public import HID

/// What a spy says.
public struct SpyRequest: Hashable, Sendable {
    public enum Word: Hashable, Sendable {
        /// From now on; of a spy that is there already, anew.
        case begin(SpyInterest)
        /// It has heard pages as far as this one.
        case took(UInt64)
        case answer(TouchID, SpyAnswer)
        case end
    }

    /// Whose: chosen by the supervisor, a number for each controller; comes back with each page.
    public var id: UInt32
    public var word: Word

    public init(id: UInt32, _ word: Word) { (self.id, self.word) = (id, word) }
}

/// A spy's word in the contest for a touch.
public enum SpyAnswer: UInt8, Sendable, CaseIterable {
    /// It is shown no more of it.
    case no
    case maybe
    /// As maybe: nobody outside the server keeps an app waiting.
    case hold
    /// The touch is to be its own.
    case yes
}

/// Which touches a spy is shown.
public struct SpyInterest: Hashable, Sendable {
    /// Of those that land on this app; 0 for any.
    public var app: UInt32
    /// Of those that land there, in points of whichever display the touch is on; one whose place is not told lands
    /// nowhere.
    public var zone: SceneFrame?
    /// How long after its landing a touch is a spy's that has said neither yes nor no; nil for as long as it lasts.
    public var patience: Duration?

    public init(app: UInt32 = 0, zone: SceneFrame? = nil, patience: Duration? = nil) {
        (self.app, self.zone, self.patience) = (app, zone, patience)
    }
}

/// What a spy is told.
public struct SpyPage: Hashable, Sendable {
    public enum News: Hashable, Sendable {
        case begun
        /// There are as many spies as there may be.
        case turnedAway(limit: UInt32)
        case scan(SpiedScan)
        /// What has come of its yes.
        case verdict(TouchID, SpyVerdict)
        /// Nothing but how much was left out.
        case room
    }

    /// News that a spy had no room for.
    public struct Lag: Hashable, Sendable {
        public var news: UInt32
        /// Of those, the ones in which a touch began or ended, and verdicts.
        public var edges: UInt32

        public init(news: UInt32 = 0, edges: UInt32 = 0) { (self.news, self.edges) = (news, edges) }
    }

    public var id: UInt32
    /// From 1, without holes, since the spy began.
    public var number: UInt64
    /// Left out between the page before and this one.
    public var lag: Lag
    public var news: News

    public init(id: UInt32, number: UInt64, lag: Lag = Lag(), _ news: News) {
        (self.id, self.number, self.lag, self.news) = (id, number, lag, news)
    }
}

/// One scan, as the server has routed it.
public struct SpiedScan: Hashable, Sendable {
    /// As its device has it.
    public var timeStamp: Instant
    public var device: UInt64
    /// By touch.
    public var contacts: [SpiedContact]

    /// Fingers of one scan.
    public static let contactLimit = 512

    public init(timeStamp: Instant, device: UInt64, contacts: [SpiedContact]) {
        (self.timeStamp, self.device, self.contacts) = (timeStamp, device, contacts)
    }
}

public struct SpiedContact: Hashable, Sendable {
    public var touch: TouchID
    public var phase: ContactPhase
    public var owner: SpiedOwner
    /// In points of its display; nil where nobody is told (Docs/Threats.md, T5).
    public var place: SpiedPlace?

    public init(_ touch: TouchID, _ phase: ContactPhase, of owner: SpiedOwner, at place: SpiedPlace? = nil) {
        (self.touch, self.phase, self.owner, self.place) = (touch, phase, owner, place)
    }
}

public struct SpiedPlace: Hashable, Sendable {
    public var x, y: Fixed
    /// 1 is the main one.
    public var display: UInt8

    public init(_ x: Fixed, _ y: Fixed, on display: UInt8 = 1) { (self.x, self.y, self.display) = (x, y, display) }
}

/// Who has a touch.
public enum SpiedOwner: Hashable, Sendable {
    case app(UInt32)
    /// The home screen, an alert, the keyboard: what the server itself shows.
    case server
    /// A gesture of the system's has taken it.
    case system
    /// A spy has, this or another.
    case spy(UInt32)
    /// Dead until it lifts.
    case nobody
}

public enum SpyVerdict: UInt8, Sendable, CaseIterable {
    /// It is the spy's: its app hears that it is cancelled.
    case taken
    /// It is over, or this spy was never shown it.
    case unknown
    /// It is the system's.
    case system
    /// Another spy was first.
    case spy
    /// This one has said no, or nothing in time.
    case left
    /// It is nobody's any more.
    case dead
}

// MARK: Bytes

extension SpyRequest {
    func encode(into writer: inout ByteWriter) {
        writer.put(id, "id")
        switch word {
        case .begin(let interest):
            writer.put(UInt8(0), "word: 0 begin, 1 took, 2 answer, 3 end")
            interest.encode(into: &writer)
        case .took(let number):
            writer.put(UInt8(1), "word: 0 begin, 1 took, 2 answer, 3 end")
            writer.put(number, "took: number of a page")
        case .answer(let touch, let answer):
            writer.put(UInt8(2), "word: 0 begin, 1 took, 2 answer, 3 end")
            writer.put(touch.rawValue, "answer: touch")
            writer.put(answer.rawValue, "answer: 0 no, 1 maybe, 2 hold, 3 yes")
        case .end: writer.put(UInt8(3), "word: 0 begin, 1 took, 2 answer, 3 end")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        id = try reader.take()
        switch try reader.take(UInt8.self) {
        case 0: word = .begin(try SpyInterest(from: &reader))
        case 1: word = .took(try reader.take())
        case 2: word = .answer(TouchID(rawValue: try reader.take()), try reader.takeCase("answer"))
        case 3: word = .end
        case let other: throw .badValue("spy's word", UInt64(other))
        }
    }
}

extension SpyInterest {
    func encode(into writer: inout ByteWriter) {
        writer.put(app, "begin: app, 0 any")
        writer.put(patience.map { max(0, $0.nanoseconds) &+ 1 } ?? 0, "begin: patience, ns and one, 0 none")
        writer.put(UInt8(zone == nil ? 0 : 1), "begin: 1 with a zone")
        zone?.encode(into: &writer, x: "zone, 16.16 points of a display: x")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(app: try reader.take())
        let nanoseconds = try reader.take(Int64.self)
        guard nanoseconds >= 0 else { throw .badValue("patience", UInt64(bitPattern: nanoseconds)) }
        if nanoseconds > 0 { patience = .nanoseconds(nanoseconds - 1) }
        if try reader.takeBool("zone") { zone = try SceneFrame(from: &reader) }
    }
}

extension SpyPage {
    func encode(into writer: inout ByteWriter) {
        writer.put(id, "id")
        writer.put(number, "number, from 1; 0 of one turned away")
        writer.put(lag.news, "news left out before it")
        writer.put(lag.edges, "of those, beginnings, ends and verdicts")
        switch news {
        case .begun: writer.put(UInt8(0), "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room")
        case .turnedAway(let limit):
            writer.put(UInt8(1), "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room")
            writer.put(limit, "turned away: spies there may be")
        case .scan(let scan):
            writer.put(UInt8(2), "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room")
            scan.encode(into: &writer)
        case .verdict(let touch, let verdict):
            writer.put(UInt8(3), "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room")
            writer.put(touch.rawValue, "verdict: touch")
            writer.put(verdict.rawValue, "verdict: 0 taken, 1 unknown, 2 system, 3 spy, 4 left, 5 dead")
        case .room: writer.put(UInt8(4), "news: 0 begun, 1 turned away, 2 scan, 3 verdict, 4 room")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let (id, number) = (try reader.take(UInt32.self), try reader.take(UInt64.self))
        let lag = Lag(news: try reader.take(), edges: try reader.take())
        let news: News
        switch try reader.take(UInt8.self) {
        case 0: news = .begun
        case 1: news = .turnedAway(limit: try reader.take())
        case 2: news = .scan(try SpiedScan(from: &reader))
        case 3: news = .verdict(TouchID(rawValue: try reader.take()), try reader.takeCase("verdict"))
        case 4: news = .room
        case let other: throw .badValue("spy's news", UInt64(other))
        }
        self.init(id: id, number: number, lag: lag, news)
    }
}

extension SpiedScan {
    func encode(into writer: inout ByteWriter) {
        writer.put(timeStamp.nanoseconds, "scan: device time, ns")
        writer.put(device, "scan: device")
        writer.put(UInt32(contacts.count), "contacts")
        for contact in contacts { contact.encode(into: &writer) }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(timeStamp: Instant(nanoseconds: try reader.take()), device: try reader.take(), contacts: [])
        let count = try reader.takeCount(of: "spied contacts", size: SpiedContact.size, limit: Self.contactLimit)
        contacts.reserveCapacity(count)
        for _ in 0..<count { contacts.append(try SpiedContact(from: &reader)) }
    }
}

extension SpiedContact {
    static let size = 19

    func encode(into writer: inout ByteWriter) {
        writer.put(touch.rawValue, "each: touch")
        writer.put(phase.rawValue, "each: phase: 0 began, 1 moved, 2 stationary, 3 ended, 4 cancelled")
        let (kind, number): (UInt8, UInt32) =
            switch owner {
            case .nobody: (0, 0)
            case .app(let app): (1, app)
            case .server: (2, 0)
            case .system: (3, 0)
            case .spy(let spy): (4, spy)
            }
        writer.put(kind, "each: owner: 0 nobody, 1 app, 2 server, 3 system, 4 spy")
        writer.put(number, "each: which app, which spy")
        writer.put(place?.display ?? 0, "each: display of its place, from 1; 0 without a place")
        writer.put(place?.x.rawValue ?? 0, "each: place, 16.16 points of that display: x")
        writer.put(place?.y.rawValue ?? 0, "each: place: y")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        touch = TouchID(rawValue: try reader.take())
        phase = try reader.takeCase("phase")
        let (kind, number) = (try reader.take(UInt8.self), try reader.take(UInt32.self))
        switch kind {
        case 0: owner = .nobody
        case 1: owner = .app(number)
        case 2: owner = .server
        case 3: owner = .system
        case 4: owner = .spy(number)
        default: throw .badValue("owner", UInt64(kind))
        }
        let display = try reader.take(UInt8.self)
        guard display <= HIDEvent.displayLimit else { throw .badValue("display", UInt64(display)) }
        let told = SpiedPlace(try reader.takeFixed(), try reader.takeFixed(), on: display)
        place = display == 0 ? nil : told
    }
}

// MARK: Words

extension SpiedOwner: CustomStringConvertible {
    public var description: String {
        switch self {
        case .app(let app): "app:\(app)"
        case .server: "server"
        case .system: "system"
        case .spy(let spy): "spy:\(spy)"
        case .nobody: "nobody"
        }
    }
}

extension SpyVerdict: CustomStringConvertible {
    /// For a person, of a touch that was not taken: why.
    public var description: String {
        switch self {
        case .taken: "taken"
        case .unknown: "it is over, or was never shown here"
        case .system: "it is the system's"
        case .spy: "another spy was first"
        case .left: "this spy has left it, or its time was up"
        case .dead: "it is nobody's any more"
        }
    }
}
