// MessageKind.swift: the number of each message on the wire.

/// The byte that names a message.
public enum MessageKind: UInt8, CaseIterable, Sendable {
    case hello = 1
    case digitizer = 2
    case touches = 3
    case lifeCycle = 4
    case handled = 5
    case device = 6
    case input = 7
    case link = 8
    case windows = 9
    case scene = 10

    case launch = 16
    case roster = 17
    case act = 18
    case shutdown = 19
    case ready = 20

    case play = 32
    case played = 33
    case measured = 34
    case reportRequest = 35
    case report = 36
    case refused = 37
    case stopPlay = 38
    case chaos = 39
    case misconduct = 40
    case observe = 41
    case facts = 42
    case detailRequest = 43
    case detail = 44
    case stalled = 45
    case overran = 46
    case open = 50
    case opened = 51
    case wanted = 52
    case screenshot = 53
    case spy = 56
    case spied = 57
}

extension Message {
    public var kind: MessageKind {
        switch self {
        case .hello: .hello
        case .link: .link
        case .digitizer: .digitizer
        case .device: .device
        case .touches: .touches
        case .input: .input
        case .lifeCycle: .lifeCycle
        case .scene: .scene
        case .windows: .windows
        case .handled: .handled
        case .launch: .launch
        case .roster: .roster
        case .act: .act
        case .shutdown: .shutdown
        case .ready: .ready
        case .play: .play
        case .stopPlay: .stopPlay
        case .played: .played
        case .measured: .measured
        case .reportRequest: .reportRequest
        case .report: .report
        case .refused: .refused
        case .misconduct: .misconduct
        case .stalled: .stalled
        case .overran: .overran
        case .chaos: .chaos
        case .observe: .observe
        case .facts: .facts
        case .detailRequest: .detailRequest
        case .detail: .detail
        case .spy: .spy
        case .spied: .spied
        case .open: .open
        case .opened: .opened
        case .wanted: .wanted
        case .screenshot: .screenshot
        }
    }
}
