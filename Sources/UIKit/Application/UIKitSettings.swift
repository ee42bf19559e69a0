// UIKitSettings.swift: the numbers UIKit goes by, as plain values.
//
// Hosting/Settings.swift holds the keys, their defaults and their sources; AppCore copies them here, so that UIKit
// need not know how a group is configured.

package import Foundation

package struct UIKitSettings: Sendable, Equatable {
    /// Points, after rotation: what `UIScreen.bounds` says.
    package var screenSize = CGSize(width: 375, height: 667)
    /// Pixels in a point.
    package var screenScale: CGFloat = 2
    /// Frames in a second.
    package var screenRefreshRate = 60
    /// Walks for each new contact. (S02, E1)
    package var hitTestPasses = 2
    /// `UIWindowScene` stands between window and application. (E23)
    package var hasWindowScene = false
    /// Seconds from a finger's lifting to the next one's landing. (B1.6)
    package var tapCountInterval: TimeInterval = 0.35
    /// Points. (B1.6)
    package var tapCountRadius: CGFloat = 45
    /// Points around a control's bounds that still count as inside while it tracks. (B10.6)
    package var trackingMargin: CGFloat = 70

    package init() {}
}
