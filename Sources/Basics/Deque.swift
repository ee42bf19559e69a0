// Deque.swift: a queue without a bound: elements are appended at the end and taken from the front, each in constant time.
//
//     storage   · · · · a b c d      `head` counts the places in front whose elements were taken
//                       0 1 2 3      indices
//
// An element is freed when it is taken. The places in front are given up together, once they are more than half of all:
// each element is moved at most once for each that was taken. A queue with a bound is a `Ring`.

public struct Deque<Element> {
    @usableFromInline var storage: [Element?] = []
    @usableFromInline var head = 0

    @inlinable public init() {}

    @inlinable public init(_ elements: [Element]) { storage = elements }

    @inlinable public mutating func append(_ element: Element) { storage.append(element) }

    /// Takes the first element; nil when there is none.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            removeAll()
        } else if head >= 64, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Moves the elements behind it.
    @inlinable
    public mutating func insert(_ element: Element, at index: Int) { storage.insert(element, at: head + index) }

    /// Moves the elements behind it, unless it is the first.
    @inlinable
    public mutating func remove(at index: Int) {
        if index == 0 { _ = popFirst() } else { storage.remove(at: head + index) }
    }

    /// The capacity stays.
    @inlinable
    public mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }
}

extension Deque: RandomAccessCollection, MutableCollection {
    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { storage.count - head }

    @inlinable public subscript(index: Int) -> Element {
        get { storage[head + index]! }
        _modify { yield &storage[head + index]! }
    }
}

extension Deque: Sendable where Element: Sendable {}
