// CADisplayLink.swift: a call for each display frame, as long as the app requests one.
//
// Station   loop
// Input     AppCore's frame source, after the events of the frame and before its layout
// Output    the target
//
// Sources   documented  CADisplayLink; the link retains its target until `invalidate`
//           invented    frames are counted since boot; a link with a lower rate receives every nth frame

package import Basics
public import Foundation

/// The frame rates that a display link requests.
public struct CAFrameRateRange: Equatable, Sendable {
    /// In frames per second. At 0, `preferred` is the rate of the display.
    public var minimum, maximum, preferred: Float

    public init(minimum: Float, maximum: Float, preferred: Float = 0) {
        (self.minimum, self.maximum, self.preferred) = (minimum, maximum, preferred)
    }

    public static let `default` = CAFrameRateRange(minimum: 0, maximum: 0, preferred: 0)
}

/// Returns the time of the app's current turn, in seconds since boot: the clock of display links, touches and timers.
///
/// - Precondition: The code runs as an app's.
public func CACurrentMediaTime() -> TimeInterval { UIApplication.shared.now.seconds }

/// Sends an action to a target for each display frame.
open class CADisplayLink: NSObject {
    private final var target: AnyObject?
    private final let selector: Selector
    /// The application whose loop the link is in; nil if it was never added to one.
    private final weak var application: UIApplication?
    final var modes: [RunLoop.Mode] = []

    /// Makes a link that is in no loop. The link retains its target until `invalidate`.
    public init(target: Any, selector sel: Selector) { (self.target, selector) = (target as AnyObject, sel) }

    /// The time at which the current or last frame was due, in seconds since boot.
    open private(set) var timestamp: TimeInterval = 0
    /// The time at which the link's next frame is due, in seconds since boot.
    open private(set) var targetTimestamp: TimeInterval = 0
    /// The time between two display frames, in seconds.
    open private(set) var duration: TimeInterval = 0

    /// Whether the link receives no frames at the moment.
    open var isPaused = false {
        didSet {
            if !isPaused, oldValue { application?.mainLoop?.requestFrame() }
        }
    }
    open var preferredFrameRateRange = CAFrameRateRange.default
    /// In frames per second. At 0, the link receives every frame of the display.
    open var preferredFramesPerSecond: Int {
        get { Int(preferredFrameRateRange.preferred) }
        set {
            let rate = Float(max(0, newValue))
            preferredFrameRateRange = CAFrameRateRange(minimum: rate, maximum: rate, preferred: rate)
        }
    }

    /// Adds the link to the main loop of the application whose code is running. `runloop` is ignored: there is one loop.
    open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) { add(forMode: mode) }

    /// Adds the link to the main loop for a mode, and requests a display frame.
    package final func add(forMode mode: RunLoop.Mode) {
        guard target != nil, let application = application ?? UIApplication.current else { return }
        self.application = application
        if !modes.contains(mode) { modes.append(mode) }
        application.displayLinks.add(self)
        application.mainLoop?.requestFrame()
    }

    /// Removes a mode. A link without modes receives no frames.
    open func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) {
        modes.removeAll { $0 == mode }
        if modes.isEmpty { application?.displayLinks.remove(self) }
    }

    /// Removes the link from its loop for good, and releases the target.
    open func invalidate() {
        modes = []
        target = nil
        application?.displayLinks.remove(self)
    }

    /// Whether the link receives frames while the main loop is in `mode`.
    final func fires(in mode: RunLoop.Mode) -> Bool {
        !isPaused && modes.contains { $0 == mode || $0 == .common && (mode == .default || mode == .tracking) }
    }

    /// Calls the target, unless the requested rate leaves this frame out.
    final func callTarget(for frame: DisplayFrame) {
        let preferred = Double(preferredFrameRateRange.preferred)
        let every = preferred > 0 ? max(1, Int64((frame.rate / preferred).rounded())) : 1
        guard frame.number % every == 0, let target else { return }
        duration = 1 / frame.rate
        timestamp = frame.time.seconds
        targetTimestamp = timestamp + duration * Double(every)
        selector.run(on: target, sender: self, event: nil)
    }
}

/// One display frame.
package struct DisplayFrame: Sendable {
    /// Counts frames since boot.
    package var number: Int64
    /// The moment at which the frame was due. The main loop may handle it later.
    package var time: Instant
    /// In frames per second.
    package var rate: Double

    package init(number: Int64, time: Instant, rate: Double) {
        (self.number, self.time, self.rate) = (number, time, rate)
    }
}

/// The display links of an application, in the order in which they were added.
package struct DisplayLinks {
    private var links: [CADisplayLink] = []

    package init() {}

    mutating func add(_ link: CADisplayLink) {
        if !links.contains(where: { $0 === link }) { links.append(link) }
    }
    mutating func remove(_ link: CADisplayLink) { links.removeAll { $0 === link } }

    /// Whether a link requests the next frame, in whatever mode the loop will be.
    package var needFrames: Bool { links.contains { !$0.isPaused } }

    /// The links that receive this frame. A link that a callout adds receives the next frame first.
    fileprivate func firing(in mode: RunLoop.Mode) -> [CADisplayLink] { links.filter { $0.fires(in: mode) } }
}

extension UIApplication {
    /// Calls the display links, after the frame's events and before its layout. (C6)
    package func callDisplayLinks(_ frame: DisplayFrame, in mode: RunLoop.Mode) {
        for link in displayLinks.firing(in: mode) where link.fires(in: mode) { link.callTarget(for: frame) }
    }
}
