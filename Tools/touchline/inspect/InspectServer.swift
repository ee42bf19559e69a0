// InspectServer.swift: the inspector's HTTP server: the page, its components, its jobs, its WebSocket.
//
//     Gate ─ unix socket ─▶ FlyingFox ─▶ page, components: texts of the program
//                                     ├▶ /api: a job on a thread of its own
//                                     └▶ /live: a Browser for each connection
//
// Input     requests that RequestGuard has admitted
// Output    answers
// Knows     paths. No file is ever served: every text is compiled in.

import Basics
import FlyingFox
import FlyingSocks
import Foundation
import Inspector
import Page
import Recordings

/// The server behind the gate.
struct InspectServer: HTTPHandler {
    let hub: BrowserHub
    let port: UInt16
    private let desk = InspectDesk()

    /// The time until connections are accepted, in seconds.
    static let startLimit = 10.0

    init(hub: BrowserHub, port: UInt16) { (self.hub, self.port) = (hub, port) }

    private var context: InspectContext { InspectContext(group: hub.group, hub: hub, desk: desk) }

    /// Every path and its methods.
    static var routes: [RequestGuard.Route] {
        var routes = [RequestGuard.Route("/")]
        // A component holds nothing of a group, and a module's imports carry no token.
        for name in InspectPage.components.map(\.name) {
            routes.append(RequestGuard.Route("/components/\(name)", needsToken: false))
        }
        for path in Set(InspectJobs.all.map(\.path)).sorted() {
            let methods = InspectJobs.all.filter { $0.path == path }.map(\.method)
            routes.append(RequestGuard.Route(path, methods: methods))
        }
        return routes
    }

    /// Serves on a unix socket, and returns only if that fails.
    ///
    /// - Parameters:
    ///   - path: The path of the socket. It exists before connections are accepted.
    ///   - listening: Called once when connections are accepted.
    func run(at path: String, listening: @escaping @Sendable () -> Void) async throws {
        let server = HTTPServer(
            config: HTTPServer.Configuration(
                address: .unix(path: path), timeout: 300, sharedRequestBufferSize: RequestGuard.bodyLimit,
                pool: SocketPool(queue: SocketReadiness()), logger: .disabled), handler: self)
        async let accepting: Void = {
            try await server.waitUntilListening(timeout: Self.startLimit)
            listening()
        }()
        try await server.run()
        try await accepting
    }

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.path == RequestGuard.socketPath {
            let handler = MessageFrameWSHandler(handler: LiveMessages(hub: hub), frameSize: 1 << 20)
            return try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
        }
        if let text = InspectPage.components.first(where: { "/components/\($0.name)" == request.path }) {
            let kind: InspectAnswer.Kind = text.name.hasSuffix(".css") ? .style : .script
            return InspectAnswer(kind: kind, body: Array(text.text.utf8)).response
        }
        if request.path == "/" {
            let page = InspectPage(language: hub.language)
            // The guard has admitted this host.
            let policy = InspectPage.policy(host: request.headers[.host] ?? "127.0.0.1:\(port)")
            return InspectAnswer(kind: .html, body: Array(page.html.utf8), policy: policy).response
        }
        guard
            let job = InspectJobs.all.first(where: { $0.path == request.path && $0.method == request.method.rawValue })
        else { return InspectAnswer.error(404, "no such page").response }
        return try await answer(job, Array(request.bodyData)).response
    }

    private func answer(_ job: any InspectJob, _ body: [UInt8]) async -> InspectAnswer {
        let context = context
        return await withCheckedContinuation { continuation in
            // A job may wait for a group for seconds. The threads of Swift's tasks are few, and must not wait.
            let thread = Thread { continuation.resume(returning: Self.answer(job, body, context)) }
            // A replay needs the room of a main thread.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private static func answer(_ job: any InspectJob, _ body: [UInt8], _ context: InspectContext) -> InspectAnswer {
        do {
            let text = body.isEmpty ? Array("{}".utf8) : body
            let node: JSONNode
            do throws(Complaint) { node = try JSONNode(parsing: text) } catch {
                throw InspectError(400, "the body is no JSON: expected \(error.expected), found \(error.found)")
            }
            guard case .object = node.value else { throw InspectError(400, "expected a body that is a JSON object") }
            return .json(try job.handle(node, context))
        } catch let error as InspectError {
            return .json(.object([("error", .object(error.fields))]), status: error.status)
        } catch let failure as Failure {
            return .error(failure.code == 3 ? 503 : 422, failure.line)
        } catch { return .error(500, "\(error)") }
    }
}

/// One WebSocket: messages of the page to its browser, and back.
private struct LiveMessages: WSMessageHandler {
    let hub: BrowserHub

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
        let (messages, continuation) = AsyncStream.makeStream(of: WSMessage.self)
        let browser = hub.join(continuation)
        let hub = hub
        Task.detached(priority: .high) {
            receiving: for await message in client {
                switch message {
                case .text(let text): browser.receive(text)
                case .data: browser.close(1003, "expected text messages")
                case .close: break receiving
                }
            }
            hub.leave(browser)
        }
        return messages
    }
}
