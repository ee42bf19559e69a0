// ApplicationLifeCycle.swift: the state of an application, and the delegate that hears of it.
//
// Station   app
// Input     UIApplication.lifeCycle, before and after the delegate is called
// Output    applicationState
//
//     background ──willEnterForeground──▶ inactive ──didBecomeActive──▶ active
//         ▲                                 │  ▲                          │
//         └───────── didEnterBackground ────┘  └──── willResignActive ────┘
//
// A `did` is true when the delegate hears of it, a `will` is not yet.
//
// Sources   documented  UIApplication.State, UIApplicationDelegate

struct ApplicationLifeCycle {
    private(set) var state = UIApplication.State.background
    /// The delegate that AppCore made: no other object holds it, so the application does.
    var keptDelegate: (any UIApplicationDelegate)?
    /// Not `private(set)`: what can only be read is read out of a copy, and a copy of a weak reference is slow.
    weak var looseDelegate: (any UIApplicationDelegate)?

    mutating func setDelegate(_ delegate: (any UIApplicationDelegate)?) {
        keptDelegate = nil
        looseDelegate = delegate
    }

    mutating func didLaunch() { state = .inactive }

    /// The delegate is about to hear of the change.
    mutating func begin(_ change: UIApplication.LifeCycle) {
        switch change {
        case .didBecomeActive: state = .active
        case .didEnterBackground: state = .background
        case .willResignActive, .willEnterForeground, .willTerminate: break
        }
    }

    /// The delegate has heard of the change.
    mutating func end(_ change: UIApplication.LifeCycle) {
        switch change {
        case .willResignActive, .willEnterForeground: state = .inactive
        case .didBecomeActive, .didEnterBackground, .willTerminate: break
        }
    }
}
