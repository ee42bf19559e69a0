// FuzzScene.swift: the windows that the fuzzed app shows.

import UIKit

/// The app's views: small enough to be made a hundred thousand times a second, with something of every kind.
enum FuzzScene {
    static func show(_ which: UInt8) {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
        switch which {
        case 0: break
        case 1:
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 375, height: 300))
            view.isMultipleTouchEnabled = true
            let double = UITapGestureRecognizer(target: nil, action: nil)
            double.numberOfTapsRequired = 2
            let single = UITapGestureRecognizer(target: nil, action: nil)
            single.require(toFail: double)
            let others = [
                UILongPressGestureRecognizer(target: nil, action: nil),
                UIPanGestureRecognizer(target: nil, action: nil),
                UIPinchGestureRecognizer(target: nil, action: nil),
                UIRotationGestureRecognizer(target: nil, action: nil),
                UISwipeGestureRecognizer(target: nil, action: nil),
            ]
            for recognizer in [double, single] + others { view.addGestureRecognizer(recognizer) }
            window.addSubview(view)
            window.addSubview(UIButton(frame: CGRect(x: 0, y: 310, width: 375, height: 80)))
        case 2:
            let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 400))
            scroll.contentSize = CGSize(width: 800, height: 2000)
            scroll.addSubview(UIButton(frame: CGRect(x: 20, y: 20, width: 300, height: 200)))
            scroll.addSubview(UISlider(frame: CGRect(x: 20, y: 240, width: 300, height: 40)))
            window.addSubview(scroll)
            window.addSubview(UISwitch(frame: CGRect(x: 0, y: 420, width: 200, height: 80)))
        default:
            let outer = UIView(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
            outer.addGestureRecognizer(UIPanGestureRecognizer(target: nil, action: nil))
            let inner = UIView(frame: CGRect(x: 50, y: 50, width: 200, height: 400))
            inner.isExclusiveTouch = true
            inner.transform = CGAffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0)
            let other = UIView(frame: CGRect(x: 100, y: 200, width: 200, height: 400))
            other.addGestureRecognizer(UITapGestureRecognizer(target: nil, action: nil))
            outer.addSubview(inner)
            outer.addSubview(other)
            window.addSubview(outer)
        }
        window.makeKeyAndVisible()
    }
}
