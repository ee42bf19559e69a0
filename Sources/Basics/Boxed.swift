// Boxed.swift: a large value behind one pointer, whose memory its last owner may use again.
//
// Sources   invented

/// A value in memory of its own. Copies share the memory; it never changes while more than one copy exists.
public struct Boxed<Value> {
    @usableFromInline
    final class Box {
        // Written only while a single copy exists, through an exclusive access to that copy.
        @exclusivity(unchecked) @usableFromInline var value: Value
        @inlinable init(_ value: consuming Value) { self.value = value }
    }

    @usableFromInline var box: Box

    @inlinable public init(_ value: consuming Value) { box = Box(value) }

    @inlinable public var value: Value { _read { yield box.value } }

    /// Replaces the value, in the same memory if there is no other copy.
    @inlinable
    public mutating func replace(with value: consuming Value) {
        if isKnownUniquelyReferenced(&box) { box.value = value } else { box = Box(value) }
    }

    /// Changes the value in place if there is no other copy.
    ///
    /// - Returns: Nil if there is another copy. `change` is not called then.
    @inlinable
    public mutating func changeIfUnique<Result>(_ change: (inout Value) -> Result) -> Result? {
        isKnownUniquelyReferenced(&box) ? change(&box.value) : nil
    }
}

extension Boxed: @unchecked Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
    @inlinable public static func == (a: Boxed, b: Boxed) -> Bool { a.box === b.box || a.value == b.value }
}

extension Boxed: Hashable where Value: Hashable {
    @inlinable public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
