import Basics
import CSystem
import Foundation
import Hosting
import Settings
import Testing
import Trace
import Wire

@testable import ZeroMQHost

@Suite("The host's loop") struct LoopTests {
    let scratch = Scratch()

    @Test("timers fire in order of time, then of arming")
    func timers() throws {
        let host = try Running(as: .inputKit) { input, now, outbox in
            switch input {
            case .started:
                outbox.append(.arm(TimerID(3), at: now.advanced(by: .milliseconds(20))))
                outbox.append(.arm(TimerID(1), at: now.advanced(by: .milliseconds(5))))
                outbox.append(.arm(TimerID(2), at: now.advanced(by: .milliseconds(20))))
                outbox.append(.arm(TimerID(9), at: now.advanced(by: .milliseconds(6))))
                // Timer 1 is armed again and fires last. Timer 9 is disarmed and never fires.
                outbox.append(.arm(TimerID(1), at: now.advanced(by: .milliseconds(25))))
                outbox.append(.disarm(TimerID(9)))
            default: break
            }
        }
        let fired = host.recorded.wait("the last timer") { $0.contains(.timerFired(TimerID(1))) }
        #expect(fired == [.started] + [3, 2, 1].map { .timerFired(TimerID($0)) })
        host.stop()
    }

    @Test("another thread's wake runs the core")
    func wake() throws {
        let order = LaunchOrder(peer: .app(1), epoch: 1, generation: 1, runDirectory: "", settings: [])
        let host = try ZeroMQHost(order: order, settings: Settings(), parts: ZeroMQHost.Parts())
        let wake = try host.makeWake(firing: TimerID(7))
        let isHandled = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            wake()
            isHandled.wait()
            wake()
        }
        var core = Woken(isHandled: isHandled)
        #expect(host.run(&core) == 0)
        #expect(core.count == 2)
    }

    /// Exits at the second wake.
    struct Woken: ProcessCore {
        let isHandled: DispatchSemaphore
        var count = 0
        mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
            guard input == .timerFired(TimerID(7)) else { return }
            count += 1
            if count == 2 { outbox.append(.exit(status: 0)) }
            isHandled.signal()
        }
    }

    @Test("inputs that arrived before a timer's time are handled before it")
    func arrivalsFirst() throws {
        let host = try Running(as: .inputKit) { input, now, outbox in
            guard case .frame(let frame, _) = input, frame.message == .reportRequest else { return }
            // A second frame arrives while the core is busy. The timer is due only after that.
            outbox.append(.arm(TimerID(1), at: now.advanced(by: .milliseconds(30))))
            let end = system_clock() + 60_000_000
            while system_clock() < end {}
        }
        host.sendAsSupervisor(.reportRequest)
        host.recorded.wait("the start") { !$0.isEmpty }
        host.sendAsSupervisor(.play(PlayOrder(id: 1, source: .script(""), pace: .max)))
        let inputs = host.recorded.wait("the timer") { $0.contains(.timerFired(TimerID(1))) }
        #expect(inputs.last == .timerFired(TimerID(1)))
        #expect(inputs.frames.count == 2)
        host.stop()
    }

    @Test("the loss of its supervisor ends a child that ignores stop requests")
    func endOfLink() throws {
        var settings = Settings()
        try settings.set(.supervisorStopDeadline, to: "0.05")
        let stubborn = Stubborn()
        var ends: [Int32] = [0, 0]
        #expect(system_packet_pair(&ends) == 0)
        var parts = ZeroMQHost.Parts()
        parts.supervisor = PacketChannel(Descriptor(ends[1]), to: .supervisor, for: .app)
        let order = LaunchOrder(peer: .app(1), epoch: 1, generation: 1, runDirectory: "", settings: [])
        let host = try ZeroMQHost(order: order, settings: settings, parts: parts)
        close(ends[0])
        var core = stubborn
        #expect(host.run(&core) == 1)
        #expect(core.heard == [.started, .peerLost(.supervisor), .stopRequested])
    }

    struct Stubborn: ProcessCore {
        var heard: [Input] = []
        mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) { heard.append(input) }
    }

    @Test("shutdown requests a stop, and frames sent before the exit arrive")
    func shutdown() throws {
        let host = try Running(as: .inputKit) { input, _, outbox in
            if input == .stopRequested { outbox.append(.send(frame(.ready), to: .supervisor)) }
        }
        host.stop()
        var arrivals: [Input] = []
        // A child that another test starts may hold the host's end until its exec.
        while host.link.isOpen {
            var item = pollfd(fd: host.link.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 1000)
            _ = host.link.drain(budget: 10, into: &arrivals)
        }
        #expect(arrivals == [.frame(frame(.ready), from: .inputKit), .peerLost(.inputKit)])
    }

    @Test("frames beyond a link's capacity arrive in order once it is read")
    func fullLink() throws {
        let long = String(repeating: "x", count: 60_000)
        let host = try Running(as: .inputKit) { input, _, outbox in
            guard case .frame(let asked, _) = input, asked.message == .reportRequest else { return }
            for number in 1...100 { outbox.append(.send(frame(.refused(long), UInt64(number)), to: .supervisor)) }
        }
        host.sendAsSupervisor(.reportRequest)
        host.recorded.wait("the order") { !$0.frames.isEmpty }
        var arrivals: [Input] = []
        while arrivals.count < 100 {
            var item = pollfd(fd: host.link.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&item, 1, 10_000) == 1)
            _ = host.link.drain(budget: 1, into: &arrivals)
        }
        #expect(arrivals.frames.map(\.sequence.rawValue) == Array(1...100))
        host.stop()
    }

    @Test("files are read in pieces to their end; unreadable ones give reasons")
    func files() throws {
        let path = "\(scratch.folder)/recording"
        try Data("0123456789".utf8).write(to: URL(filePath: path))
        let folder = scratch.folder
        let host = try Running(as: .inputKit) { input, _, outbox in
            switch input {
            case .started:
                outbox.append(.open(FileID(1), path: path))
                outbox.append(.read(FileID(1), limit: 7))
                outbox.append(.open(FileID(2), path: "\(folder)/missing"))
                outbox.append(.open(FileID(3), path: folder))
            case .fileBytes(FileID(1), let bytes) where !bytes.isEmpty:
                outbox.append(.read(FileID(1), limit: 7))
            default: break
            }
        }
        let inputs = host.recorded.wait("the end of the file") { $0.contains(.fileBytes(FileID(1), [])) }
        #expect(inputs.contains(.fileFailed(FileID(2), reason: "\(folder)/missing: No such file or directory")))
        #expect(inputs.contains(.fileFailed(FileID(3), reason: "\(folder): is a folder")))
        let read = inputs.compactMap { if case .fileBytes(FileID(1), let bytes) = $0 { bytes } else { nil } }
        #expect(read == [Array("0123456".utf8), Array("789".utf8), []])
        host.stop()
    }

    @Test("a FIFO waits for a writer and ends when it closes")
    func fifo() throws {
        let path = "\(scratch.folder)/device"
        #expect(mkfifo(path, 0o600) == 0)
        let host = try Running(as: .inputKit) { input, now, outbox in
            switch input {
            case .started:
                outbox.append(.open(FileID(1), path: path))
                outbox.append(.read(FileID(1), limit: 100))
                outbox.append(.arm(TimerID(1), at: now))
            case .fileBytes(FileID(1), let bytes) where !bytes.isEmpty:
                outbox.append(.read(FileID(1), limit: 100))
            default: break
            }
        }
        host.recorded.wait("a turn of the loop") { $0.contains(.timerFired(TimerID(1))) }
        let writer = open(path, O_WRONLY)
        #expect(write(writer, "abc", 3) == 3)
        host.recorded.wait("the bytes") { $0.contains(.fileBytes(FileID(1), Array("abc".utf8))) }
        close(writer)
        let inputs = host.recorded.wait("the end") { $0.contains(.fileBytes(FileID(1), [])) }
        #expect(inputs.filter { if case .fileBytes = $0 { true } else { false } }.count == 2)
        host.stop()
    }

    @Test("facts are written when the process idles, and only if configured")
    func trace() throws {
        var settings = Settings()
        try settings.set(.hostTrace, to: "file")
        try settings.set(.groupStartedAt, to: "1000")
        let begun = Instant(nanoseconds: system_clock())
        for (settings, peer) in [(settings, Peer.app(3)), (Settings(), .app(4))] {
            let host = try Running(as: peer, settings: settings, runDirectory: scratch.folder) { input, now, outbox in
                outbox.trace.note(now, .process, "heard {a}", 1)
                if input == .started { outbox.trace.probe(now, .app, "a line") }
            }
            host.stop()
        }
        let text = try String(contentsOfFile: "\(scratch.paths.traces)/app3.trace", encoding: .utf8)
        #expect(text.hasPrefix("# 1000\tthe group's start"))
        let first = text.split(separator: "\n").dropFirst().first?.split(separator: "\t").first.flatMap { Int64($0) }
        let lines = TraceLine.lines(ofFile: text)
        #expect(lines.first?.at.nanoseconds == first.map { $0 + 1000 })
        #expect(lines.allSatisfy { $0.at >= begun })
        #expect(lines.map(\.text) == ["heard 1", "a line", "heard 1", "heard 1"])
        #expect(lines.map(\.isProbe) == [false, true, false, false])
        #expect(lines.allSatisfy { $0.process == "app3" })
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.paths.traces)/app4.trace"))
    }
}
