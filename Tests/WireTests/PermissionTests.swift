import Testbed
import Testing
import Wire

@Suite("Who may say what")
struct PermissionTests {

    /// By a sample of this kind.
    private func mayGo(_ kind: MessageKind, from sender: Role, to receiver: Role) -> Bool {
        samples.contains { $0.message.kind == kind && $0.message.mayGo(from: sender, to: receiver) }
    }

    @Test("a message of a direction is the same message again, and no other")
    func directions() {
        /// - Parameter count: How many kinds go in this direction.
        func check<Direction: DirectedMessage>(_: Direction.Type, _ count: Int) {
            var kinds: Set<MessageKind> = []
            for message in samples.map(\.message) {
                guard let directed = Direction(message) else { continue }
                #expect(directed.message == message)
                kinds.insert(message.kind)
            }
            #expect(kinds.count == count, "\(Direction.self)")
        }
        check(InputKitToServer.self, 5)
        check(ServerToInputKit.self, 4)
        check(ServerToApp.self, 11)
        check(AppToServer.self, 8)
        check(SupervisorToChild.self, 7)
        check(SupervisorToInputKit.self, 9)
        check(SupervisorToServer.self, 12)
        check(ChildToSupervisor.self, 4)
        check(InputKitToSupervisor.self, 6)
        check(ServerToSupervisor.self, 11)
        check(ControllerToSupervisor.self, 10)
        check(SupervisorToController.self, 9)
    }

    @Test("only input-kit tells the server of fingers and keys, only the server tells apps")
    func fingers() {
        for sender in Role.allCases {
            for receiver in Role.allCases {
                for kind in [MessageKind.digitizer, .device] {
                    #expect(
                        mayGo(kind, from: sender, to: receiver) == (sender == .inputKit && receiver == .systemServer))
                }
                for kind in [MessageKind.touches, .input] {
                    #expect(
                        mayGo(kind, from: sender, to: receiver) == (sender == .systemServer && receiver == .app))
                }
            }
        }
    }

    @Test("T3: of all ways there are, each kind may go those that stand here and no other")
    func table() {
        let anybody = Role.allCases
        func ways(_ senders: [Role], _ receivers: [Role]) -> [String] {
            senders.flatMap { sender in receivers.map { "\(sender)→\($0)" } }
        }
        let clients = [Role.inputKit, .app]
        let children = [Role.inputKit, .systemServer, .app]
        let table: [MessageKind: [String]] = [
            .hello: ways(clients, [.systemServer]) + ways([.systemServer], clients),
            .link: ways(clients, [.systemServer]) + ways([.systemServer], clients),
            .digitizer: ways([.inputKit], [.systemServer]),
            .device: ways([.inputKit], [.systemServer]),
            .touches: ways([.systemServer], [.app]),
            .input: ways([.systemServer], [.app]),
            .lifeCycle: ways([.systemServer], [.app]),
            .handled: ways([.app], [.systemServer]) + ways([.systemServer], [.inputKit]),
            .launch: ways([.supervisor], children),
            .roster: ways([.supervisor], children),
            .act: ways([.supervisor], [.systemServer]) + ways([.controller], [.supervisor]),
            .shutdown: ways([.supervisor], children) + ways([.controller], [.supervisor]),
            .reportRequest: ways([.supervisor], children) + ways([.controller], [.supervisor]),
            .chaos: ways([.supervisor], children + [.controller]) + ways([.controller], [.supervisor]),
            .ready: ways(children, [.supervisor]),
            .play: ways([.supervisor], [.inputKit]) + ways([.controller], [.supervisor]),
            .stopPlay: ways([.supervisor], [.inputKit]),
            .played: ways([.inputKit], [.supervisor]) + ways([.supervisor], [.controller]),
            .measured: ways([.inputKit], [.supervisor]) + ways([.supervisor], [.controller]),
            .report: ways(children, [.supervisor]) + ways([.supervisor], [.controller]),
            .refused: ways(anybody, anybody),
            .misconduct: ways([.systemServer], [.supervisor]),
            .stalled: ways([.systemServer], [.supervisor]),
            .overran: ways([.systemServer], [.supervisor]),
            .windows: ways([.app], [.systemServer]),
            .scene: ways([.systemServer], [.app]),
            .open: ways([.controller], [.supervisor]) + ways([.supervisor], [.systemServer])
                + ways([.app], [.systemServer]) + ways([.systemServer], [.app]),
            .opened: ways([.app], [.systemServer]) + ways([.systemServer], [.app, .supervisor])
                + ways([.supervisor], [.controller, .systemServer]),
            .wanted: ways([.systemServer], [.supervisor]),
            .screenshot: ways([.systemServer], [.app]),
            .observe: ways([.supervisor], children) + ways([.controller], [.supervisor])
                + ways([.systemServer], [.app]),
            .facts: ways(children, [.supervisor]) + ways([.supervisor], [.controller]) + ways([.app], [.systemServer]),
            .detailRequest: ways([.supervisor], [.systemServer]) + ways([.controller], [.supervisor]),
            .detail: ways([.systemServer], [.supervisor]) + ways([.supervisor], [.controller]),
            .spy: ways([.controller], [.supervisor]) + ways([.supervisor], [.systemServer]),
            .spied: ways([.systemServer], [.supervisor]) + ways([.supervisor], [.controller]),
        ]
        for kind in MessageKind.allCases {
            // A kind that stands here nowhere may go no way at all until somebody has decided.
            guard let expected = table[kind] else {
                Issue.record("who may say \(kind) to whom? Say it here too")
                continue
            }
            for sender in Role.allCases {
                for receiver in Role.allCases {
                    let isAllowed = expected.contains("\(sender)→\(receiver)")
                    #expect(
                        mayGo(kind, from: sender, to: receiver) == isAllowed, "\(kind) from \(sender) to \(receiver)")
                }
            }
        }
    }

    @Test("peers read back as they are written, and nothing else does")
    func names() {
        for peer in [Peer.supervisor, .inputKit, .systemServer, .app(3), Peer(.controller, 12)] {
            #expect(Peer(peer.description) == peer)
        }
        for text in ["", "app", "appx", "server", "controller-1"] { #expect(Peer(text) == nil) }
    }
}

@Suite("Docs/Wire.md")
struct WireDocumentTests {

    @Test("draws the frame as the code writes it")
    func document() {
        var out = """
            # The wire

            Written by its test from the code that writes the bytes (`Sources/Wire`). Version \(Frame.version), little-endian.
            A packet is one ZeroMQ message of at most \(Frame.packetLimit) bytes: one or more frames, end to end.
            `text` is a `u32` length and UTF-8. `each:` fields repeat as often as the count before them says.


            """
        func table(_ fields: [WireField], from start: Int) {
            out += "| offset | size | type | field |\n| --- | --- | --- | --- |\n"
            for field in fields {
                let size = field.type == "text" ? "4+n" : "\(field.size)"
                out += "| \(field.offset - start) | \(size) | \(field.type) | \(field.name) |\n"
            }
        }
        out += "## Header, \(Frame.headerSize) bytes\n\n"
        table(samples[0].layout(), from: 0)
        for frame in samples {
            let kind = frame.message.kind
            out += "\n## \(kind) (\(kind.rawValue))\n\n"
            var ways: [String] = []
            for sender in Role.allCases {
                for receiver in Role.allCases where frame.message.mayGo(from: sender, to: receiver) {
                    ways.append("\(sender) → \(receiver)")
                }
            }
            out += (ways.count > 12 ? "anybody → anybody" : ways.joined(separator: ", ")) + "\n"
            let payload = frame.layout().filter { $0.offset >= Frame.headerSize }
            guard !payload.isEmpty else { continue }
            out += "\nOffsets are from the payload's start, for a sample with one of everything.\n\n"
            table(payload, from: Frame.headerSize)
        }
        expectDocument("Docs/Wire.md", equals: out)
    }
}
