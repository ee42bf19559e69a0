// MessageCodec.swift: which description each message's payload has.

import Basics
import HID

extension Message {
    /// Follows the description of the payload with a coder that is given a value.
    func encode<Coder: FieldCoder>(with coder: inout Coder) where Coder.Failure == Never {
        switch self {
        case .hello, .shutdown, .ready, .reportRequest, .screenshot: break
        case .link(let word): _ = coder.field(word)
        case .digitizer(let event): _ = coder.field(event)
        case .device(let event): _ = DeviceEvent(coding: event, position: Self.onPanel, with: &coder)
        case .touches(let frame): _ = coder.field(frame)
        case .input(let event): _ = DeviceEvent(coding: event, position: Self.onScreen, with: &coder)
        case .lifeCycle(let moment): _ = coder.moment(moment)
        case .scene(let state): _ = coder.field(state)
        case .windows(let diff): _ = coder.field(diff)
        case .handled(let receipt): _ = coder.field(receipt)
        case .launch(let order): _ = coder.field(order)
        case .roster(let entries): _ = coder.roster(entries)
        case .act(let act): _ = coder.field(act)
        case .play(let order): _ = coder.field(order)
        case .stopPlay(let id): _ = coder.play(id)
        case .played(let report): _ = coder.field(report)
        case .measured(let ledgers): _ = coder.ledgers(ledgers)
        case .report(let report): _ = coder.field(report)
        case .refused(let reason): _ = coder.field(reason, "reason", as: "reason")
        case .misconduct(let misconduct): _ = coder.field(misconduct)
        case .stalled(let stall): _ = coder.field(stall)
        case .overran(let overrun): _ = coder.field(overrun)
        case .chaos(let fault): _ = coder.field(fault, "fault", as: "fault")
        case .observe(let observation): _ = coder.field(observation)
        case .facts(let page): _ = coder.field(page)
        case .detailRequest(let request): _ = coder.field(request)
        case .detail(let page): _ = coder.field(page)
        case .spy(let request): _ = coder.field(request)
        case .spied(let page): _ = coder.field(page)
        case .open(let request): _ = coder.field(request)
        case .opened(let answer): _ = coder.field(answer)
        case .wanted(let wish): _ = coder.field(wish)
        }
    }

    init(kind: MessageKind, from reader: inout ByteReader) throws(WireError) {
        switch kind {
        case .hello: self = .hello
        case .shutdown: self = .shutdown
        case .ready: self = .ready
        case .reportRequest: self = .reportRequest
        case .screenshot: self = .screenshot
        case .link: self = .link(try reader.read())
        case .digitizer: self = .digitizer(try reader.read())
        case .device: self = .device(try DeviceEvent(coding: nil, position: Self.onPanel, with: &reader))
        case .touches: self = .touches(try reader.read())
        case .input: self = .input(try DeviceEvent(coding: nil, position: Self.onScreen, with: &reader))
        case .lifeCycle: self = .lifeCycle(try reader.moment(nil))
        case .scene: self = .scene(try reader.read())
        case .windows: self = .windows(try reader.read())
        case .handled: self = .handled(try reader.read())
        case .launch: self = .launch(try reader.read())
        case .roster: self = .roster(try reader.roster(nil))
        case .act: self = .act(try reader.read())
        case .play: self = .play(try reader.read())
        case .stopPlay: self = .stopPlay(try reader.play(nil))
        case .played: self = .played(try reader.read())
        case .measured: self = .measured(try reader.ledgers(nil))
        case .report: self = .report(try reader.read())
        case .refused: self = .refused(try reader.field(nil, "reason", as: "reason"))
        case .misconduct: self = .misconduct(try reader.read())
        case .stalled: self = .stalled(try reader.read())
        case .overran: self = .overran(try reader.read())
        case .chaos: self = .chaos(try reader.field(nil, "fault", as: "fault"))
        case .observe: self = .observe(try reader.read())
        case .facts: self = .facts(try reader.read())
        case .detailRequest: self = .detailRequest(try reader.read())
        case .detail: self = .detail(try reader.read())
        case .spy: self = .spy(try reader.read())
        case .spied: self = .spied(try reader.read())
        case .open: self = .open(try reader.read())
        case .opened: self = .opened(try reader.read())
        case .wanted: self = .wanted(try reader.read())
        }
    }

    private static let onPanel: StaticString = "place, 16.16 of the panel: x"
    private static let onScreen: StaticString = "place, 16.16 points: x"

    /// How many ledgers one `measured` may carry: a packet's worth.
    public static let ledgersPerFrame = 1200
}

// MARK: Payloads without a type of their own

extension FieldCoder {
    fileprivate mutating func moment(_ moment: LifeCycle?) throws(Failure) -> LifeCycle {
        try field(moment, "moment", as: "life cycle")
    }

    fileprivate mutating func play(_ id: UInt32?) throws(Failure) -> UInt32 { try field(id, "play") }

    fileprivate mutating func roster(_ entries: [RosterEntry]?) throws(Failure) -> [RosterEntry] {
        try list(entries, "entries", of: "roster entries", size: RosterEntry.size, limit: 1024)
    }

    fileprivate mutating func ledgers(_ ledgers: [Ledger]?) throws(Failure) -> [Ledger] {
        try list(ledgers, "ledgers", of: "ledgers", size: 52, limit: Message.ledgersPerFrame) {
            (ledger, coder) throws(Failure) in try Ledger(coding: ledger, stamps: "each: stamps", with: &coder)
        }
    }
}
