// OpenURLs.swift: which URL of the server's this app was told of last, so that none is opened twice in one life.
//
//     nothing ──launched with it──▶ opened ◀──main loop── queued ◀──the server── (another number)
//
// Fed by    AppCore: the launch order, URLs of the server, the main loop's word that one is opened
// Feeds     AppCore: whether to queue it, to answer at once, or to do nothing
// Knows     numbers. A server's begin anew with its epoch; it tells one after the other.
//
// Sources   invented, with SystemServerCore/Openings.swift

import Wire

struct OpenURLs {
    private struct Mark: Equatable {
        let epoch, id: UInt32
    }
    private var last: Mark?
    private var isOpened = false

    enum Verdict { case queue, answer, wait }

    /// The app is launched with it.
    mutating func launched(_ order: LaunchOrder) {
        guard let opens = order.opens else { return }
        (last, isOpened) = (Mark(epoch: order.epoch, id: opens.id), true)
    }

    mutating func heard(_ request: OpenRequest, epoch: UInt32) -> Verdict {
        let mark = Mark(epoch: epoch, id: request.id)
        guard mark == last else {
            (last, isOpened) = (mark, false)
            return .queue
        }
        return isOpened ? .answer : .wait
    }

    /// It found no room: the server says it again.
    mutating func dropped() { last = nil }

    /// - Returns: Whether its server still waits for it.
    mutating func opened(_ id: UInt32, epoch: UInt32) -> Bool {
        guard last == Mark(epoch: epoch, id: id) else { return false }
        isOpened = true
        return true
    }
}
