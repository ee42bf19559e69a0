// WindowList.swift: the windows of an application, shown or not.
//
// Station   event
// Input     UIWindow: made, shown, hidden, made key, deallocated
// Output    the windows back to front; the key window; whether a window was ever secure
//
// Sources   documented  windows are ordered by level, then by showing; a shown window comes to the front of its level

struct WindowList {
    /// The shown windows; the one shown last is last.
    private(set) var shown: [UIWindow] = []
    /// A strong reference: a weak one would make every later use of the window slower.
    var key: UIWindow?
    /// The shown windows from back to front; nil after a window was shown or hidden, or changed its level.
    private(set) var ordered: [UIWindow]?
    /// Every window of the application. The list lets each window forget the application before that is deallocated.
    private var allWindows: [Unmanaged<UIWindow>] = []
    private var lastNumber: UInt32 = 0
    /// Whether a window is or was secure. From then on, facts of this app contain no positions, because a finger on
    /// such a window may still be down after the window is gone, and later facts report it.
    private(set) var hadSecureWindow = false

    // MARK: Windows made and deallocated

    /// Returns the number for a new window.
    mutating func nextNumber() -> UInt32 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func add(_ window: UIWindow) { allWindows.append(.passUnretained(window)) }

    mutating func remove(_ window: UIWindow) {
        allWindows.removeAll { $0.toOpaque() == Unmanaged.passUnretained(window).toOpaque() }
    }

    /// Lets all windows forget the application, which is about to be deallocated.
    func detachWindows() {
        for window in allWindows { window._withUnsafeGuaranteedRef { $0.application = nil } }
    }

    mutating func becomeSecure() { hadSecureWindow = true }

    // MARK: Windows shown and hidden

    /// Puts the window in front of all windows of its level.
    mutating func show(_ window: UIWindow) {
        hide(window)
        shown.append(window)
    }

    mutating func hide(_ window: UIWindow) {
        shown.removeAll { $0 === window }
        ordered = nil
    }

    /// Forgets the order after a window changed its level.
    mutating func levelsChanged() { ordered = nil }

    /// The shown windows from back to front: by level, then by order of showing.
    func sorted() -> [UIWindow] {
        shown.enumerated()
            .sorted { ($0.element.windowLevel, $0.offset) < ($1.element.windowLevel, $1.offset) }
            .map(\.element)
    }

    mutating func cacheOrder(_ ordered: [UIWindow]) { self.ordered = ordered }
}
