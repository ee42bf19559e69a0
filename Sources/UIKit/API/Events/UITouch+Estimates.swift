// UITouch+Estimates.swift: properties of a pencil's samples that are estimates at first and are corrected later.
//
// Station   event → gesture, responder
// Input     code that plays a pencil: no panel here is one
// Output    touchesEstimatedPropertiesUpdated of the recognizers and of the view that received the touch
//
//     sample ─▶ index, estimated properties ─▶ delivered ─▶ … ─▶ update: the same sample, corrected ─▶ delivered again
//
// Sources   documented  an update identifies its sample by estimationUpdateIndex, reaches the receivers of the touch, and
//                       may arrive after the touch has ended (B15.3)

import Basics
package import Foundation
import HID

extension UITouch {
    /// Properties of a touch that can be estimates.
    public struct Properties: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let force = Properties(rawValue: 1)
        public static let azimuth = Properties(rawValue: 2)
        public static let altitude = Properties(rawValue: 4)
        public static let location = Properties(rawValue: 8)
    }

    /// The estimated properties of one sample, the properties that an update will correct, and the sample's index.
    struct Estimate {
        var properties: Properties = []
        var expecting: Properties = []
        var index: Int?
    }
}

/// The samples that wait for a correction.
struct PendingEstimates {
    struct Pending {
        var index: Int
        var sample: UITouch
        weak var view: UIView?
        var recognizers: [UIGestureRecognizer]
    }

    /// The properties that are estimates in every sample. If there are none, no sample is recorded.
    var properties: UITouch.Properties = []
    private var pending: [Pending] = []
    private var last = 0

    /// The greatest number of samples that wait: more than one frame has. The oldest is forgotten then, as the device may
    /// never correct it.
    static let limit = 2048

    /// Records the touch's current sample as an estimate.
    mutating func record(_ touch: UITouch) {
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
                index: last, sample: sample, view: touch.view, recognizers: touch.recognizers.all))
    }

    /// Removes properties from the set that the sample of this index waits for.
    ///
    /// - Returns: The sample, to be corrected; nil if it does not wait for any of the properties.
    mutating func settle(_ properties: UITouch.Properties, of index: Int) -> Pending? {
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
    /// Makes these properties estimates in every sample from the next event on.
    package func estimateProperties(_ properties: UITouch.Properties) { touchTracker.estimates.properties = properties }

    /// Corrects a sample, which then no longer estimates the given properties, and informs the receivers of the touch.
    ///
    /// - Parameters:
    ///   - index: The sample's `estimationUpdateIndex`. An index without a waiting sample is ignored.
    ///   - location: In the coordinates of the screen.
    package func settleEstimate(
        _ index: Int, force: CGFloat? = nil, azimuth: CGFloat? = nil, altitude: CGFloat? = nil,
        location: CGPoint? = nil
    ) {
        var settled: UITouch.Properties = []
        if force != nil { settled.insert(.force) }
        if azimuth != nil { settled.insert(.azimuth) }
        if altitude != nil { settled.insert(.altitude) }
        if location != nil { settled.insert(.location) }
        guard let pending = touchTracker.estimates.settle(settled, of: index) else { return }
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
