// URLLaws.swift: the URLs that a server handles, as the askers and the opening apps see them.
//
// Input     ServerStage: requests, URLs for apps and their answers, launch requests, answers to askers
// Knows     that the server numbers the requests that it does not refuse at once, in their order from 1
//
// Sources   Docs/Decisions/OpeningURLs.md

import FuzzDriver
import Wire

struct URLLaws {
    enum Asker: Equatable {
        case controller(UInt32)
        case app(AppID, life: UInt32)
    }

    private struct Entry {
        /// The server's number of the request.
        let id: UInt32
        let asker: Asker
        /// The asker's number of the request.
        let asked: UInt32
        /// The app that has the scheme; nil if no app of the group has it.
        let app: AppID?
        let url: URLText
        /// The generations of the app that have received it.
        var lives: [UInt32] = []
        /// Whether the app has reported it as opened.
        var isOpened = false
        /// Whether the asking app has lost its link since: it may receive no answer, and the request may be over.
        var isUnheard = false

        var name: String { app?.description ?? "none" }
    }

    /// Whether the group has schemes. Apps differ by the number at the end of their scheme.
    let hasSchemes: Bool
    private var entries: [Entry] = []
    private var accepted: UInt32 = 0
    private var asked: UInt32 = 0
    /// A request that the server has not reacted to yet.
    private var present: Entry?
    /// The launch requests of the server.
    private(set) var wishes: [LaunchRequest] = []
    /// The last URL that each app received.
    private var last: [UInt32]

    init(apps: Int, hasSchemes: Bool) { (last, self.hasSchemes) = (Array(repeating: 0, count: apps), hasSchemes) }

    /// Whether no answer is due.
    var isAtRest: Bool { entries.allSatisfy(\.isUnheard) }

    static let schemes = "fuzz1=1 fuzz2=2 fuzz3=3"

    // MARK: Requests

    /// - Parameter number: The app whose scheme is used; 0 and numbers beyond the last app have no app.
    mutating func request(_ number: Int, by asker: Asker) -> OpenRequest {
        asked += 1
        guard let url = try? URLText("Fuzz\(number)://\(asked)?a=%41") else { broken("a URL") }
        let app = hasSchemes && (1...last.count).contains(number) ? AppID(UInt32(number)) : nil
        present = Entry(id: accepted + 1, asker: asker, asked: asked, app: app, url: url)
        if case .controller(let number) = asker { return OpenRequest(asker: number, id: asked, url: url) }
        return OpenRequest(id: asked, url: url)
    }

    /// The server has reacted: a request that it did not refuse is accepted.
    mutating func accept() {
        guard let entry = present else { return }
        expect(entry.app != nil, "no answer to a URL without an app")
        accepted += 1
        entries.append(entry)
        present = nil
    }

    // MARK: Frames of the server

    mutating func told(_ request: OpenRequest, app: AppID, life: UInt32) {
        accept()
        guard let index = entries.firstIndex(where: { $0.id == request.id }) else {
            broken("app \(app) is told of open \(request.id), which is none")
        }
        expect(request.asker == 0, "an app is told who asks")
        expect(entries[index].app == app && entries[index].url == request.url, "open \(request.id) of another")
        expect(!entries[index].isOpened, "open \(request.id) is told after its answer")
        if !entries[index].lives.contains(life) { entries[index].lives.append(life) }
        expect(
            entries[index].lives.count <= Int(LaunchRequest.generationLimit),
            "open \(request.id) is told to a third life")
        let isFirst = entries[..<index].allSatisfy { $0.app != app || $0.isUnheard }
        expect(isFirst, "open \(request.id) is told out of turn")
        guard let place = app.index else { broken("app \(app) is told of open \(request.id)") }
        expect(request.id >= last[place], "open \(request.id) behind \(last[place])")
        last[place] = request.id
    }

    mutating func wished(_ wish: LaunchRequest) {
        accept()
        guard let entry = entries.first(where: { $0.id == wish.openRequest.id }) else { broken("a wish for no URL") }
        expect(entry.app == wish.app && entry.url == wish.openRequest.url, "a wish for another app")
        // A URL that waits for the app's credit window counts as sent.
        expect(
            wish.deliveredGenerations <= 1 && (wish.deliveredGenerations == 1 || entry.lives.isEmpty),
            "a wish that says \(wish.deliveredGenerations) lives")
        wishes.append(wish)
    }

    mutating func answered(_ answer: OpenAnswer, to asker: Asker) {
        if let entry = present, entry.asker == asker, entry.asked == answer.id {
            present = nil
            expect(answer.app == entry.app, "the scheme is app \(entry.name)'s: \(answer)")
            switch answer.outcome {
            case .noApp: expect(entry.app == nil, "app \(entry.name) has the scheme")
            case .notInFront: expect(entry.asker != .controller(answer.asker), "a controller is never in front")
            case .locked: break
            case .tooMany: expect(entries.count >= 16, "too many are \(entries.count)")
            case .opened, .died, .late: broken("\(answer.outcome) at once")
            }
            return
        }
        guard let index = entries.firstIndex(where: { $0.asker == asker && $0.asked == answer.id }) else {
            broken("an answer to \(asker) of \(answer.id), which was not asked")
        }
        let entry = entries.remove(at: index)
        expect(answer.app == entry.app, "open \(entry.id) is app \(entry.name)'s")
        switch answer.outcome {
        case .opened, .died, .late:
            expect(entry.isOpened == (answer.outcome == .opened), "open \(entry.id): \(answer.outcome)")
        case .noApp, .notInFront, .locked, .tooMany: broken("\(answer.outcome) after it was accepted")
        }
    }

    // MARK: Frames of the peers

    /// An app reports that it has opened the last URL it received.
    mutating func opens(_ id: UInt32) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].isOpened = true
    }

    /// Removes a launch request. The supervisor may serve them in any order.
    mutating func takeWish(_ index: Int) -> LaunchRequest? {
        wishes.isEmpty ? nil : wishes.remove(at: index % wishes.count)
    }

    /// An app's link was replaced or lost.
    mutating func lostLink(of app: AppID) {
        for index in entries.indices {
            if case .app(app, life: _) = entries[index].asker { entries[index].isUnheard = true }
        }
    }
}
