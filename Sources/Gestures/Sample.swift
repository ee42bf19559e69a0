// Sample.swift: the samples of fingers that machines receive, and displacements.
//
// Station   gesture
// Input     UIKit/Engine/Gestures/MachineRecognizer.swift
// Output    samples for every machine
//
// Sources   invented

package import Basics

/// Points in a window's coordinates, origin top left.
package enum WindowSpace: Space { package typealias Coordinate = Double }

/// The number of one finger from landing to lift. Numbers grow in order of landing.
package struct FingerID: Hashable, Comparable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static func < (a: FingerID, b: FingerID) -> Bool { a.rawValue < b.rawValue }
}

/// The position of a finger when the device saw it.
package struct Sample: Equatable, Sendable {
    package var finger: FingerID
    package var position: Point<WindowSpace>
    /// The device's time. An event that is handled late keeps it.
    package var time: Instant

    package init(_ finger: FingerID, _ position: Point<WindowSpace>, _ time: Instant) {
        (self.finger, self.position, self.time) = (finger, position, time)
    }
}

/// The phase of the fingers of one call, or of a pointing device's scroll, pinch or hover.
package enum SamplePhase: Equatable, Sendable, CaseIterable { case began, moved, ended, cancelled }

/// A displacement, in points along the window's axes.
package struct Travel: Equatable, Sendable {
    package var dx, dy: Double

    package init(_ dx: Double, _ dy: Double) { (self.dx, self.dy) = (dx, dy) }

    package static let zero = Travel(0, 0)
    package static func + (a: Travel, b: Travel) -> Travel { Travel(a.dx + b.dx, a.dy + b.dy) }
    package static func - (a: Travel, b: Travel) -> Travel { Travel(a.dx - b.dx, a.dy - b.dy) }
    /// The larger magnitude of the two axes.
    package var reach: Double { max(dx.magnitude, dy.magnitude) }
}

extension Point where In == WindowSpace {
    package static func - (a: Point, b: Point) -> Travel { Travel(a.x - b.x, a.y - b.y) }
}

extension Travel: CustomStringConvertible {
    /// `(12.0, -3.5) pt`
    package var description: String { "(\(fixedText(dx, digits: 1)), \(fixedText(dy, digits: 1))) pt" }
}
