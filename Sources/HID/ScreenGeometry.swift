// ScreenGeometry.swift: conversion between the panel's 0...1 and points of the screen.
//
// Station   device (points of a script become a panel position), router (panel positions become points)
// Input     the settings screen.width, screen.height, screen.rotation
// Output    panel positions for FingerScript, points for the router's hit test
// Knows     one rectangle of a panel and its rotation. No window, no view.
//
//     rotation   screen x           screen y           screen size
//     0          px · width         py · height        width × height
//     90         (1−py) · height    px · width         height × width     panel turned clockwise
//     180        (1−px) · width     (1−py) · height    width × height
//     270        py · height        (1−px) · width     height × width
//
// A script's point leaves the server exactly as it was written. The panel has 65536 steps and the server rounds to
// 1/64 pt, so every multiple of 1/64 pt is exact on edges up to 1024 pt. Only the far edges are not: bounds are half-open,
// and a finger at the end of the panel is on the screen. A panel's last step is the last 1/64 pt before the edge.
//
// Sources   invented  the table; rotation is counted clockwise as seen by the person in front

public import Basics

/// The size and the rotation of a screen.
public struct ScreenGeometry: Hashable, Sendable {
    /// In points of the panel as it was built: before rotation.
    public let width, height: Double
    /// Degrees clockwise: 0, 90, 180 or 270.
    public let rotation: Int
    /// The last 1/64 pt of the width and of the height, in 64ths. Every finger of every scan is compared with them.
    private let lastColumn, lastRow: Double

    /// - Parameters:
    ///   - width: The width in points, as of an upright device.
    ///   - height: The height in points, as of an upright device.
    ///   - rotation: In degrees, reduced by whole turns.
    /// - Precondition: The rotation is a multiple of 90°, and the sizes are positive.
    public init(width: Double, height: Double, rotation: Int) {
        let turned = ((rotation % 360) + 360) % 360
        precondition(turned % 90 == 0, "a screen turned by \(rotation) degrees")
        precondition(width > 0 && height > 0, "a screen of \(width) by \(height) points")
        (self.width, self.height, self.rotation) = (width, height, turned)
        (lastColumn, lastRow) = ((width * 64).rounded(.up) - 1, (height * 64).rounded(.up) - 1)
    }

    /// The screen as a person sees it, in points.
    public var bounds: Rect<ScreenSpace> {
        rotation % 180 == 0
            ? Rect(x: 0, y: 0, width: width, height: height) : Rect(x: 0, y: 0, width: height, height: width)
    }

    /// Converts a panel position to its display's, with the result of `screenPoint(_:)`.
    public func displayPosition(_ position: Point<DigitizerSpace>) -> Point<DisplaySpace> {
        let point = screenPoint(position)
        return Point(point.x, point.y)
    }

    /// Converts a panel position to a point of the screen, rounded to 1/64 pt and always within `bounds`.
    public func screenPoint(_ position: Point<DigitizerSpace>) -> Point<ScreenSpace> {
        // Each axis counts from the panel's edge at which the screen's axis starts, so that no rounding is added.
        let (x, y) = (position.x.rawValue, position.y.rawValue)
        let (right, down) = (Double(x) / 65536, Double(y) / 65536)
        let (left, up) = (Double(65536 - Int64(x)) / 65536, Double(65536 - Int64(y)) / 65536)
        func across(_ share: Double) -> Double {
            Swift.max(0, Swift.min(lastColumn, (share * width * 64).rounded())) / 64
        }
        func along(_ share: Double) -> Double {
            Swift.max(0, Swift.min(lastRow, (share * height * 64).rounded())) / 64
        }
        return switch rotation {
        case 0: Point(across(right), along(down))
        case 90: Point(along(up), across(right))
        case 180: Point(across(left), along(up))
        default: Point(along(down), across(left))
        }
    }

    /// Converts a point of the screen to the nearest of the panel's 65536 steps.
    ///
    /// A point outside the panel is moved to the nearest edge, 0 or 1.
    public func panelPosition(_ point: Point<ScreenSpace>) -> Point<DigitizerSpace> {
        func step(_ share: Double) -> Int32 { Int32(Swift.max(0, Swift.min(65536, Int64(clamping: share * 65536)))) }
        func near(_ share: Double) -> Fixed { Fixed(rawValue: step(share)) }
        func far(_ share: Double) -> Fixed { Fixed(rawValue: 65536 - step(share)) }
        return switch rotation {
        case 0: Point(near(point.x / width), near(point.y / height))
        case 90: Point(near(point.y / width), far(point.x / height))
        case 180: Point(far(point.x / width), far(point.y / height))
        default: Point(far(point.y / width), near(point.x / height))
        }
    }
}
