import Testing

@testable import UIKit

private final class Value {}
nonisolated(unsafe) private var key: UInt8 = 0
nonisolated(unsafe) private var otherKey: UInt8 = 0

@Suite("values attached to objects")
struct AttachedValueTests {
    @Test("a value belongs to its object and key", arguments: [true, false])
    func values(isResponder: Bool) {
        let object: NSObject = isResponder ? UIView() : NSObject()
        let other: NSObject = isResponder ? UIView() : NSObject()
        objc_setAssociatedObject(object, &key, "first", .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        objc_setAssociatedObject(object, &otherKey, 2, .OBJC_ASSOCIATION_COPY)
        #expect(objc_getAssociatedObject(object, &key) as? String == "first")
        #expect(objc_getAssociatedObject(object, &otherKey) as? Int == 2)
        #expect(objc_getAssociatedObject(other, &key) == nil)
        objc_setAssociatedObject(object, &key, nil, .OBJC_ASSOCIATION_RETAIN)
        #expect(objc_getAssociatedObject(object, &key) == nil)
        objc_removeAssociatedObjects(object)
        #expect(objc_getAssociatedObject(object, &otherKey) == nil)
    }

    @Test("a responder releases its values; an assigned value is not retained")
    func lifetimes() {
        weak var kept: Value?
        do {
            let view = UIView()
            let value = Value()
            kept = value
            objc_setAssociatedObject(view, &key, value, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            objc_setAssociatedObject(view, &otherKey, Value(), .OBJC_ASSOCIATION_ASSIGN)
            #expect(objc_getAssociatedObject(view, &otherKey) == nil)
        }
        #expect(kept == nil)
    }

    @Test("values of dead objects are released")
    func dead() {
        weak var kept: Value?
        do {
            let value = Value()
            kept = value
            objc_setAssociatedObject(NSObject(), &key, value, .OBJC_ASSOCIATION_RETAIN)
        }
        var living: [NSObject] = []
        for _ in 0..<200 {
            living.append(NSObject())
            objc_setAssociatedObject(living.last!, &key, 1, .OBJC_ASSOCIATION_RETAIN)
            objc_setAssociatedObject(NSObject(), &key, 1, .OBJC_ASSOCIATION_RETAIN)
        }
        #expect(kept == nil)
        #expect(living.allSatisfy { objc_getAssociatedObject($0, &key) as? Int == 1 })
    }
}
