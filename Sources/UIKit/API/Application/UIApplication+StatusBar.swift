// UIApplication+StatusBar.swift: the status bar, which no screen shows here.
//
// Sources   documented  UIApplication: names

public import Foundation

extension UIApplication {
    /// Empty, because no status bar is shown here.
    public var statusBarFrame: CGRect { .zero }
    /// The orientation of the interface.
    public var statusBarOrientation: UIInterfaceOrientation { UIInterfaceOrientation(orientation) }
    public var isStatusBarHidden: Bool { true }
}

/// Runs the closure, because there is no pool of objects to empty.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
