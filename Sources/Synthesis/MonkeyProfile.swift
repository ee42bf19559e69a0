// MonkeyProfile.swift: the preferences of the monkey: weights, pauses, regions.
//
// Input     Configuration, from Config/Profiles; or `standard`, which is built in
// Output    MonkeyScript
// Knows     shares and weights. No file, no screen: regions are fractions of one.
//
// Sources   invented

import Basics

/// The weights by which the monkey chooses its acts.
public struct MonkeyProfile: Hashable, Sendable {
    /// The acts of one finger.
    public enum Single: String, Sendable, CaseIterable {
        case tap, doubleTap, tripleTap, longPress, swipe, pan, drag, edgeSwipe
    }

    /// The acts of several fingers.
    public enum Multiple: String, Sendable, CaseIterable {
        case twoFingerTap, pinch, rotate
        /// Fingers that move independently of each other.
        case scatter
    }

    /// The acts of other devices.
    public enum Device: String, Sendable, CaseIterable { case press, key, remote, shake, scroll, wheel, hover }

    /// An act with its weight.
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

    /// Whether gestures are human, from the seed, or exact.
    public var human = true
    /// Samples a second.
    public var rate = 60
    /// The pause between two gestures.
    public var pause: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(400)
    /// The shares of gestures with several fingers, and of a device's acts, 0...1.
    public var multitouchShare = 0.15
    public var deviceShare = 0.05
    public var gestures: [Weight<Single>]
    public var multitouch: [Weight<Multiple>]
    public var devices: [Weight<Device>]
    /// The regions in which gestures begin. Empty: anywhere.
    public var regions: [Region] = []

    public init(
        gestures: [Weight<Single>], multitouch: [Weight<Multiple>] = [], devices: [Weight<Device>] = []
    ) {
        (self.gestures, self.multitouch, self.devices) = (gestures, multitouch, devices)
    }

    /// The default profile: Config/Profiles/standard.yaml.
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
