// MonkeyProfile.swift: what the monkey likes to do: weights, pauses, places.
//
// Fed by    Configuration, from Config/Profiles; or `standard`, which is built in
// Feeds     MonkeyScript
// Knows     shares and weights. No file, no screen: places are fractions of one.
//
// Sources   invented

import Basics

public struct MonkeyProfile: Hashable, Sendable {
    /// What one finger does.
    public enum Single: String, Sendable, CaseIterable {
        case tap, doubleTap, tripleTap, longPress, swipe, pan, drag, edgeSwipe
    }

    /// What takes more fingers.
    public enum Multiple: String, Sendable, CaseIterable {
        case twoFingerTap, pinch, rotate
        /// Fingers that have nothing to do with each other.
        case scatter
    }

    /// What is no finger's doing.
    public enum Device: String, Sendable, CaseIterable { case press, key, remote, shake, scroll, wheel, hover }

    public struct Weight<Act: Hashable & Sendable>: Hashable, Sendable {
        public var act: Act
        public var weight: Int

        public init(_ act: Act, _ weight: Int) { (self.act, self.weight) = (act, weight) }
    }

    /// A part of the screen, in fractions of it.
    public struct Region: Hashable, Sendable {
        public var x, y, width, height: Double
        public var weight: Int

        public init(x: Double, y: Double, width: Double, height: Double, weight: Int = 1) {
            (self.x, self.y, self.width, self.height, self.weight) = (x, y, width, height, weight)
        }
    }

    /// By a hand out of the seed, or with a ruler.
    public var human = true
    /// Samples a second.
    public var rate = 60
    /// Between one gesture and the next.
    public var pause: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(400)
    /// Of all gestures, how many take several fingers, 0...1, and how many are a device's.
    public var multitouchShare = 0.15
    public var deviceShare = 0.05
    public var gestures: [Weight<Single>]
    public var multitouch: [Weight<Multiple>]
    public var devices: [Weight<Device>]
    /// Where gestures begin. None: anywhere.
    public var regions: [Region] = []

    public init(
        gestures: [Weight<Single>], multitouch: [Weight<Multiple>] = [], devices: [Weight<Device>] = []
    ) {
        (self.gestures, self.multitouch, self.devices) = (gestures, multitouch, devices)
    }

    /// What is played where nobody names a profile: Config/Profiles/standard.yaml.
    public static let standard = MonkeyProfile(
        gestures: [
            Weight(.tap, 40), Weight(.doubleTap, 8), Weight(.tripleTap, 2), Weight(.longPress, 6), Weight(.swipe, 18),
            Weight(.pan, 14), Weight(.drag, 4), Weight(.edgeSwipe, 8),
        ],
        multitouch: [Weight(.twoFingerTap, 3), Weight(.pinch, 4), Weight(.rotate, 3), Weight(.scatter, 2)],
        devices: [
            Weight(.press, 3), Weight(.key, 4), Weight(.remote, 1), Weight(.shake, 1), Weight(.scroll, 4),
            Weight(.wheel, 2), Weight(.hover, 2),
        ])
}
