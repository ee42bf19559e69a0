// OpenURLs.swift: URLs on the link to the server: which one the app opened last, and which ones the app asks others to open.
//
//     nothing ──launched with it──▶ opened ◀──main loop── queued ◀──the server── (another number)
//
// Input     AppCore: the launch order, URLs of the server, the URLs that the main loop has opened, the app's requests
// Output    whether to queue a URL, to answer at once, or to do nothing; answers and requests to the server
// Knows     numbers. A server's begin again with its epoch; it sends one URL after the other, and each until the answer.
//
// Sources   invented, with SystemServerCore/Openings.swift

import Basics
import Hosting
import Trace
import UIKit
import Wire

struct OpenURLs {
    /// For the answer to the app's requests: longer than a server takes, so a later answer was lost.
    private static let patience = Duration.seconds(30)

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

    func answer(_ id: UInt32, to server: inout ServerConnection, into outbox: inout Outbox) {
        server.send(.opened(OpenAnswer(id: id, outcome: .opened)), into: &outbox)
    }

    /// Answers for the URLs that the app has opened, and sends the requests of the app.
    ///
    /// - Returns: Whether a request has failed at once, so that the app is to turn again.
    mutating func exchange(
        with mainLoop: MainLoop, at now: Instant, to server: inout ServerConnection, into outbox: inout Outbox
    ) -> Bool {
        for id in mainLoop.finished.openedURLs where opened(id, epoch: server.epoch) && server.isOpen {
            answer(id, to: &server, into: &outbox)
        }
        mainLoop.finished.openedURLs.removeAll(keepingCapacity: true)
        let application = mainLoop.application
        let requests = application.takeRequests()
        guard !requests.isEmpty else { return false }
        var hasFailed = false
        for request in requests {
            guard server.isOpen, let url = try? URLText(request.url) else {
                application.note(.app, "a URL that nobody can open")
                application.answered(request.id, false)
                hasFailed = true
                continue
            }
            server.send(.open(OpenRequest(id: request.id, url: url)), into: &outbox)
        }
        if application.awaitsAnswers {
            outbox.append(.arm(AppCore.openTimer, at: now.advanced(by: Self.patience)))
        }
        return hasFailed
    }
}
