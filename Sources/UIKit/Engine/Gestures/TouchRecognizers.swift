// TouchRecognizers.swift: the recognizers of one touch, in the order in which they accepted it.
//
// Station   gesture
// Input     RecognizerCollection (accepted); UIGestureRecognizer (left)
// Output    UITouch.gestureRecognizers; GestureEnvironment, which calls each of them
//
// A recognizer that leaves makes its slot empty, and the next search begins behind that slot. Recognizers usually leave
// in the order in which they joined, so thousands that leave in one update take linear time.

struct TouchRecognizers {
    /// Nil for a recognizer that has left.
    private var slots: [UIGestureRecognizer?] = []
    private var emptySlotCount = 0
    /// Where the next search begins.
    private var cursor = 0

    /// The recognizers that have not left.
    var all: [UIGestureRecognizer] { slots.compactMap(\.self) }

    mutating func append(_ recognizer: UIGestureRecognizer) { slots.append(recognizer) }

    /// Removes a recognizer. One that has left already is ignored.
    mutating func remove(_ recognizer: UIGestureRecognizer) {
        guard let index = index(of: recognizer, in: cursor..<slots.count) ?? index(of: recognizer, in: 0..<cursor)
        else { return }
        slots[index] = nil
        emptySlotCount += 1
        cursor = index + 1
        if emptySlotCount * 2 > slots.count { removeEmptySlots() }
    }

    private func index(of recognizer: UIGestureRecognizer, in range: Range<Int>) -> Int? {
        slots[range].firstIndex { $0 === recognizer }
    }

    private mutating func removeEmptySlots() {
        cursor = slots[..<cursor].count { $0 != nil }
        slots.removeAll { $0 == nil }
        emptySlotCount = 0
    }

    /// Calls `body` with each recognizer that has not left. Call it on a copy if `body` can reach an app's code: the
    /// copy keeps the recognizers alive, so none of them is retained for its call.
    @inline(__always)
    func forEach(_ body: (UIGestureRecognizer) -> Void) {
        slots.withUnsafeBufferPointer {
            $0.withMemoryRebound(to: Unmanaged<UIGestureRecognizer>?.self) { references in
                for reference in references { reference?._withUnsafeGuaranteedRef(body) }
            }
        }
    }
}
