import Basics
import CSystem
import Foundation
import HID
import Hosting
import Recordings
import Testing
import Wire

@testable import ZeroMQHost

/// A virtual device that a thread of its own turns.
final class Plugged: @unchecked Sendable {
    // The lock guards the device; its turns happen under it.
    private let lock = NSLock()
    private let device: VirtualDevice
    private var isOver = false

    init(_ facts: DeviceFacts, at path: String) throws {
        device = try VirtualDevice(facts, at: path)
        Thread.detachNewThread { [self] in
            while lock.withLock({ !isOver }) {
                lock.withLock { device.serveRequests(milliseconds: 0) }
                // The pause is outside the lock. The lock is not fair, and a waiting thread gets it during the pause.
                poll(nil, 0, 1)
            }
        }
    }

    func use<Result>(_ body: (VirtualDevice) -> Result) -> Result { lock.withLock { body(device) } }

    func unplug() {
        lock.withLock {
            isOver = true
            device.unplug()
        }
    }
}

/// A device socket that answers each request with bytes of the test.
final class Rude: @unchecked Sendable {
    // The lock guards the flag.
    private let lock = NSLock()
    private var isOver = false

    /// - Parameter answer: Returns the bytes after the packet's first word, for a request's number.
    init(at path: String, answer: @escaping @Sendable (UInt32) -> [UInt8]) throws {
        // The socket listens before it has its final name, because a host that learns of the name connects at once.
        let listener = system_packet_listen("\(path).new", 4)
        try #require(listener >= 0 && rename("\(path).new", path) == 0)
        Thread.detachNewThread { [self] in
            var clients: [Int32] = []
            var packet = [UInt8](repeating: 0, count: 1 << 13)
            while lock.withLock({ !isOver }) {
                var items = ([listener] + clients).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&items, UInt(items.count), 20) > 0 else { continue }
                if case let client = system_packet_accept(listener), client >= 0 { clients.append(client) }
                clients.removeAll { client in
                    let count = recv(client, &packet, packet.count, 0)
                    if count < 0, errno == EAGAIN { return false }
                    guard count >= 8, let request = DevicePacket.word(packet[..<count], at: 0) else {
                        close(client)
                        return true
                    }
                    let words = DevicePacket.bytes(DevicePacket.answer) + answer(request)
                    _ = send(client, words, words.count, Int32(MSG_NOSIGNAL))
                    return false
                }
            }
            for number in clients + [listener] { close(number) }
        }
    }

    func end() { lock.withLock { isOver = true } }
}

@Suite("Live devices on sockets and FIFOs") struct DeviceTests {
    let scratch = Scratch()
    private var path: String { "\(scratch.folder)/event0" }

    private var facts: EvdevFacts {
        var facts = EvdevFacts(
            identity: DeviceIdentity(
                name: "Panel", physicalPath: "usb-1/input0", bus: 0x18, vendor: 0x1234, product: 0xABCD, version: 0x111)
        )
        facts.properties = [2]
        facts.codes = [
            .init(type: 0, bits: [0b1011, 0, 0, 0]), .init(type: 1, bits: [UInt8](repeating: 0, count: 41) + [4]),
            .init(type: 3, bits: [0, 0, 0, 0, 0, 0x80, 0x60, 2]),
        ]
        facts.axes = [
            .init(code: 0x2F, value: 2, axis: DeviceAxis(minimum: 0, maximum: 9)),
            .init(code: 0x35, value: 0, axis: DeviceAxis(minimum: -5, maximum: 3200, resolution: 12, fuzz: 3, flat: 1)),
            .init(code: 0x36, value: 0, axis: DeviceAxis(minimum: 0, maximum: 1900, resolution: 12)),
            .init(code: 0x39, value: 0, axis: DeviceAxis(minimum: 0, maximum: 65535)),
        ]
        facts.stampsAreMonotonic = true
        return facts
    }

    /// `input_event`s with the time stamp 0.
    private func events(_ events: [(UInt16, UInt16, Int32)]) -> [UInt8] {
        events.flatMap { type, code, value in
            [UInt8](repeating: 0, count: 16) + [UInt8(type), 0, UInt8(code), 0]
                + (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
    }

    private func file(_ path: String, grab: Bool = false) throws -> DeviceFile { try DeviceFile(path, grab: grab) }

    @Test("an evdev device's answers describe its codes, axes and slots")
    func evdev() throws {
        let panel = try Plugged(.evdev(facts), at: path)
        defer { panel.unplug() }
        panel.use { $0.send(events([(3, 0x2F, 2), (3, 0x39, 77), (3, 0x35, 100), (0, 0, 0)])) }
        guard case .evdev(let answered) = try file(path).facts else {
            Issue.record("no evdev device")
            return
        }
        #expect(answered.identity == facts.identity)
        #expect(answered.properties == facts.properties)
        #expect(answered.codes == facts.codes)
        #expect(answered.axes == facts.axes)
        #expect(answered.stampsAreMonotonic)
        let slots = try #require(answered.slots)
        #expect(slots.current == 2)
        #expect(slots.axes.map(\.code) == [0x35, 0x36, 0x39])
        #expect((0..<10).map { slots.value(of: 0x39, in: $0) } == [-1, -1, 77, -1, -1, -1, -1, -1, -1, -1])
        #expect(slots.value(of: 0x35, in: 2) == 100)
        #expect(answered.kind == .touchscreen)
        #expect(answered.contactProtocol == .slots)
        #expect(answered.description.x == DeviceAxis(minimum: -5, maximum: 3200, resolution: 12, fuzz: 3, flat: 1))
        #expect(panel.use { $0.grabCount } == 0)
        _ = try file(path, grab: true)
        #expect(panel.use { $0.grabCount } == 1)
    }

    @Test("a hidraw device's identity and descriptor are its facts")
    func hidraw() throws {
        let identity = DeviceIdentity(
            name: "Reports", physicalPath: "i2c-1", bus: 0x18, vendor: 0x04F3, product: 0x2514)
        let facts = HIDRawFacts(identity: identity, descriptor: (0..<300).map { UInt8(truncatingIfNeeded: $0) })
        let panel = try Plugged(.hidraw(facts), at: "\(scratch.folder)/hidraw3")
        defer { panel.unplug() }
        #expect(try file("\(scratch.folder)/hidraw3").facts == .hidraw(facts))
    }

    @Test("opening what is no device names it and suggests a remedy")
    func noDevices() throws {
        func why(_ path: String) -> String {
            do throws(DeviceError) {
                _ = try DeviceFile(path, grab: false)
                return "opened"
            } catch { return error.description.replacingOccurrences(of: scratch.folder, with: "F") }
        }
        #expect(why("\(scratch.folder)/none") == "F/none: no device exists there")
        #expect(why(scratch.folder) == "F: expected an evdev or hidraw device, found a folder")
        #expect(why("/dev/null").hasSuffix("found something that answers neither's requests"))
        try Data().write(to: URL(filePath: "\(scratch.folder)/file"))
        #expect(why("\(scratch.folder)/file").hasSuffix("a file: play it with `touchline replay F/file`"))
        #expect(mkfifo("\(scratch.folder)/fifo", 0o600) == 0)
        #expect(why("\(scratch.folder)/fifo").contains("a FIFO without F/fifo.evemu or F/fifo.rdesc"))
        let listener = system_packet_listen("\(scratch.folder)/dead", 1)
        close(listener)
        // A test that starts a process at the same time may keep the listener open until its child runs its program.
        let deadline = Date(timeIntervalSinceNow: 60)
        while why("\(scratch.folder)/dead") != "F/dead: no device exists there", Date() < deadline { sched_yield() }
        #expect(why("\(scratch.folder)/dead") == "F/dead: no device exists there")
        #expect(DeviceError("/dev/input/event0", errno: EACCES).description.contains("sudo usermod -aG input $USER"))
        let mute = try Plugged(.evdev(facts), at: path)
        mute.use { $0.isMute = true }
        #expect(why(path) == "F/event0: has not answered for 50 ms")
        mute.unplug()
    }

    /// A host that watches the folder, opens each device that appears, and asks for slots after each dropped event.
    private func host() throws -> Running {
        let folder = scratch.folder
        return try Running(as: .inputKit) { input, _, outbox in
            switch input {
            case .started: outbox.append(.device(.watch(folder: folder, names: [])))
            case .device(.appeared(let path)): outbox.append(.device(.open(DeviceID(1), path: path, grab: false)))
            case .device(.bytes(let id, let bytes)) where bytes.count >= 24 && bytes[18] == 3 && bytes[16] == 0:
                outbox.append(.device(.resync(id)))
            default: break
            }
        }
    }

    private func isOpened(_ inputs: [Input]) -> Bool {
        inputs.contains { if case .device(.opened) = $0 { true } else { false } }
    }
    private func bytes(_ inputs: [Input]) -> [[UInt8]] {
        inputs.compactMap { if case .device(.bytes(_, let bytes)) = $0 { bytes } else { nil } }
    }
    private func lost(_ inputs: [Input]) -> String? {
        for case .device(.lost(_, let reason)) in inputs { return reason }
        return nil
    }

    @Test("a watched device is opened, read, resynchronized and lost when unplugged")
    func life() throws {
        let host = try host()
        host.recorded.wait("the start") { !$0.isEmpty }
        let panel = try Plugged(.evdev(facts), at: path)
        host.recorded.wait("the device", until: isOpened)
        let scan = events([(3, 0x39, 5), (0, 0, 0)])
        panel.use { $0.send(scan) }
        host.recorded.wait("its bytes") { bytes($0) == [scan] }
        let dropped = events([(0, 3, 0), (0, 0, 0)])
        panel.use { $0.send(events([(3, 0x39, -1), (3, 0x2F, 4), (3, 0x39, 6), (0, 0, 0)]), isDelivered: false) }
        panel.use { $0.send(dropped) }
        let told = host.recorded.wait("its slots") { inputs in
            inputs.contains { if case .device(.slots) = $0 { true } else { false } }
        }
        guard case .device(.slots(_, let slots?)) = told.last else {
            Issue.record("no slots: \(told)")
            return
        }
        #expect(slots.current == 4)
        #expect(slots.value(of: 0x39, in: 0) == -1)
        #expect(slots.value(of: 0x39, in: 4) == 6)
        panel.unplug()
        let inputs = host.recorded.wait("the end") { lost($0) != nil && $0.contains(.device(.vanished(path: path))) }
        #expect(lost(inputs) == "\(path): unplugged")
        host.stop()
    }

    @Test("a missing folder is awaited, and a removed one loses its devices")
    func folders() throws {
        let folder = "\(scratch.folder)/input"
        let host = try Running(as: .inputKit) { input, _, outbox in
            if input == .started { outbox.append(.device(.watch(folder: folder, names: []))) }
        }
        host.recorded.wait("the start") { !$0.isEmpty }
        #expect(mkdir(folder, 0o700) == 0)
        for name in ["event1", "mouse0", "event", "eventful", "hidraw0"] {
            try Data().write(to: URL(filePath: "\(folder)/\(name)"))
        }
        host.recorded.wait("both devices") { inputs in
            inputs.contains(.device(.appeared(path: "\(folder)/event1")))
                && inputs.contains(.device(.appeared(path: "\(folder)/hidraw0")))
        }
        let before = host.recorded.inputs.count
        #expect(chmod("\(folder)/event1", 0o640) == 0)
        host.recorded.wait("news of its permissions") { inputs in
            inputs.dropFirst(before).contains(.device(.appeared(path: "\(folder)/event1")))
        }
        try FileManager.default.removeItem(atPath: folder)
        // The order in which the folder is emptied is not fixed.
        let inputs = host.recorded.wait("their end") { inputs in
            inputs.contains(.device(.vanished(path: "\(folder)/hidraw0")))
                && inputs.contains(.device(.vanished(path: "\(folder)/event1")))
        }
        let names = inputs.compactMap { if case .device(.appeared(let path)) = $0 { path } else { nil } }
        #expect(Set(names) == ["\(folder)/event1", "\(folder)/hidraw0"])
        #expect(mkdir(folder, 0o700) == 0)
        try Data().write(to: URL(filePath: "\(folder)/event9"))
        host.recorded.wait("a device of the new folder") { $0.contains(.device(.appeared(path: "\(folder)/event9"))) }
        host.stop()
    }

    @Test("a folder that cannot exist is reported as unwatched")
    func unwatched() throws {
        let host = try Running(as: .inputKit) { input, _, outbox in
            if input == .started { outbox.append(.device(.watch(folder: "/none/at/all", names: []))) }
        }
        host.recorded.wait("the refusal") { inputs in
            inputs.contains(
                .device(.unwatched(folder: "/none/at/all", reason: "/none/at/all: No such file or directory")))
        }
        host.stop()
    }

    @Test("a described FIFO delivers events in any pieces and has no slots")
    func fifo() throws {
        try Data(facts.evemuHead.utf8).write(to: URL(filePath: "\(path).evemu"))
        #expect(mkfifo(path, 0o600) == 0)
        let host = try host()
        let opened = host.recorded.wait("the device", until: isOpened)
        for case .device(.opened(_, .evdev(let told))) in opened {
            #expect(told.axes.map(\.axis) == facts.axes.map(\.axis))
            #expect(told.identity.name == "Panel")
            #expect(told.slots == nil)
        }
        // The open does not block: if the host does not read the FIFO, the test fails and does not hang.
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        try #require(writer >= 0)
        defer { close(writer) }
        let scan = events([(3, 0x39, 5), (0, 0, 0)])
        #expect(write(writer, scan, 30) == 30)
        host.recorded.wait("the first event") { bytes($0).flatMap { $0 } == Array(scan[..<24]) }
        scan.withUnsafeBytes { #expect(write(writer, $0.baseAddress! + 30, 18) == 18) }
        host.recorded.wait("the second") { bytes($0).flatMap { $0 } == scan }
        let dropped = events([(0, 3, 0)])
        #expect(write(writer, dropped, 24) == 24)
        host.recorded.wait("the answer that there is none") { $0.contains(.device(.slots(DeviceID(1), nil))) }
        host.stop()
    }

    @Test("a FIFO of reports has each report's length before it")
    func reports() throws {
        let path = "\(scratch.folder)/hidraw0"
        try Data([1, 2, 3]).write(to: URL(filePath: "\(path).rdesc"))
        #expect(mkfifo(path, 0o600) == 0)
        let host = try host()
        host.recorded.wait("the device", until: isOpened)
        // The open does not block: if the host does not read the FIFO, the test fails and does not hang.
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        try #require(writer >= 0)
        #expect(write(writer, [3, 0, 1, 2, 3, 2, 0, 9] as [UInt8], 8) == 8)
        #expect(write(writer, [8] as [UInt8], 1) == 1)
        host.recorded.wait("both reports") { bytes($0) == [[1, 2, 3], [9, 8]] }
        close(writer)
        host.recorded.wait("the end") { lost($0) != nil }
        host.stop()
    }

    @Test("a device's facts survive as the head of an evemu recording")
    func evemu() throws {
        let read = try #require(EvdevFacts(evemu: Array(facts.evemuHead.utf8)))
        #expect(read.identity.name == "Panel")
        #expect(read.identity.product == 0xABCD)
        #expect(read.axes.map(\.axis) == facts.axes.map(\.axis))
        #expect(read.kind == facts.kind)
        #expect(read.contactProtocol == facts.contactProtocol)
        #expect((0..<0x300).allSatisfy { read.has(1, $0) == facts.has(1, $0) })
        #expect(EvdevFacts(evemu: Array(read.evemuHead.utf8)) == read)
        #expect(EvdevFacts(evemu: Array("# EVEMU 1.3\nnothing: A: 1\n".utf8)) == nil)
    }

    @Test("arbitrary answers of a device make a device or an error")
    func garbage() throws {
        let patterns: [[UInt8]] = [[0], [0xFF], [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0x7F], [1, 0, 0, 0]]
        let bodies =
            [[], [0x80]] + patterns.map { pattern in (0..<8192).map { pattern[$0 % pattern.count] } }
            + [[UInt8](repeating: 0xA5, count: 60_000)]
        for (index, result) in [Int32.min, -4096, -4095, -1, 0, 4, 96, .max].enumerated() {
            for (number, body) in bodies.enumerated() {
                let path = "\(scratch.folder)/rude\(index).\(number)"
                let rude = try Rude(at: path) { _ in DevicePacket.bytes(UInt32(bitPattern: result)) + body }
                defer { rude.end() }
                guard let file = try? file(path, grab: true) else { continue }
                if case .evdev(let facts) = file.facts {
                    #expect(!facts.evemuHead.isEmpty)
                    #expect(facts.description.contactCount ?? 0 >= 0)
                }
            }
        }
        let rude = try Rude(at: path) { request in
            DevicePacket.bytes(request == system_evdev_grab() ? UInt32(bitPattern: .min) : 0)
        }
        defer { rude.end() }
        #expect(throws: DeviceError.system(path, errno: EIO)) { try file(path, grab: true) }
    }

    @Test("a device that never answers about slots is lost without blocking")
    func muteSlots() throws {
        let (folder, timer) = (scratch.folder, TimerID(7))
        let host = try Running(as: .inputKit) { input, now, outbox in
            switch input {
            case .started: outbox.append(.device(.watch(folder: folder, names: [])))
            case .device(.appeared(let path)): outbox.append(.device(.open(DeviceID(1), path: path, grab: false)))
            case .device(.bytes(let id, _)):
                outbox.append(.device(.resync(id)))
                outbox.append(.arm(timer, at: now))
            default: break
            }
        }
        let panel = try Plugged(.evdev(facts), at: path)
        defer { panel.unplug() }
        host.recorded.wait("the device", until: isOpened)
        panel.use { $0.isMute = true }
        panel.use { $0.send(events([(0, 3, 0), (0, 0, 0)])) }
        let inputs = host.recorded.wait("its end") { lost($0) != nil }
        #expect(lost(inputs) == "\(path): has not answered for 250 ms")
        let fired = inputs.firstIndex(of: .timerFired(timer)) ?? .max
        let ended = inputs.firstIndex { if case .device(.lost) = $0 { true } else { false } } ?? .max
        #expect(fired < ended)
        host.stop()
    }

    @Test("a device without answers is asked six times, then after replugging")
    func givenUp() throws {
        let folder = scratch.folder
        let host = try Running(as: .inputKit) { input, _, outbox in
            switch input {
            case .started: outbox.append(.device(.watch(folder: folder, names: [])))
            case .device(.appeared(let path)): outbox.append(.device(.open(DeviceID(1), path: path, grab: false)))
            case .device(.failed(let id, let reason)) where reason.hasSuffix(" ms"):
                outbox.append(.device(.open(id, path: "\(folder)/event0", grab: false)))
            default: break
            }
        }
        host.recorded.wait("the start") { !$0.isEmpty }
        let mute = try Rude(at: path) { _ in [] }
        func failures(_ inputs: [Input]) -> [String] {
            inputs.compactMap { if case .device(.failed(_, let reason)) = $0 { reason } else { nil } }
        }
        // The host may report the name twice: once when it is made, and once when its permissions change.
        let heard = failures(host.recorded.wait("the end of patience") { failures($0).count >= 7 }).prefix(7)
        #expect(heard.dropLast() == ArraySlice(repeating: "\(path): has not answered for 50 ms", count: 6))
        #expect(
            heard.last == "\(path): has not answered 6 times: it is asked again after it is unplugged and plugged in")
        mute.end()
        let panel = try Plugged(.evdev(facts), at: path)
        defer { panel.unplug() }
        host.recorded.wait("the device", until: isOpened)
        host.stop()
    }

    @Test("a virtual device replaces only sockets and removes only its own")
    func occupied() throws {
        for name in [path, "\(path).new"] {
            try Data("precious".utf8).write(to: URL(filePath: name))
            #expect(throws: DeviceError.occupied(name)) { try VirtualDevice(.evdev(facts), at: path) }
            #expect(try String(contentsOfFile: name, encoding: .utf8) == "precious")
            try FileManager.default.removeItem(atPath: name)
        }
        let first = try VirtualDevice(.evdev(facts), at: path)
        let second = try VirtualDevice(.evdev(facts), at: path)
        first.unplug()
        #expect(FileManager.default.fileExists(atPath: path))
        second.unplug()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a virtual device knows when a reader has its slots")
    func slots() throws {
        let panel = try Plugged(.evdev(facts), at: path)
        defer { panel.unplug() }
        #expect(!panel.use { $0.hasToldSlots })
        try withExtendedLifetime(file(path)) { #expect(panel.use { $0.hasToldSlots }) }
    }

    @Test("a reader that is behind receives a dropped event")
    func behind() throws {
        let panel = try Plugged(.evdev(facts), at: path)
        defer { panel.unplug() }
        let file = try file(path)
        let scan = events([(3, 0x39, 5), (0, 0, 0)])
        panel.use { device in for _ in 0..<5000 { device.send(scan) } }
        let dropped = events([(0, 3, 0), (0, 0, 0)])
        var heard: [[UInt8]] = []
        for _ in 0..<10_000 where heard.last != dropped {
            var findings: [DeviceFile.ReadResult] = []
            #expect(file.read(into: &findings) == nil)
            for case .bytes(let bytes) in findings { heard.append(bytes) }
            poll(nil, 0, 1)
        }
        #expect(heard.last == dropped)
        #expect(heard.count < 5000)
        #expect(heard.dropLast().allSatisfy { $0 == scan })
    }

    @Test("listing a FIFO device does not disturb its writer")
    func lookedAt() throws {
        try Data(facts.evemuHead.utf8).write(to: URL(filePath: "\(path).evemu"))
        #expect(mkfifo(path, 0o600) == 0)
        let (path, scan) = (path, events([(0, 0, 0)]))
        let (begins, looked, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            var pipeSignal = sigset_t()
            sigemptyset(&pipeSignal)
            sigaddset(&pipeSignal, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
            begins.signal()
            // This open waits for a reader, as a shell does.
            let writer = open(path, O_WRONLY)
            looked.wait()
            _ = write(writer, scan, scan.count)
            close(writer)
            ended.signal()
        }
        begins.wait()
        #expect(throws: Never.self) { try ListedDevice.describe(path).facts.get() }
        let reader = try DeviceFile(path, grab: false)
        looked.signal()
        #expect(ended.wait(timeout: .now() + 60) == .success)
        var findings: [DeviceFile.ReadResult] = []
        _ = reader.read(into: &findings)
        let heard = findings.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } }
        #expect(heard == scan)
    }

    @Test("a missing folder may be watched with a trailing slash")
    func slash() throws {
        let folder = "\(scratch.folder)/later"
        let host = try Running(as: .inputKit) { input, _, outbox in
            if input == .started { outbox.append(.device(.watch(folder: "\(folder)/", names: []))) }
        }
        host.recorded.wait("the start") { !$0.isEmpty }
        #expect(mkdir(folder, 0o700) == 0)
        try Data().write(to: URL(filePath: "\(folder)/event0"))
        host.recorded.wait("the device") { $0.contains(.device(.appeared(path: "\(folder)/event0"))) }
        host.stop()
    }
}
