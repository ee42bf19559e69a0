// SceneDelegateTests.swift: views as recognizers' delegates, in a described scene and in an app that links Scenarios.

import Basics
import Foundation
import HID
@testable import Scenarios
import Testbed
import Testing
import TouchlineTesting
import UIKit

/// An app's view that is its recognizer's delegate, as nested scroll views are.
private final class RefusingView: UIView, UIGestureRecognizerDelegate {
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool { false }
}

@Suite("Views as recognizers' delegates beside a scene")
struct SceneDelegateTests {
    private let phone = TestPhone { UIView() }

    private func tap(_ view: UIView, delegate: any UIGestureRecognizerDelegate) throws -> Int {
        var count = 0
        phone.run {
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            window.makeKeyAndVisible()
            window.addSubview(view)
            let tap = UITapGestureRecognizer()
            tap.delegate = delegate
            tap.addAction(UIAction(title: "tap") { _ in count += 1 })
            view.addGestureRecognizer(tap)
        }
        try phone.tap(.point(10, 10))
        return count
    }

    @Test("linking Scenarios makes no view a gesture delegate")
    func noConformance() {
        let view: AnyObject = phone.run { UIView(frame: .zero) }
        #expect(!(view is any UIGestureRecognizerDelegate))
    }

    @Test("an app's own view subclass answers as a delegate itself")
    func ownSubclass() throws {
        let frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        let (refusing, plain) = phone.run {
            (RefusingView(frame: frame), UIView(frame: frame))
        }
        #expect(try tap(refusing, delegate: refusing) == 0)
        #expect(try tap(plain, delegate: plain.asDelegate) == 1)
    }
}
