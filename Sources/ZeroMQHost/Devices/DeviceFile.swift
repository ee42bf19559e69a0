// DeviceFile.swift: one open device of any of three kinds.
//
//     character device   requests are ioctls                       a read is input_events, or one report
//     unix socket        requests are packets, answers too         a packet is input_events, or one report
//     FIFO               no answers; a file beside it has them     input_events, or length and report
//
// DeviceQuestions alone interprets the answers, so that a test with a virtual device covers the code for real ones. A
// virtual device's packets, little endian:
//
//     to it     request u32, length u32, argument          as ioctl(2) takes them
//     from it   1 u32, result i32, bytes                   result: what ioctl would return, or minus errno
//               0 u32, bytes                               what a read would give
//
// Sources   documented  kernel input.rst, hidraw.rst
//           invented    the virtual device and the files beside a FIFO (Docs/Decisions/Devices.md)

import Basics
import CSystem
import Glibc
public import HID
import Hosting
import Recordings

/// An open evdev or hidraw device.
public final class DeviceFile {
    private enum Transport { case character, socket, pipe }

    enum Kind { case evdev, hidraw }

    public let path: String
    /// The description that the device gave when it was opened.
    public private(set) var facts: DeviceFacts
    private let file: Descriptor
    private let transport: Transport
    private let kind: Kind
    /// Data that arrived while an answer was awaited.
    private var earlyPackets: [[UInt8]] = []
    /// For a FIFO: the beginning of an incomplete read.
    private var partial: [UInt8] = []
    private var buffer: [UInt8]

    /// The slot questions that a virtual device has not answered yet, their deadline, and the data after the first
    /// answer.
    private var slotInquiry: (slots: SlotInquiry, deadline: Instant, later: [[UInt8]])?

    /// The milliseconds that a virtual device has for one answer, and for all answers, while it is opened. The host
    /// waits for them.
    private static let answerLimits = DeviceQuestions.AnswerLimits(forOne: 50, forAll: 250)
    /// Milliseconds for the slot questions, for which the host does not wait.
    private static let slotAnswerLimit = 250
    private static let packetLimit = 1 << 16
    /// The reads of one `read` call. A panel sends 125 or 250 reports a second, so this covers at least a quarter of a
    /// second.
    private static let readsAtOnce = 64

    /// The descriptor to watch for reading.
    public var descriptor: Int32 { file.number }

    /// Whether data has arrived that the descriptor will not report.
    public var hasEarlyPackets: Bool { !earlyPackets.isEmpty }

    /// One result of a read.
    public enum ReadResult: Sendable {
        /// The bytes of one read or one packet.
        case bytes([UInt8])
        /// The answer to `askForSlots`: nil if the device has no slots or cannot be asked.
        case slots(DeviceSlots?)
    }

    /// Opens a device and asks it for its description.
    ///
    /// - Parameters:
    ///   - path: `/dev/input/event3`, `/dev/hidraw0`, or the socket of a virtual device.
    ///   - grab: Whether other programs lose its events; evdev only, because hidraw has no grab.
    /// - Throws: `DeviceError`
    public init(_ path: String, grab: Bool) throws(DeviceError) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { throw DeviceError(path, errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFCHR: transport = .character
        case S_IFSOCK: transport = .socket
        case S_IFIFO: transport = .pipe
        case S_IFDIR: throw .noDevice(path, why: "a folder")
        default: throw .noDevice(path, why: "a file: play it with `touchline replay \(path)`")
        }
        file = transport == .socket ? try Self.connect(path) : try Self.open(path)
        buffer = [UInt8](repeating: 0, count: Self.packetLimit)
        let questions = DeviceQuestions(file.number, isSocket: transport == .socket, answerLimits: Self.answerLimits)
        if transport == .pipe {
            facts = try Self.described(beside: path)
        } else {
            facts = try questions.facts(of: path, grab: grab)
            earlyPackets = questions.earlyPackets
        }
        kind = if case .evdev = facts { .evdev } else { .hidraw }
    }

    private static func open(_ path: String) throws(DeviceError) -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw DeviceError(path, errno: errno) }
        return Descriptor(number)
    }

    private static func connect(_ path: String) throws(DeviceError) -> Descriptor {
        let number = system_packet_connect(path)
        guard number >= 0 else {
            // The socket's listener has died, or does not listen yet.
            throw errno == ECONNREFUSED ? .absent(path) : DeviceError(path, errno: errno)
        }
        let file = Descriptor(number)
        var (pid, uid): (Int32, UInt32) = (0, 0)
        guard system_peer(number, &pid, &uid) == 0 else { throw DeviceError(path, errno: errno) }
        guard uid == geteuid() || uid == 0 else { throw .foreignOwner(path, uid: uid) }
        return file
    }

    /// The description in the file beside a FIFO: `NAME.evemu`, an evemu description, or `NAME.rdesc`, a report
    /// descriptor.
    private static func described(beside path: String) throws(DeviceError) -> DeviceFacts {
        if let text = contents(of: "\(path).evemu", limit: 1 << 20) {
            guard let facts = EvdevFacts(evemu: text) else {
                throw .noDevice(path, why: "no evemu description in \(path).evemu")
            }
            return .evdev(facts)
        }
        if let descriptor = contents(of: "\(path).rdesc", limit: Int(system_hid_descriptor_limit)) {
            let name = path.split(separator: "/").last.map { String($0) } ?? path
            return .hidraw(HIDRawFacts(identity: DeviceIdentity(name: name), descriptor: descriptor))
        }
        throw .noDevice(path, why: "a FIFO without \(path).evemu or \(path).rdesc, which would describe it")
    }

    private static func contents(of path: String, limit: Int) -> [UInt8]? {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(file.number, $0.baseAddress! + count, limit + 1 - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
        }
        return count > limit ? nil : Array(bytes[..<count])
    }

    // MARK: Reading

    /// Reads all data that is available now.
    ///
    /// - Parameter findings: Receives the results in the order they happened.
    /// - Returns: The reason why nothing more will come, or nil.
    public func read(into findings: inout [ReadResult]) -> String? {
        findings += earlyPackets.map { .bytes($0) }
        earlyPackets.removeAll()
        for _ in 0..<Self.readsAtOnce {
            let count = Glibc.read(file.number, &buffer, buffer.count)
            if count < 0 {
                switch errno {
                case EAGAIN: return nil
                case EINTR: continue
                case EIO, ENODEV, ECONNRESET, EPIPE: return "unplugged"
                default: return systemText(errno)
                }
            }
            guard count > 0 else { return "unplugged" }
            handle(buffer[..<count], into: &findings)
            // A short read was all there was; another read would only cost a call.
            if transport == .character, kind == .evdev, count < buffer.count { return nil }
        }
        return nil
    }

    private func handle(_ bytes: ArraySlice<UInt8>, into findings: inout [ReadResult]) {
        switch transport {
        case .character: findings.append(.bytes(Array(bytes)))
        case .socket: handlePacket(bytes, into: &findings)
        case .pipe:
            partial += bytes
            var start = 0
            switch kind {
            case .evdev:
                start = partial.count / Int(system_event_size) * Int(system_event_size)
                if start > 0 { findings.append(.bytes(Array(partial[..<start]))) }
            case .hidraw:
                while partial.count - start >= 2 {
                    let length = Int(partial[start]) | Int(partial[start + 1]) << 8
                    guard partial.count - start - 2 >= length else { break }
                    findings.append(.bytes(Array(partial[start + 2..<start + 2 + length])))
                    start += 2 + length
                }
            }
            partial.removeFirst(start)
        }
    }

    private func handlePacket(_ packet: ArraySlice<UInt8>, into findings: inout [ReadResult]) {
        if let data = DevicePacket.data(in: packet) {
            // An incomplete event is dropped, because it would misalign every later one.
            let length = kind == .evdev ? data.count / Int(system_event_size) * Int(system_event_size) : data.count
            guard length > 0 else { return }
            let bytes = Array(data.prefix(length))
            guard let later = slotInquiry?.later, slotInquiry?.slots.hasAnswers == true else {
                findings.append(.bytes(bytes))
                return
            }
            // The data is newer than the answers so far, so it follows the complete answer.
            slotInquiry?.later.append(bytes)
            guard later.count == Self.laterLimit else { return }
            // The device sends data without ever completing its answer.
            slotInquiry = nil
            findings.append(.slots(nil))
            findings += (later + [bytes]).map { .bytes($0) }
        } else if let request = slotInquiry?.slots.request, let answer = DeviceAnswer(packet, to: request) {
            slotInquiry?.slots.apply(answer)
            guard let finishedInquiry = slotInquiry, finishedInquiry.slots.isOver else { return }
            slotInquiry = nil
            findings.append(.slots(finishedInquiry.slots.result))
            findings += finishedInquiry.later.map { .bytes($0) }
        }
    }

    private static let laterLimit = 256

    /// The deadline for the slot answers; nil while none is awaited.
    var deadline: Instant? { slotInquiry?.deadline }

    /// Asks for the content of the slots. A virtual device answers in a later read, a real device at once.
    ///
    /// - Throws: `silent` for a virtual device that takes no more questions.
    func askForSlots(at now: Instant, into findings: inout [ReadResult]) throws(DeviceError) {
        guard transport != .pipe, case .evdev(let facts) = facts, let slots = SlotInquiry(of: facts) else {
            findings.append(.slots(nil))
            return
        }
        guard transport == .socket else {
            let questions = DeviceQuestions(file.number, isSocket: false, answerLimits: Self.answerLimits)
            findings.append(.slots(questions.slots(of: facts)))
            return
        }
        guard slotInquiry == nil else { return }
        guard DeviceQuestions.sendQuestions(of: slots, to: file.number) else {
            throw .silent(path, milliseconds: Self.slotAnswerLimit)
        }
        slotInquiry = (slots, now.advanced(by: .milliseconds(Self.slotAnswerLimit)), [])
    }

    /// Throws `silent` if the device has not answered a question in time.
    func checkSilence(at now: Instant) throws(DeviceError) {
        guard let deadline, deadline <= now else { return }
        throw .silent(path, milliseconds: Self.slotAnswerLimit)
    }

    /// A device's description only. A FIFO is not opened: its writer would take the caller for its reader, and end with
    /// it.
    static func facts(of path: String) throws(DeviceError) -> DeviceFacts {
        var status = stat()
        guard stat(path, &status) == 0 else { throw DeviceError(path, errno: errno) }
        if status.st_mode & S_IFMT == S_IFIFO { return try described(beside: path) }
        return try DeviceFile(path, grab: false).facts
    }
}

/// The packets of a virtual device.
enum DevicePacket {
    static let data: UInt32 = 0
    static let answer: UInt32 = 1

    static func word(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32? {
        guard bytes.count >= offset + 4 else { return nil }
        let start = bytes.startIndex + offset
        return (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }

    static func bytes(_ words: UInt32...) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    /// The data of a packet; nil for an answer and for any other packet.
    static func data(in packet: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        word(packet, at: 0) == data ? packet.dropFirst(4) : nil
    }

    static func answer(in packet: ArraySlice<UInt8>) -> (result: Int32, bytes: ArraySlice<UInt8>)? {
        guard word(packet, at: 0) == answer, let result = word(packet, at: 4) else { return nil }
        let number = Int32(bitPattern: result)
        // The kernel's errors are -4095...-1. A smaller number counts as EIO.
        return (number < -4095 ? -EIO : number, packet.dropFirst(8))
    }
}
