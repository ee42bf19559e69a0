// StandingActs.swift: what the phone has been told to be, in as few words as tell it to a server that knows nothing.
//
// Station   process
// Fed by    SupervisorCore: every act a person asked for
// Feeds     SupervisorCore: what each new server hears first. A server that ends must not unlock the screen.
//
// Sources   invented, after PIPELINE.md F2 and T9

import Wire

extension [SystemAct] {
    /// Which app is shown, then what covers it.
    mutating func remember(_ act: SystemAct) {
        switch act {
        case .home, .foreground:
            removeAll { $0.showsSomething }
            insert(act, at: 0)
        case .interrupt:
            if !contains(.interrupt) { append(act) }
        case .lock:
            if !contains(.lock) { append(act) }
        case .resume: removeAll { $0 == .interrupt }
        case .unlock: removeAll { $0 == .lock }
        }
    }
}

extension SystemAct {
    fileprivate var showsSomething: Bool {
        switch self {
        case .home, .foreground: true
        case .interrupt, .resume, .lock, .unlock: false
        }
    }
}
