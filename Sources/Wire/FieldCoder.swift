// FieldCoder.swift: one description of a value's fields, used for encoding, decoding, drawing and digesting.
//
//    description: init(coding: value?, with: coder)
//      ByteWriter   receives the value and writes its fields
//      ByteReader   receives nil and makes the value from the fields it reads; any bytes give a value or a WireError
//      FieldDigest  receives the value and mixes its fields into a number
//      FieldLayout  receives the value and lists its fields with their names (Docs/Reference/Wire.md)
//
// A coder that has a value returns each field unchanged, so a description always makes a whole value. A decoded value
// therefore has every guarantee of the type's initializer.
//
// Sources   invented

package import Basics
package import HID

/// A type whose fields are described once, in the order of their bytes.
package protocol FieldCodable {
    /// - Parameters:
    ///   - value: The value whose fields are written; nil for a coder that reads.
    ///   - coder: The coder that processes the fields, in their order.
    init<Coder: FieldCoder>(coding value: Self?, with coder: inout Coder) throws(Coder.Failure)
}

/// A coder that processes a description field by field.
package protocol FieldCoder {
    /// The error of a coder that reads; `Never` for a coder that receives a value.
    associatedtype Failure: Error

    /// A little-endian integer.
    mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) throws(Failure) -> Value
    /// A length (u32) and UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - text: Nil for a coder that reads.
    ///   - name: The name of the field in a drawing of the bytes.
    ///   - what: The name of the field in an error.
    ///   - limit: The greatest length in bytes.
    mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int) throws(Failure)
        -> String
    /// A length (u32) and that many bytes.
    mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int) throws(Failure)
        -> [UInt8]
    /// The number of elements that follow (u32).
    ///
    /// - Parameters:
    ///   - count: Nil for a coder that reads.
    ///   - name: The name of the field in a drawing of the bytes.
    ///   - what: The name of the elements in an error.
    ///   - size: The smallest size of an element in bytes. A wrong count is found before memory is allocated for it.
    ///   - limit: The greatest number of elements.
    mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        throws(Failure) -> Int
    /// Converts an error into the failure of a coder that reads. Descriptions call it for no other coder.
    func failure(_ error: WireError) -> Failure
    /// Fails if a coder that reads found a value that the description does not allow.
    func require(_ isAllowed: Bool, else error: @autoclosure () -> WireError) throws(Failure)
    /// The memory for lists that are read; nil if each list has memory of its own.
    var memory: DecodingMemory? { get }
}

extension FieldCoder where Failure == Never {
    package var memory: DecodingMemory? { nil }

    @inline(__always)
    package func require(_ isAllowed: Bool, else error: @autoclosure () -> WireError) {}

    /// A count is a field of 32 bits.
    package mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        -> Int
    {
        let count = count.unsafelyUnwrapped
        _ = field(UInt32(count), name)
        return count
    }

    package func failure(_ error: WireError) -> Never { preconditionFailure("a value has no such field: \(error)") }
}

// MARK: Types of fields

extension FieldCoder {
    @inline(__always)
    package mutating func field(_ value: Fixed?, _ name: StaticString) throws(Failure) -> Fixed {
        Fixed(rawValue: try field(value?.rawValue, name))
    }

    /// A position: x, then y.
    @inline(__always)
    package mutating func field<In: Space>(
        _ position: Point<In>?, x: StaticString, y: StaticString
    ) throws(Failure) -> Point<In> where In.Coordinate == Fixed {
        Point(try field(position?.x, x), try field(position?.y, y))
    }

    @inline(__always)
    package mutating func field(_ moment: Instant?, _ name: StaticString) throws(Failure) -> Instant {
        Instant(nanoseconds: try field(moment?.nanoseconds, name))
    }

    @inline(__always)
    package mutating func field(_ touch: TouchID?, _ name: StaticString) throws(Failure) -> TouchID {
        TouchID(rawValue: try field(touch?.rawValue, name))
    }

    @inline(__always)
    package mutating func field(_ sequence: SequenceNumber?, _ name: StaticString) throws(Failure) -> SequenceNumber {
        SequenceNumber(try field(sequence?.rawValue, name))
    }

    package mutating func field(_ display: DisplayID?, _ name: StaticString) throws(Failure) -> DisplayID {
        DisplayID(try field(display?.rawValue, name))
    }

    package mutating func field(_ app: AppID?, _ name: StaticString) throws(Failure) -> AppID {
        AppID(try field(app?.rawValue, name))
    }

    /// An app, or 0 for none.
    ///
    /// - Parameters:
    ///   - app: Nil for a coder that reads; with a payload of nil for no app.
    ///   - name: The name of the field in a drawing of the bytes.
    package mutating func field(_ app: AppID??, orZero name: StaticString) throws(Failure) -> AppID? {
        let number = try field(app.map { $0?.rawValue ?? 0 }, name)
        return number == 0 ? nil : AppID(number)
    }

    @inline(__always)
    package mutating func field<Set: OptionSet>(_ bits: Set?, _ name: StaticString) throws(Failure) -> Set
    where Set.RawValue: FixedWidthInteger {
        Set(rawValue: try field(bits?.rawValue, name))
    }

    /// A byte that is 0 or 1.
    ///
    /// - Parameters:
    ///   - flag: Nil for a coder that reads.
    ///   - name: The name of the field in a drawing of the bytes.
    ///   - what: The name of the field in an error.
    package mutating func field(_ flag: Bool?, _ name: StaticString, as what: StaticString) throws(Failure) -> Bool {
        let byte: UInt8 = try field(flag.map { $0 ? 1 : 0 }, name)
        try require(byte < 2, else: .badValue("\(what)", UInt64(byte)))
        return byte == 1
    }

    /// A byte that is the raw value of a case.
    ///
    /// - Parameters:
    ///   - value: Nil for a coder that reads.
    ///   - name: The name of the field in a drawing of the bytes.
    ///   - what: The name of the field in an error.
    @inline(__always)
    package mutating func field<Value: RawRepresentable<UInt8>>(
        _ value: Value?, _ name: StaticString, as what: StaticString
    ) throws(Failure) -> Value {
        let byte = try field(value?.rawValue, name)
        guard let value = Value(rawValue: byte) else { throw failure(.badValue("\(what)", UInt64(byte))) }
        return value
    }

    @inline(__always)
    package mutating func field(_ text: String?, _ name: StaticString, as what: StaticString) throws(Failure) -> String
    {
        try field(text, name, as: what, limit: Frame.packetLimit)
    }

    @inline(__always)
    package mutating func field<Value: FieldCodable>(_ value: Value?) throws(Failure) -> Value {
        try Value(coding: value, with: &self)
    }

    /// A count, followed by the elements. A coder that reads may use the memory of the empty list `memory`.
    @inline(__always)
    package mutating func list<Element>(
        _ elements: [Element]?, _ name: StaticString, of what: StaticString, size: Int, limit: Int,
        in memory: consuming [Element] = [], _ describe: (Element?, inout Self) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        let count = try count(elements?.count, name, of: what, size: size, limit: limit)
        return try self.elements(elements, count: count, in: memory, describe)
    }

    /// The elements of which an earlier field stated the count.
    @inline(__always)
    package mutating func elements<Element>(
        _ elements: [Element]?, count: Int, in memory: consuming [Element] = [],
        _ describe: (Element?, inout Self) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        if let elements {
            for index in elements.indices { _ = try describe(elements[index], &self) }
            return elements
        }
        var read = memory
        // Most lists have one element, and an array is made faster with it than for it.
        if count == 1, read.capacity == 0 { return [try describe(nil, &self)] }
        read.reserveCapacity(count)
        for _ in 0..<count { read.append(try describe(nil, &self)) }
        return read
    }

    @inline(__always)
    package mutating func list<Element: FieldCodable>(
        _ elements: [Element]?, _ name: StaticString, of what: StaticString, size: Int, limit: Int
    ) throws(Failure) -> [Element] {
        try list(elements, name, of: what, size: size, limit: limit) { (element, coder) throws(Failure) in
            try Element(coding: element, with: &coder)
        }
    }
}
