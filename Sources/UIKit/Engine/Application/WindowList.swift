// WindowList.swift: the windows of an application, shown or not.
//
// Station   event
// Input     UIWindow: made, shown, hidden, key, gone
// Output    the windows back to front; which one is key; whether one was ever secure
//
// Sources   documented  windows are in order of level, then of showing; a window that is shown goes in front of its level

struct WindowList {
    /// In order of showing; the last one shown is last.
    private(set) var shown: [UIWindow] = []
    /// Held, and not weakly: a weak reference would make every later use of the window slower.
    var key: UIWindow?
    /// Back to front; nil after a window was shown or hidden, or has another level.
    private(set) var ordered: [UIWindow]?
    /// Every window made for the application; they are told when it goes.
    private var known: [Unmanaged<UIWindow>] = []
    private var made: UInt32 = 0
    /// One of its windows is, or was, secure: from then on no fact of this app says where anything is. A finger that was on
    /// such a window may still be down when it is gone, and what it did is told of later.
    private(set) var hadSecureWindow = false

    // MARK: Made and gone

    /// Of one more window.
    mutating func nextNumber() -> UInt32 {
        made &+= 1
        return made
    }

    mutating func adopt(_ window: UIWindow) { known.append(.passUnretained(window)) }

    mutating func forget(_ window: UIWindow) {
        known.removeAll { $0.toOpaque() == Unmanaged.passUnretained(window).toOpaque() }
    }

    /// The application is about to go.
    func forgetApplication() {
        for window in known { window._withUnsafeGuaranteedRef { $0.application = nil } }
    }

    mutating func becomeSecure() { hadSecureWindow = true }

    // MARK: Shown and hidden

    /// Puts the window in front of those of its level.
    mutating func show(_ window: UIWindow) {
        hide(window)
        shown.append(window)
    }

    mutating func hide(_ window: UIWindow) {
        shown.removeAll { $0 === window }
        ordered = nil
    }

    /// A window has another level.
    mutating func levelsChanged() { ordered = nil }

    /// Back to front: by level, then by order of showing.
    func sorted() -> [UIWindow] {
        shown.enumerated()
            .sorted { ($0.element.windowLevel, $0.offset) < ($1.element.windowLevel, $1.offset) }
            .map(\.element)
    }

    mutating func know(_ ordered: [UIWindow]) { self.ordered = ordered }
}
