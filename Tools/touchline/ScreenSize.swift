// ScreenSize.swift: the value of --screen, the size of a screen in points.

import ArgumentParser
import Basics
import HID
import Recordings

/// Parses the value of --screen: `375x667`.
///
/// - Throws: `ValidationError` for anything but two numbers from 1 to 100,000.
func screenGeometry(named word: String) throws -> ScreenGeometry {
    let numbers = word.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1], (1...100_000).contains(width),
        (1...100_000).contains(height)
    else { throw ValidationError("expected a width and a height as 375x667, found \(quoted(word))") }
    return ScreenGeometry(width: width, height: height, rotation: 0)
}
