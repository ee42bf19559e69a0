// HitTestOverrides.swift: whether a class overrides `hitTest(_:with:)` or `point(inside:with:)`.
//
// Station   hitTest
// Input     the class of a view, when a hit index is made
// Output    HitIndex+Build.swift leaves the views of such a class to the walk
// Knows     class metadata. No view.
//
// A call of a method jumps through the entry of the method in the vtable of the object's class, which is a part of the
// class's metadata. An inherited entry equals the superclass's. An override has another entry, in the same position. So the
// comparison of two words tells exactly what a call would do, and calls no code of an app.
//
// The position of an entry is found with three classes that differ in one override. If the positions are not found, each
// class except UIView counts as overriding.
//
// Sources   documented  docs/ABI/TypeMetadata.rst of the Swift project: the header of class metadata, which precedes
//                       the entries of each class, those of superclasses first
//           Docs/Decisions/HitTesting.md

import Foundation

/// The vtable entries of the two methods that a hit test calls.
package struct HitTestOverrides: Sendable {
    /// An entry: its distance from the start of the metadata in bytes, and UIView's own implementation.
    struct Entry {
        var offset: Int
        var implementation: UInt
    }

    private var hitTest: Entry
    private var pointInside: Entry

    /// The entries of this process; nil if they are not where they are expected.
    static let known = HitTestOverrides()

    /// Whether calls of the two methods on objects of the class reach an app's code, or code of UIKit's subclasses.
    @inline(__always)
    func areIn(_ type: UIView.Type) -> Bool {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return metadata.load(fromByteOffset: hitTest.offset, as: UInt.self) != hitTest.implementation
            || metadata.load(fromByteOffset: pointInside.offset, as: UInt.self) != pointInside.implementation
    }

    /// Whether the class overrides one of the two methods. Every subclass counts as overriding if the entries are not known.
    package static func areIn(_ type: UIView.Type) -> Bool { known?.areIn(type) ?? (type != UIView.self) }

    /// Whether the entries are where they are expected.
    package static var areKnown: Bool { known != nil }

    // MARK: Positions of the entries

    private init?() {
        #if _runtime(_ObjC)
            // Metadata has other contents there, and methods may be replaced at run time.
            return nil
        #else
            guard let hitTest = Self.entry(overriddenIn: HitTestProbe.self),
                let pointInside = Self.entry(overriddenIn: PointInsideProbe.self),
                hitTest.offset != pointInside.offset
            else { return nil }
            (self.hitTest, self.pointInside) = (hitTest, pointInside)
        #endif
    }

    /// The only word of UIView's metadata that the class replaces and `InheritingProbe` does not.
    static func entry(overriddenIn probe: UIView.Type) -> Entry? {
        let view = unsafeBitCast(UIView.self, to: UnsafeRawPointer.self)
        let inheriting = unsafeBitCast(InheritingProbe.self, to: UnsafeRawPointer.self)
        let overriding = unsafeBitCast(probe, to: UnsafeRawPointer.self)
        // The header of a class: kind, superclass, flags and sizes, descriptor, destroyer of instance variables.
        let superclassOffset = 8
        let (sizeOffset, prefixOffset, entriesOffset) = (32, 36, 56)
        let superclass = unsafeBitCast(UIResponder.self, to: UInt.self)
        guard view.load(fromByteOffset: superclassOffset, as: UInt.self) == superclass,
            overriding.load(fromByteOffset: superclassOffset, as: UInt.self) == UInt(bitPattern: view)
        else { return nil }
        let end =
            Int(view.load(fromByteOffset: sizeOffset, as: UInt32.self))
            - Int(view.load(fromByteOffset: prefixOffset, as: UInt32.self))
        guard end > entriesOffset, end < 1 << 16, end % 8 == 0 else { return nil }
        var found: [Entry] = []
        for offset in stride(from: entriesOffset, to: end, by: 8) {
            let implementation = view.load(fromByteOffset: offset, as: UInt.self)
            if inheriting.load(fromByteOffset: offset, as: UInt.self) == implementation,
                overriding.load(fromByteOffset: offset, as: UInt.self) != implementation
            {
                found.append(Entry(offset: offset, implementation: implementation))
            }
        }
        return found.count == 1 ? found[0] : nil
    }
}

// The classes that find the entries. No object of them is made.

private final class InheritingProbe: UIView {}

private final class HitTestProbe: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { nil }
}

private final class PointInsideProbe: UIView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { false }
}
