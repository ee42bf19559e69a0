// LayerMaking.swift: makes a layer of the class that a view names.
//
// Input     UIView.layerClass
// Output    the layer of the view
// Knows     class metadata. No view.
//
// Swift makes an object of a class that is only known at run time if the class's initializer is `required`. On iOS it is
// not, so a subclass of CALayer in an app does not write the word. The initializer has an entry in the vtable all the same:
// in the part of NSObject, whose `init()` every class overrides. It is the only entry there in which a subclass without
// members differs from CALayer. A call passes the class in the register of a closure's context, as for a method of a class.
//
// Sources   documented  docs/ABI/TypeMetadata.rst and docs/ABI/CallingConvention.rst of the Swift project
//           HitTestOverrides.swift, which reads metadata in the same way

import Foundation

package enum LayerMaking {
    /// Makes a layer of a class by its `init()`.
    ///
    /// - Parameter type: A class of UIKit's, or of an app. The program stops if it is a class of an app and the entry is not
    ///   where it is expected.
    static func make(_ type: CALayer.Type) -> CALayer {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(CALayer.self): return CALayer()
        case ObjectIdentifier(CAShapeLayer.self): return CAShapeLayer()
        case ObjectIdentifier(CAGradientLayer.self): return CAGradientLayer()
        case ObjectIdentifier(CATextLayer.self): return CATextLayer()
        case ObjectIdentifier(CAReplicatorLayer.self): return CAReplicatorLayer()
        default: break
        }
        guard let offset = entryOffset else {
            preconditionFailure("layerClass: no initializer of \(type) was found in its metadata")
        }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let entry = metadata.load(fromByteOffset: offset, as: UInt.self)
        let call = unsafeBitCast(ClosureCall(run: run), to: WordCall.self)
        return call.run(entry, UInt(bitPattern: metadata))
    }

    /// Whether the entry is where it is expected.
    package static var isKnown: Bool { entryOffset != nil }

    // A closure that does not escape is two words, the code and the context, which are not retained. In the fields of
    // structures the two function types have the same form.
    private struct ClosureCall { let run: (() -> CALayer) -> CALayer }
    private struct WordCall { let run: (UInt, UInt) -> CALayer }

    @inline(never)
    private static func run(_ make: () -> CALayer) -> CALayer { make() }

    private final class InheritingLayer: CALayer {}

    private static let entryOffset: Int? = {
        #if _runtime(_ObjC)
            return nil
        #else
            let base = unsafeBitCast(CALayer.self, to: UnsafeRawPointer.self)
            let inheriting = unsafeBitCast(InheritingLayer.self, to: UnsafeRawPointer.self)
            let root = unsafeBitCast(NSObject.self, to: UnsafeRawPointer.self)
            // The header of a class: kind, superclass, flags and sizes, descriptor, destroyer of instance variables.
            let (superclassOffset, sizeOffset, prefixOffset, entriesOffset) = (8, 32, 36, 56)
            guard base.load(fromByteOffset: superclassOffset, as: UInt.self) == UInt(bitPattern: root),
                inheriting.load(fromByteOffset: superclassOffset, as: UInt.self) == UInt(bitPattern: base)
            else { return nil }
            let end =
                Int(root.load(fromByteOffset: sizeOffset, as: UInt32.self))
                - Int(root.load(fromByteOffset: prefixOffset, as: UInt32.self))
            guard end > entriesOffset, end < 1 << 16, end % 8 == 0 else { return nil }
            let found = stride(from: entriesOffset, to: end, by: 8).filter {
                base.load(fromByteOffset: $0, as: UInt.self) != inheriting.load(fromByteOffset: $0, as: UInt.self)
            }
            return found.count == 1 ? found[0] : nil
        #endif
    }()
}

extension UIView {
    final func makeLayer() -> CALayer {
        guard let layerType = Self.layerClass as? CALayer.Type else {
            preconditionFailure("\(Self.self).layerClass is \(Self.layerClass), which is no layer")
        }
        let layer = LayerMaking.make(layerType)
        layer.owner = self
        backingLayer = layer
        for child in children { layer.positionLayer(of: child, .front) }
        if drawsItself { setNeedsDisplay() }
        return layer
    }

    /// Orders the subviews as their layers are ordered.
    final func reorderSubviews(like layers: [CALayer]) {
        let ordered = layers.compactMap { layer in
            layer.owner.flatMap { view in view.parent === self ? view : nil }
        }
        guard ordered.count == children.count else { return }
        children = ordered
    }
}
