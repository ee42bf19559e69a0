// CGFloat+NSNumber.swift: a CGFloat where Objective-C takes a number.
//
// Input     `value as NSNumber`, `[0, 0.5] as [NSNumber]`, `number as? CGFloat`
// Sources   documented  CGFloat bridges to NSNumber; Foundation on Linux does this for Double and Float

public import Foundation

extension CGFloat: @retroactive _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { NSNumber(value: Double(self)) }

    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) {
        result = CGFloat(source.doubleValue)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) -> Bool {
        result = CGFloat(source.doubleValue)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> CGFloat {
        source.map { CGFloat($0.doubleValue) } ?? 0
    }
}
