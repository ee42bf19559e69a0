// ApplicationLifeCycle.swift: the state of an application, and its delegate.
//
// Station   app
// Input     UIApplication.lifeCycle, before and after the delegate is called
// Output    applicationState
//
//     background ──willEnterForeground──▶ inactive ──didBecomeActive──▶ active
//         ▲                                 │  ▲                          │
//         └───────── didEnterBackground ────┘  └──── willResignActive ────┘
//
// The state changes before the delegate's `did` method is called, and after its `will` method has returned.
//
// Sources   documented  UIApplication.State, UIApplicationDelegate

struct ApplicationLifeCycle {
    private(set) var state = UIApplication.State.background
    /// The delegate that AppCore made. No other object keeps it, so the application does.
    var ownedDelegate: (any UIApplicationDelegate)?
    /// A delegate that the app has set. Not `private(set)`: reading a property that can only be read copies the struct,
    /// and copying a weak reference is slow.
    weak var weakDelegate: (any UIApplicationDelegate)?

    mutating func setDelegate(_ delegate: (any UIApplicationDelegate)?) {
        ownedDelegate = nil
        weakDelegate = delegate
    }

    mutating func didLaunch() { state = .inactive }

    /// Changes the state before the delegate is called.
    mutating func begin(_ change: UIApplication.LifeCycleChange) {
        switch change {
        case .didBecomeActive: state = .active
        case .didEnterBackground: state = .background
        case .willResignActive, .willEnterForeground, .willTerminate: break
        }
    }

    /// Changes the state after the delegate was called.
    mutating func end(_ change: UIApplication.LifeCycleChange) {
        switch change {
        case .willResignActive, .willEnterForeground: state = .inactive
        case .didBecomeActive, .didEnterBackground, .willTerminate: break
        }
    }
}
