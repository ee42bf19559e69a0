// UITouch+Estimates.swift: properties a pencil only guesses at first, and the word it sends later.
//
// Station   event → gesture, responder
// Fed by    whoever plays a pencil: no panel here has one
// Feeds     touchesEstimatedPropertiesUpdated of the recognisers and the view that had the touch
//
//     sample ─▶ index, what is estimated ─▶ told ─▶ … ─▶ update: the same sample, corrected ─▶ told again
//
// Sources   documented  an update names its sample by estimationUpdateIndex, comes to whoever had the touch, and may come
//                       after the touch has ended (B15.3)

import Basics
package import Foundation
import HID

extension UITouch {
    public struct Properties: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let force = Properties(rawValue: 1)
        public static let azimuth = Properties(rawValue: 2)
        public static let altitude = Properties(rawValue: 4)
        public static let location = Properties(rawValue: 8)
    }

    /// What a touch says of its estimates.
    struct Estimate {
        var properties: Properties = []
        var expecting: Properties = []
        var index: Int?
    }
}

/// Samples whose last word has not been spoken.
struct PendingEstimates {
    struct Pending {
        var index: Int
        var sample: UITouch
        weak var view: UIView?
        var recognizers: [UIGestureRecognizer]
    }

    /// What the device guesses at of every touch. None: nothing here costs anything.
    var properties: UITouch.Properties = []
    private var pending: [Pending] = []
    private var last = 0

    /// A device that forgets to correct itself is forgotten too.
    static let limit = 1024

    /// The touch's sample of this moment is an estimate.
    mutating func open(_ touch: UITouch) {
        last += 1
        touch.measures.estimate = UITouch.Estimate(properties: properties, expecting: properties, index: last)
        if pending.count == Self.limit { pending.removeFirst() }
        let sample = UITouch(
            touch,
            at: UITouch.Sample(
                position: touch.position, previousPosition: touch.previousPosition, timestamp: touch.timestamp))
        sample.phase = touch.phase
        pending.append(
            Pending(
                index: last, sample: sample, view: touch.view, recognizers: touch.gestureRecognizers ?? []))
    }

    /// - Returns: The sample as it was, to be corrected; nil when nothing is expected of it.
    mutating func close(_ properties: UITouch.Properties, of index: Int) -> Pending? {
        guard let place = pending.firstIndex(where: { $0.index == index }) else { return nil }
        let found = pending[place]
        guard !properties.isDisjoint(with: found.sample.measures.estimate.expecting) else { return nil }
        found.sample.measures.estimate.expecting.subtract(properties)
        found.sample.measures.estimate.properties.subtract(properties)
        if found.sample.measures.estimate.expecting.isEmpty { pending.remove(at: place) }
        return found
    }
}

extension UIApplication {
    /// From the next event on every sample's properties are estimates to be corrected.
    package func estimate(_ properties: UITouch.Properties) { touchTracker.estimates.properties = properties }

    /// The device's last word on a sample: what is given is settled.
    ///
    /// - Parameters:
    ///   - index: The sample's `estimationUpdateIndex`. One that is settled, or unknown, is ignored.
    ///   - location: On the screen.
    package func settle(
        _ index: Int, force: CGFloat? = nil, azimuth: CGFloat? = nil, altitude: CGFloat? = nil,
        location: CGPoint? = nil
    ) {
        var settled: UITouch.Properties = []
        if force != nil { settled.insert(.force) }
        if azimuth != nil { settled.insert(.azimuth) }
        if altitude != nil { settled.insert(.altitude) }
        if location != nil { settled.insert(.location) }
        guard let pending = touchTracker.estimates.close(settled, of: index) else { return }
        let sample = pending.sample
        if let force { sample.measures.force = force }
        if let azimuth { sample.measures.pose.azimuth = azimuth }
        if let altitude { sample.measures.pose.altitude = altitude }
        if let location { sample.position = sample.window?.pointFromSuperview(location) ?? location }
        emit(.input(.estimateSettled(sample.id, index: index)))
        for recognizer in pending.recognizers { correct([sample], of: recognizer) }
        guard let view = pending.view else { return }
        call(.estimates([sample]), of: view) { view.touchesEstimatedPropertiesUpdated([sample]) }
    }
}
