// CADisplayLink.swift: a call for each frame the screen shows, while somebody wants it.
//
// Station   loop
// Fed by    AppCore's frame source, after the frame's events and before its layout
// Feeds     the target
//
// Sources   documented  CADisplayLink; the target is kept until `invalidate`
//           invented    frames are counted since boot, and a link that wants fewer has every nth

package import Basics
public import Foundation

public struct CAFrameRateRange: Equatable, Sendable {
    /// Frames in a second. `preferred` zero is as many as there are.
    public var minimum, maximum, preferred: Float

    public init(minimum: Float, maximum: Float, preferred: Float = 0) {
        (self.minimum, self.maximum, self.preferred) = (minimum, maximum, preferred)
    }

    public static let `default` = CAFrameRateRange(minimum: 0, maximum: 0, preferred: 0)
}

open class CADisplayLink: NSObject {
    private final var target: AnyObject?
    private final let selector: Selector
    /// Nil while it is in no loop.
    private final weak var application: UIApplication?
    final var modes: [RunLoop.Mode] = []

    public init(target: Any, selector sel: Selector) { (self.target, selector) = (target as AnyObject, sel) }

    /// Of the frame at hand, or the last one: when it was due, in seconds since boot.
    open private(set) var timestamp: TimeInterval = 0
    /// When the next one is due.
    open private(set) var targetTimestamp: TimeInterval = 0
    /// Between two frames of the screen.
    open private(set) var duration: TimeInterval = 0

    open var isPaused = false {
        didSet {
            if !isPaused, oldValue { application?.mainLoop?.requestFrame() }
        }
    }
    open var preferredFrameRateRange = CAFrameRateRange.default
    /// Zero is as many as there are.
    open var preferredFramesPerSecond: Int {
        get { Int(preferredFrameRateRange.preferred) }
        set {
            let rate = Float(max(0, newValue))
            preferredFrameRateRange = CAFrameRateRange(minimum: rate, maximum: rate, preferred: rate)
        }
    }

    /// There is one loop, the application's: whose code is running.
    open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) { add(forMode: mode) }

    package final func add(forMode mode: RunLoop.Mode) {
        guard target != nil, let application = application ?? UIApplication.current else { return }
        self.application = application
        if !modes.contains(mode) { modes.append(mode) }
        application.displayLinks.add(self)
        application.mainLoop?.requestFrame()
    }

    open func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) {
        modes.removeAll { $0 == mode }
        if modes.isEmpty { application?.displayLinks.remove(self) }
    }

    /// Out of its loop for good; the target is let go.
    open func invalidate() {
        modes = []
        target = nil
        application?.displayLinks.remove(self)
    }

    final func fires(in mode: RunLoop.Mode) -> Bool {
        !isPaused && modes.contains { $0 == mode || $0 == .common && (mode == .default || mode == .tracking) }
    }

    final func tell(_ frame: DisplayFrame) {
        let preferred = Double(preferredFrameRateRange.preferred)
        let every = preferred > 0 ? max(1, Int64((frame.rate / preferred).rounded())) : 1
        guard frame.number % every == 0, let target else { return }
        duration = 1 / frame.rate
        timestamp = frame.time.seconds
        targetTimestamp = timestamp + duration * Double(every)
        selector.run(on: target, sender: self, event: nil)
    }
}

/// One frame of the screen.
package struct DisplayFrame: Sendable {
    /// Since boot.
    package var number: Int64
    /// When it was due: not when the main loop got to it.
    package var time: Instant
    /// Frames in a second.
    package var rate: Double

    package init(number: Int64, time: Instant, rate: Double) {
        (self.number, self.time, self.rate) = (number, time, rate)
    }
}

/// An application's links, in the order they were added.
package struct DisplayLinks {
    private var links: [CADisplayLink] = []

    package init() {}

    mutating func add(_ link: CADisplayLink) {
        if !links.contains(where: { $0 === link }) { links.append(link) }
    }
    mutating func remove(_ link: CADisplayLink) { links.removeAll { $0 === link } }

    /// Whether anybody wants the next frame, whatever mode the loop is in by then.
    package var wantFrames: Bool { links.contains { !$0.isPaused } }

    /// Those there are now: what a callout adds has its first call in the next frame.
    fileprivate func firing(in mode: RunLoop.Mode) -> [CADisplayLink] { links.filter { $0.fires(in: mode) } }
}

extension UIApplication {
    /// The frame's events have been dispatched, and it has not been laid out yet. (C6)
    package func callDisplayLinks(_ frame: DisplayFrame, in mode: RunLoop.Mode) {
        for link in displayLinks.firing(in: mode) where link.fires(in: mode) { link.tell(frame) }
    }
}
