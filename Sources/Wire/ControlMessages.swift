// ControlMessages.swift: messages on the links of a supervisor, one enum per direction.
//
// Input     SupervisorCore and the cores of its children, as in DataMessages.swift
// Output    the typed message of one direction, and by it the permissions of roles (MessagePermissions.swift)
// Knows     the cases of `Message`. No payload's content.
//
// Sources   invented, after threat T3

/// Messages from a supervisor to any of its children. An app receives no others from it.
public enum SupervisorToChild: DirectedMessage {
    case launch(LaunchOrder)
    case roster([RosterEntry])
    case shutdown
    case reportRequest
    case observe(Observation)
    case chaos(String)
    case refused(String)

    public init?(_ message: Message) {
        switch message {
        case .launch(let payload): self = .launch(payload)
        case .roster(let payload): self = .roster(payload)
        case .shutdown: self = .shutdown
        case .reportRequest: self = .reportRequest
        case .observe(let payload): self = .observe(payload)
        case .chaos(let payload): self = .chaos(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .launch(let payload): .launch(payload)
        case .roster(let payload): .roster(payload)
        case .shutdown: .shutdown
        case .reportRequest: .reportRequest
        case .observe(let payload): .observe(payload)
        case .chaos(let payload): .chaos(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from a supervisor to input-kit.
public enum SupervisorToInputKit: DirectedMessage {
    case child(SupervisorToChild)
    case play(PlayOrder)
    case stopPlay(UInt32)

    public init?(_ message: Message) {
        if let common = SupervisorToChild(message) {
            self = .child(common)
            return
        }
        switch message {
        case .play(let payload): self = .play(payload)
        case .stopPlay(let payload): self = .stopPlay(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .child(let common): common.message
        case .play(let payload): .play(payload)
        case .stopPlay(let payload): .stopPlay(payload)
        }
    }
}

/// Messages from a supervisor to the server.
public enum SupervisorToServer: DirectedMessage {
    case child(SupervisorToChild)
    case act(SystemAct)
    case detailRequest(DetailRequest)
    case monitor(TouchMonitorRequest)
    case open(OpenRequest)
    case opened(OpenAnswer)

    public init?(_ message: Message) {
        if let common = SupervisorToChild(message) {
            self = .child(common)
            return
        }
        switch message {
        case .act(let payload): self = .act(payload)
        case .detailRequest(let payload): self = .detailRequest(payload)
        case .monitor(let payload): self = .monitor(payload)
        case .open(let payload): self = .open(payload)
        case .opened(let payload): self = .opened(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .child(let common): common.message
        case .act(let payload): .act(payload)
        case .detailRequest(let payload): .detailRequest(payload)
        case .monitor(let payload): .monitor(payload)
        case .open(let payload): .open(payload)
        case .opened(let payload): .opened(payload)
        }
    }
}

/// Messages from any child to its supervisor. An app sends no others to it.
public enum ChildToSupervisor: DirectedMessage {
    case ready
    case report(Report)
    case facts(FactPage)
    case refused(String)

    public init?(_ message: Message) {
        switch message {
        case .ready: self = .ready
        case .report(let payload): self = .report(payload)
        case .facts(let payload): self = .facts(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .ready: .ready
        case .report(let payload): .report(payload)
        case .facts(let payload): .facts(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from input-kit to its supervisor.
public enum InputKitToSupervisor: DirectedMessage {
    case child(ChildToSupervisor)
    case played(PlayReport)
    case measured([Ledger])

    public init?(_ message: Message) {
        if let common = ChildToSupervisor(message) {
            self = .child(common)
            return
        }
        switch message {
        case .played(let payload): self = .played(payload)
        case .measured(let payload): self = .measured(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .child(let common): common.message
        case .played(let payload): .played(payload)
        case .measured(let payload): .measured(payload)
        }
    }
}

/// Messages from the server to its supervisor.
public enum ServerToSupervisor: DirectedMessage {
    case child(ChildToSupervisor)
    case tooManyStrikes(StrikeReport)
    case stalled(Stall)
    case overran(Overrun)
    case launchRequest(LaunchRequest)
    case opened(OpenAnswer)
    case detail(DetailPage)
    case monitorPage(TouchMonitorPage)

    public init?(_ message: Message) {
        if let common = ChildToSupervisor(message) {
            self = .child(common)
            return
        }
        switch message {
        case .tooManyStrikes(let payload): self = .tooManyStrikes(payload)
        case .stalled(let payload): self = .stalled(payload)
        case .overran(let payload): self = .overran(payload)
        case .launchRequest(let payload): self = .launchRequest(payload)
        case .opened(let payload): self = .opened(payload)
        case .detail(let payload): self = .detail(payload)
        case .monitorPage(let payload): self = .monitorPage(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .child(let common): common.message
        case .tooManyStrikes(let payload): .tooManyStrikes(payload)
        case .stalled(let payload): .stalled(payload)
        case .overran(let payload): .overran(payload)
        case .launchRequest(let payload): .launchRequest(payload)
        case .opened(let payload): .opened(payload)
        case .detail(let payload): .detail(payload)
        case .monitorPage(let payload): .monitorPage(payload)
        }
    }
}

/// Messages from a controller (a `touchline` command) to a supervisor.
public enum ControllerToSupervisor: DirectedMessage {
    case act(SystemAct)
    case shutdown
    case play(PlayOrder)
    case open(OpenRequest)
    case reportRequest
    case observe(Observation)
    case detailRequest(DetailRequest)
    case monitor(TouchMonitorRequest)
    case chaos(String)
    case refused(String)

    public init?(_ message: Message) {
        switch message {
        case .act(let payload): self = .act(payload)
        case .shutdown: self = .shutdown
        case .play(let payload): self = .play(payload)
        case .open(let payload): self = .open(payload)
        case .reportRequest: self = .reportRequest
        case .observe(let payload): self = .observe(payload)
        case .detailRequest(let payload): self = .detailRequest(payload)
        case .monitor(let payload): self = .monitor(payload)
        case .chaos(let payload): self = .chaos(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .act(let payload): .act(payload)
        case .shutdown: .shutdown
        case .play(let payload): .play(payload)
        case .open(let payload): .open(payload)
        case .reportRequest: .reportRequest
        case .observe(let payload): .observe(payload)
        case .detailRequest(let payload): .detailRequest(payload)
        case .monitor(let payload): .monitor(payload)
        case .chaos(let payload): .chaos(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from a supervisor to a controller.
public enum SupervisorToController: DirectedMessage {
    case played(PlayReport)
    case measured([Ledger])
    case opened(OpenAnswer)
    case report(Report)
    case facts(FactPage)
    case detail(DetailPage)
    case monitorPage(TouchMonitorPage)
    case chaos(String)
    case refused(String)

    public init?(_ message: Message) {
        switch message {
        case .played(let payload): self = .played(payload)
        case .measured(let payload): self = .measured(payload)
        case .opened(let payload): self = .opened(payload)
        case .report(let payload): self = .report(payload)
        case .facts(let payload): self = .facts(payload)
        case .detail(let payload): self = .detail(payload)
        case .monitorPage(let payload): self = .monitorPage(payload)
        case .chaos(let payload): self = .chaos(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .played(let payload): .played(payload)
        case .measured(let payload): .measured(payload)
        case .opened(let payload): .opened(payload)
        case .report(let payload): .report(payload)
        case .facts(let payload): .facts(payload)
        case .detail(let payload): .detail(payload)
        case .monitorPage(let payload): .monitorPage(payload)
        case .chaos(let payload): .chaos(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}
