// ControlMessages.swift: messages on the links of a supervisor, one enum per direction.
//
// Input     SupervisorCore and the cores of its children, as in DataMessages.swift
// Output    the typed message of one direction; `Message.mayGo`, the permission table of all roles
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
    case spy(SpyRequest)
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
        case .spy(let payload): self = .spy(payload)
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
        case .spy(let payload): .spy(payload)
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
    case misconduct(Misconduct)
    case stalled(Stall)
    case overran(Overrun)
    case wanted(Wish)
    case opened(OpenAnswer)
    case detail(DetailPage)
    case spied(SpyPage)

    public init?(_ message: Message) {
        if let common = ChildToSupervisor(message) {
            self = .child(common)
            return
        }
        switch message {
        case .misconduct(let payload): self = .misconduct(payload)
        case .stalled(let payload): self = .stalled(payload)
        case .overran(let payload): self = .overran(payload)
        case .wanted(let payload): self = .wanted(payload)
        case .opened(let payload): self = .opened(payload)
        case .detail(let payload): self = .detail(payload)
        case .spied(let payload): self = .spied(payload)
        default: return nil
        }
    }

    public var message: Message {
        switch self {
        case .child(let common): common.message
        case .misconduct(let payload): .misconduct(payload)
        case .stalled(let payload): .stalled(payload)
        case .overran(let payload): .overran(payload)
        case .wanted(let payload): .wanted(payload)
        case .opened(let payload): .opened(payload)
        case .detail(let payload): .detail(payload)
        case .spied(let payload): .spied(payload)
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
    case spy(SpyRequest)
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
        case .spy(let payload): self = .spy(payload)
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
        case .spy(let payload): .spy(payload)
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
    case spied(SpyPage)
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
        case .spied(let payload): self = .spied(payload)
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
        case .spied(let payload): .spied(payload)
        case .chaos(let payload): .chaos(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

// MARK: Permissions

extension Message {
    /// Whether one role may send this message to another one. A host refuses any other frame before a state changes
    /// (threat T3).
    public func mayGo(from sender: Role, to receiver: Role) -> Bool {
        switch (sender, receiver) {
        case (.inputKit, .systemServer): InputKitToServer(self) != nil
        case (.systemServer, .inputKit): ServerToInputKit(self) != nil
        case (.systemServer, .app): ServerToApp(self) != nil
        case (.app, .systemServer): AppToServer(self) != nil
        case (.supervisor, .inputKit): SupervisorToInputKit(self) != nil
        case (.supervisor, .systemServer): SupervisorToServer(self) != nil
        case (.supervisor, .app): SupervisorToChild(self) != nil
        case (.inputKit, .supervisor): InputKitToSupervisor(self) != nil
        case (.systemServer, .supervisor): ServerToSupervisor(self) != nil
        case (.app, .supervisor): ChildToSupervisor(self) != nil
        case (.controller, .supervisor): ControllerToSupervisor(self) != nil
        case (.supervisor, .controller): SupervisorToController(self) != nil
        // These roles have no link to each other.
        case (.inputKit, .inputKit), (.inputKit, .app), (.inputKit, .controller), (.systemServer, .systemServer),
            (.systemServer, .controller), (.app, .inputKit), (.app, .app), (.app, .controller),
            (.controller, .inputKit), (.controller, .systemServer), (.controller, .app), (.controller, .controller),
            (.supervisor, .supervisor):
            kind == .refused
        }
    }
}
