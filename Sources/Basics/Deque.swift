// Deque.swift: an unbounded queue; append at the end and removal at the front take amortized constant time.
//
//     storage   · · · · a b c d      `head` counts the slots in front whose elements were removed
//                       0 1 2 3      indices
//
// A removed element is freed at once. The slots in front are freed together when there are at least 64 and they are
// more than half of the storage. So each removal moves at most one element on average.
//
// Sources   invented

/// An unbounded first-in, first-out queue.
public struct Deque<Element> {
    @usableFromInline var storage: [Element?] = []
    @usableFromInline var head = 0

    @inlinable public init() {}

    @inlinable public init(_ elements: [Element]) { storage = elements }

    @inlinable public mutating func append(_ element: consuming Element) { storage.append(element) }

    /// Removes and returns the first element, or returns nil if the queue is empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        // Most queues have one element, which is moved out at the end of the storage.
        if head == 0, storage.count == 1 { return storage.removeLast() }
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

    /// Inserts an element. All elements from `index` on move by one.
    @inlinable
    public mutating func insert(_ element: Element, at index: Int) { storage.insert(element, at: head + index) }

    /// Removes an element. The elements behind it move by one, unless it is the first.
    @inlinable
    public mutating func remove(at index: Int) {
        if index == 0 { _ = popFirst() } else { storage.remove(at: head + index) }
    }

    /// Removes all elements and keeps the capacity.
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
        // Read in place: a getter would copy the element even where one of its properties is read.
        _read { yield storage[head + index]! }
        _modify { yield &storage[head + index]! }
    }
}

extension Deque: Sendable where Element: Sendable {}
