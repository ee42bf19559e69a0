// OpenURLs.swift: URLs on the link to the server: the one that the app opened last, and the app's own requests.
//
// Station   process
// Input     AppCore: the launch order, URLs of the server, the URLs that the main loop has opened, the app's requests
// Output    whether to queue a URL, to answer at once, or to wait; answers and requests to the server
// Knows     numbers, which start again with the server's epoch. A server sends one URL at a time, until the answer.
//
//     nothing ──launched with it──▶ opened ◀──main loop── queued ◀──the server── (another number)
//
// Sources   invented, with SystemServerCore/Openings.swift

import Basics
import Hosting
import Trace
import UIKit
import Wire

/// The URLs on the link to the server.
struct OpenURLs {
    /// The longest wait for an answer to the app's requests. A server takes less time, so a later answer was lost.
    private static let answerWaitLimit = Duration.seconds(30)

    /// The identity of a URL of the server.
    private struct URLKey: Equatable {
        let epoch, id: UInt32
    }
    private var last: URLKey?
    private var isOpened = false

    /// What the app does with a URL of the server.
    enum Verdict { case queue, answer, wait }

    /// Records the URL of the launch order.
    mutating func launched(_ order: LaunchOrder) {
        guard let opens = order.openRequest else { return }
        (last, isOpened) = (URLKey(epoch: order.epoch, id: opens.id), true)
    }

    /// Decides about a URL of the server, which may be a repetition.
    mutating func receive(_ request: OpenRequest, epoch: UInt32) -> Verdict {
        let mark = URLKey(epoch: epoch, id: request.id)
        guard mark == last else {
            (last, isOpened) = (mark, false)
            return .queue
        }
        return isOpened ? .answer : .wait
    }

    /// Forgets the last URL, which had no room. The server sends it again.
    mutating func dropped() { last = nil }

    /// Records that the app has opened a URL.
    ///
    /// - Returns: Whether the server still waits for the answer.
    mutating func opened(_ id: UInt32, epoch: UInt32) -> Bool {
        guard last == URLKey(epoch: epoch, id: id) else { return false }
        isOpened = true
        return true
    }

    func answer(_ id: UInt32, to server: inout ServerConnection, into outbox: inout Outbox) {
        server.send(.opened(OpenAnswer(id: id, outcome: .opened)), into: &outbox)
    }

    /// Answers for the URLs that the app has opened, and sends the app's requests.
    ///
    /// - Returns: Whether a request has failed at once, so that the app must turn again.
    mutating func exchange(
        with mainLoop: MainLoop, at now: Instant, to server: inout ServerConnection, into outbox: inout Outbox
    ) -> Bool {
        for id in mainLoop.finished.openedURLs where opened(id, epoch: server.epoch) && server.isOpen {
            answer(id, to: &server, into: &outbox)
        }
        mainLoop.finished.openedURLs.removeAll(keepingCapacity: true)
        let application = mainLoop.application
        let requests = application.takeURLRequests()
        guard !requests.isEmpty else { return false }
        var hasFailed = false
        for request in requests {
            guard server.isOpen, let url = try? URLText(request.url) else {
                application.note(.app, "open refused: no app opens the URL")
                application.answerURLRequest(request.id, isOpen: false)
                hasFailed = true
                continue
            }
            server.send(.open(OpenRequest(id: request.id, url: url)), into: &outbox)
        }
        if application.awaitsURLAnswers {
            outbox.append(.arm(AppCore.openTimer, at: now.advanced(by: Self.answerWaitLimit)))
        }
        return hasFailed
    }
}
