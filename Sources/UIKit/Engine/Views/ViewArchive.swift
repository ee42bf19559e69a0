// ViewArchive.swift: the values of a view that an archive keeps.
//
// Input     UIView.encode, UIView.init(coder:)
//
// An archive has the view's geometry, look, tag and subviews. It has no recognizers, controllers and closures.
//
// Sources   documented  NSCoding: UIView, UIColor, UIFont and UIBezierPath can be archived
//           invented    the keys; archives of Apple's UIKit have other ones

import Foundation

extension UIView {
    final func encodeValues(with coder: NSCoder) {
        coder.encode(bounds, forKey: "bounds")
        coder.encode(center, forKey: "center")
        coder.encode(anchorPoint, forKey: "anchorPoint")
        let t = transform
        for (name, value) in [("a", t.a), ("b", t.b), ("c", t.c), ("d", t.d), ("tx", t.tx), ("ty", t.ty)] {
            coder.encode(Double(value), forKey: "transform." + name)
        }
        coder.encode(Double(alpha), forKey: "alpha")
        coder.encode(isHidden, forKey: "isHidden")
        coder.encode(isUserInteractionEnabled, forKey: "isUserInteractionEnabled")
        coder.encode(isMultipleTouchEnabled, forKey: "isMultipleTouchEnabled")
        coder.encode(isExclusiveTouch, forKey: "isExclusiveTouch")
        coder.encode(clipsToBounds, forKey: "clipsToBounds")
        coder.encode(isOpaque, forKey: "isOpaque")
        coder.encode(Int(appearance.autoresizing), forKey: "autoresizingMask")
        coder.encode(autoresizesSubviews, forKey: "autoresizesSubviews")
        coder.encode(contentMode.rawValue, forKey: "contentMode")
        coder.encode(tag, forKey: "tag")
        coder.encode(backgroundColor, forKey: "backgroundColor")
        coder.encode(values?.tintColor, forKey: "tintColor")
        coder.encode(accessibilityIdentifier.map { NSString(string: $0) }, forKey: "accessibilityIdentifier")
        coder.encode(NSArray(array: subviews), forKey: "subviews")
    }

    final func decodeValues(with coder: NSCoder) {
        bounds = coder.decodeRect(forKey: "bounds")
        center = coder.decodePoint(forKey: "center")
        anchorPoint = coder.decodePoint(forKey: "anchorPoint")
        func part(_ name: String) -> CGFloat { CGFloat(coder.decodeDouble(forKey: "transform." + name)) }
        transform = CGAffineTransform(
            a: part("a"), b: part("b"), c: part("c"), d: part("d"), tx: part("tx"), ty: part("ty"))
        alpha = CGFloat(coder.decodeDouble(forKey: "alpha"))
        isHidden = coder.decodeBool(forKey: "isHidden")
        isUserInteractionEnabled = coder.decodeBool(forKey: "isUserInteractionEnabled")
        isMultipleTouchEnabled = coder.decodeBool(forKey: "isMultipleTouchEnabled")
        isExclusiveTouch = coder.decodeBool(forKey: "isExclusiveTouch")
        clipsToBounds = coder.decodeBool(forKey: "clipsToBounds")
        isOpaque = coder.decodeBool(forKey: "isOpaque")
        appearance.autoresizing = UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "autoresizingMask"))
        autoresizesSubviews = coder.decodeBool(forKey: "autoresizesSubviews")
        contentMode = ContentMode(rawValue: coder.decodeInteger(forKey: "contentMode")) ?? .scaleToFill
        tag = coder.decodeInteger(forKey: "tag")
        backgroundColor = coder.decodeObject(forKey: "backgroundColor") as? UIColor
        if let color = coder.decodeObject(forKey: "tintColor") as? UIColor { tintColor = color }
        accessibilityIdentifier = coder.decodeObject(forKey: "accessibilityIdentifier") as? String
        for case let view as UIView in coder.decodeObject(forKey: "subviews") as? [Any] ?? [] { addSubview(view) }
    }
}
