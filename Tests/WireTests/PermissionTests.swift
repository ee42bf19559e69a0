import Foundation
import Testbed
import Testing
import Wire

@Suite("Permissions of messages")
struct PermissionTests {

    /// Whether a sample message of this kind may go from `sender` to `receiver`.
    private func isAllowed(_ kind: MessageKind, from sender: Role, to receiver: Role) -> Bool {
        sampleFrames.contains { $0.message.kind == kind && $0.message.isAllowed(from: sender, to: receiver) }
    }

    @Test("a directed message is the same message as the original, and each sample of a kind may go where the kind may")
    func directions() {
        func check<Direction: DirectedMessage>(_: Direction.Type, from sender: Role, to receiver: Role) {
            for message in sampleFrames.map(\.message) {
                let directed = Direction(message)
                if let directed { #expect(directed.message == message, "\(Direction.self)") }
                #expect((directed != nil) == message.kind.isAllowed(from: sender, to: receiver), "\(message.kind)")
            }
        }
        check(InputKitToServer.self, from: .inputKit, to: .systemServer)
        check(ServerToInputKit.self, from: .systemServer, to: .inputKit)
        check(ServerToApp.self, from: .systemServer, to: .app)
        check(AppToServer.self, from: .app, to: .systemServer)
        check(SupervisorToChild.self, from: .supervisor, to: .app)
        check(SupervisorToInputKit.self, from: .supervisor, to: .inputKit)
        check(SupervisorToServer.self, from: .supervisor, to: .systemServer)
        check(ChildToSupervisor.self, from: .app, to: .supervisor)
        check(InputKitToSupervisor.self, from: .inputKit, to: .supervisor)
        check(ServerToSupervisor.self, from: .systemServer, to: .supervisor)
        check(ControllerToSupervisor.self, from: .controller, to: .supervisor)
        check(SupervisorToController.self, from: .supervisor, to: .controller)
    }

    @Test("only input-kit sends scans and keys, and only the server sends touches")
    func fingers() {
        for sender in Role.allCases {
            for receiver in Role.allCases {
                for kind in [MessageKind.digitizer, .device] {
                    #expect(
                        isAllowed(kind, from: sender, to: receiver)
                            == (sender == .inputKit && receiver == .systemServer))
                }
                for kind in [MessageKind.touches, .input] {
                    #expect(
                        isAllowed(kind, from: sender, to: receiver) == (sender == .systemServer && receiver == .app))
                }
            }
        }
    }

    @Test("T3: each kind of message goes only the ways in Docs/Reference/Wire.md")
    func ways() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Reference/Wire.md"), encoding: .utf8)
        let sections = page.components(separatedBy: "\n## ").dropFirst()
        for kind in MessageKind.allCases {
            let heading = "\(kind) (\(kind.rawValue))"
            // A kind that the page does not name may go no way until its new line has been reviewed.
            let drawn = sections.first { $0.hasPrefix("\(heading)\n") }?.split(separator: "\n").dropFirst().first
            let ways = drawn.map { $0.components(separatedBy: ", ") } ?? []
            var isSent = false
            for sender in Role.allCases {
                for receiver in Role.allCases {
                    isSent = isSent || isAllowed(kind, from: sender, to: receiver)
                    let isDrawn = ways == ["any process → any process"] || ways.contains("\(sender) → \(receiver)")
                    #expect(
                        isAllowed(kind, from: sender, to: receiver) == isDrawn, "\(kind) from \(sender) to \(receiver)")
                }
            }
            #expect(isSent, "no direction has \(kind): is its line in `init?` missing?")
        }
    }

    @Test("peer names read back as they are written")
    func names() {
        for peer in [Peer.supervisor, .inputKit, .systemServer, .app(3), Peer(.controller, 12)] {
            #expect(Peer(peer.description) == peer)
        }
        for text in ["", "app", "appx", "server", "controller-1"] { #expect(Peer(text) == nil) }
    }
}

@Suite("Docs/Reference/Wire.md")
struct WireDocumentTests {

    @Test("a frame's fields cover its encoded bytes without gaps")
    func coverage() {
        for frame in sampleFrames {
            var end = 0
            for field in frame.layout() {
                #expect(field.offset == end, "\(frame.message.kind): \(field.name)")
                end += field.size
            }
            #expect(end == frame.encoded().count, "\(frame.message.kind)")
        }
    }

    @Test("Docs/Reference/Wire.md matches the codec")
    func document() {
        var out = """
            # Wire

            The messages between the processes, byte by byte. A test writes this page from the code that writes the bytes
            (`Sources/Wire`). The version is \(Frame.version), and all numbers are little-endian.

            A packet is one ZeroMQ message of at most \(Frame.packetLimit) bytes. It contains one or more frames, end to end. Below the
            name of a message are the directions in which it may be sent. `text` is a `u32` length and UTF-8. Fields that begin with
            `each:` repeat as often as the count before them says.


            """
        func table(_ fields: [WireField], from start: Int) {
            out += "| offset | size | type | field |\n| --- | --- | --- | --- |\n"
            for field in fields {
                let size = field.type == "text" ? "4+n" : "\(field.size)"
                out += "| \(field.offset - start) | \(size) | \(field.type) | \(field.name) |\n"
            }
        }
        out += "## Header, \(Frame.headerSize) bytes\n\n"
        table(sampleFrames[0].layout(), from: 0)
        for frame in sampleFrames {
            let kind = frame.message.kind
            out += "\n## \(kind) (\(kind.rawValue))\n\n"
            var ways: [String] = []
            for sender in Role.allCases {
                for receiver in Role.allCases where frame.message.isAllowed(from: sender, to: receiver) {
                    ways.append("\(sender) → \(receiver)")
                }
            }
            out += (ways.count > 12 ? "any process → any process" : ways.joined(separator: ", ")) + "\n"
            let payload = frame.layout().filter { $0.offset >= Frame.headerSize }
            guard !payload.isEmpty else { continue }
            out += "\nOffsets begin at the payload; the sample has one of each repeated field.\n\n"
            table(payload, from: Frame.headerSize)
        }
        expectDocument("Docs/Reference/Wire.md", equals: out)
    }
}
