/// A bounded first-in, first-out queue. `append` returns false instead of growing the storage.
public struct Ring<Element> {
    @usableFromInline var storage: [Element?]
    @usableFromInline var head = 0
    @usableFromInline var storedCount = 0

    @inlinable public var count: Int { storedCount }

    /// - Parameter capacity: At least one.
    @inlinable
    public init(capacity: Int) {
        precondition(capacity > 0, "a ring of \(capacity) holds nothing")
        storage = Array(repeating: nil, count: capacity)
    }

    @inlinable public var capacity: Int { storage.count }
    @inlinable public var isEmpty: Bool { count == 0 }
    @inlinable public var isFull: Bool { count == storage.count }

    /// - Returns: False if the ring is full; the element is then not appended.
    @inlinable
    public mutating func append(_ element: Element) -> Bool {
        guard !isFull else { return false }
        storage[(head + count) % storage.count] = element
        storedCount += 1
        return true
    }

    /// Appends an element, after removing the oldest if the ring is full.
    @inlinable
    public mutating func overwrite(with element: Element) {
        if isFull { _ = removeFirst() }
        _ = append(element)
    }

    @inlinable
    public mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            storage[head] = nil
            head = (head + 1) % storage.count
            storedCount -= 1
        }
        return storage[head]
    }

    /// The elements, oldest first.
    public var elements: [Element] { (0..<count).compactMap { storage[(head + $0) % storage.count] } }
}

extension Ring: Sendable where Element: Sendable {}
extension Ring: Equatable where Element: Equatable {
    public static func == (a: Ring, b: Ring) -> Bool { a.capacity == b.capacity && a.elements == b.elements }
}
