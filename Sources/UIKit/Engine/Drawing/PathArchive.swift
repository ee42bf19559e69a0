// PathArchive.swift: the elements of a path as bytes, and back.
//
//     for each element:  1 byte kind (0 move, 1 line, 2 quadratic curve, 3 cubic curve, 4 close)
//                        for each point x and y, 8 bytes each, the least significant byte first
//
// Input     UIBezierPath's coder
//
// Sources   invented    the layout; archives of Apple's UIKit have another one

import Foundation

extension [PathElement] {
    /// The elements as bytes.
    var archived: Data {
        var data = Data()
        for element in self {
            let kind: UInt8 =
                switch element {
                case .move: 0
                case .line: 1
                case .quad: 2
                case .curve: 3
                case .close: 4
                }
            data.append(kind)
            for coordinate in element.points.flatMap({ [$0.x, $0.y] }) {
                Swift.withUnsafeBytes(of: Double(coordinate).bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    /// Reads elements from bytes. Nil for bytes that `archived` cannot have made; the archive is at fault.
    init?(archived data: Data) {
        self = []
        var rest = data[...]
        func number() -> CGFloat? {
            guard rest.count >= 8 else { return nil }
            let bits = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            return CGFloat(Double(bitPattern: bits))
        }
        func point() -> CGPoint? {
            guard let x = number(), let y = number() else { return nil }
            return CGPoint(x: x, y: y)
        }
        while let kind = rest.popFirst() {
            switch kind {
            case 0:
                guard let end = point() else { return nil }
                append(.move(end))
            case 1:
                guard let end = point() else { return nil }
                append(.line(end))
            case 2:
                guard let control = point(), let end = point() else { return nil }
                append(.quad(control: control, end))
            case 3:
                guard let first = point(), let second = point(), let end = point() else { return nil }
                append(.curve(control1: first, control2: second, end))
            case 4: append(.close)
            default: return nil
            }
        }
    }
}
