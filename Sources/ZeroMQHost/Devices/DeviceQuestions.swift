// DeviceQuestions.swift: the requests to a device when it is opened, and the meaning of its answers.
//
// A request goes to the kernel or, in a packet, to a virtual device. Either answers with a number and bytes, which this
// file alone interprets.
//
// Sources   documented  kernel input.h (input_id, input_absinfo, input_mt_request_layout), hidraw.h

import CSystem
import Glibc
import HID
import Hosting

/// A device's answer to one request.
struct DeviceAnswer {
    /// At least 0, or minus an errno.
    var result: Int32
    var bytes: [UInt8]
    var isGood: Bool { result >= 0 }

    init(result: Int32, bytes: [UInt8]) { (self.result, self.bytes) = (result, bytes) }

    /// Parses a virtual device's answer; nil for another packet. Missing bytes are zero, as in a buffer that the kernel
    /// has not filled.
    init?(_ packet: ArraySlice<UInt8>, to request: UInt32) {
        guard let answer = DevicePacket.answer(in: packet) else { return nil }
        let missing = max(0, Int(system_request_length(request)) - answer.bytes.count)
        self.init(result: answer.result, bytes: Array(answer.bytes) + [UInt8](repeating: 0, count: missing))
    }

    func number16(_ index: Int) -> UInt16 {
        bytes.count >= index * 2 + 2 ? UInt16(bytes[index * 2]) | UInt16(bytes[index * 2 + 1]) << 8 : 0
    }

    func number32(_ index: Int) -> Int32 {
        DevicePacket.word(bytes[...], at: index * 4).map { Int32(bitPattern: $0) } ?? 0
    }
}

/// The questions about a device's slots, one for each axis and one for the current slot, and the meaning of the
/// answers.
///
/// The caller sends the questions and decides whether to wait.
struct SlotInquiry {
    private let codes: [UInt16]
    private let count: Int
    private var slots = DeviceSlots(current: 0, axes: [])
    private var isRefused = false
    private var answers = 0

    /// The most slots, as in EvdevTracker.
    private static let slotLimit = 256

    /// - Returns: Nil for a device without slots.
    init?(of facts: EvdevFacts) {
        guard let count = facts.slotCount else { return nil }
        self.count = min(count, Self.slotLimit)
        codes = (UInt16(0x30)...0x3D).filter { facts.has(3, $0) }
    }

    /// The questions, to be answered in this order.
    var questions: [(request: UInt32, argument: [UInt8])] {
        let request = system_evdev_slots(UInt32(4 + 4 * count))
        return codes.map { (request, DevicePacket.bytes(UInt32($0))) } + [(system_evdev_axis(0x2F), [])]
    }

    /// The request that the next answer belongs to.
    var request: UInt32 { answers < codes.count ? system_evdev_slots(UInt32(4 + 4 * count)) : system_evdev_axis(0x2F) }

    var hasAnswers: Bool { answers > 0 }
    var isOver: Bool { answers > codes.count }

    /// The slots; nil while answers are missing, and if a request was refused.
    var result: DeviceSlots? { isOver && !isRefused ? slots : nil }

    mutating func apply(_ answer: DeviceAnswer) {
        guard !isOver else { return }
        defer { answers += 1 }
        guard answers < codes.count else {
            slots.current = answer.number32(0)
            if !answer.isGood { isRefused = true }
            return
        }
        // The kernel leaves the code in place. With another code the answer belongs to another question.
        guard answer.isGood, answer.number32(0) == Int32(codes[answers]) else {
            isRefused = true
            return
        }
        let values = (0..<count).map { answer.number32($0 + 1) }
        slots.axes.append(DeviceSlots.Axis(code: codes[answers], values: values))
    }
}

/// Asks one device for its description, one request at a time.
final class DeviceQuestions {
    private let file: Int32
    private let isSocket: Bool
    /// The deadline of a virtual device for all answers, in nanoseconds.
    private let deadline: Int64
    private let answerLimits: AnswerLimits
    private var isSilent = false
    /// Data that arrived instead of an answer.
    private(set) var earlyPackets: [[UInt8]] = []

    private static let earlyLimit = 256
    private static let textLimit = 256

    /// The milliseconds that a virtual device has.
    struct AnswerLimits {
        var forOne: Int
        var forAll: Int
    }

    init(_ file: Int32, isSocket: Bool, answerLimits: AnswerLimits) {
        (self.file, self.isSocket, self.answerLimits) = (file, isSocket, answerLimits)
        deadline = system_clock() + Int64(answerLimits.forAll) * 1_000_000
    }

    // MARK: One question

    /// Sends one request.
    ///
    /// - Parameter argument: The bytes that the kernel finds in the buffer for the answer.
    private func ask(_ request: UInt32, _ argument: [UInt8] = []) -> DeviceAnswer {
        if isSocket { return askBySocket(request, argument) }
        var bytes = argument
        let length = max(Int(system_request_length(request)), argument.count)
        bytes += [UInt8](repeating: 0, count: length - bytes.count)
        let result = system_ioctl(file, request, &bytes)
        return DeviceAnswer(result: result < 0 ? -errno : result, bytes: bytes)
    }

    /// Sends a request with a number as its argument.
    private func ask(_ request: UInt32, value: UInt32) -> DeviceAnswer {
        if isSocket { return askBySocket(request, DevicePacket.bytes(value)) }
        let result = system_ioctl_value(file, request, UInt(value))
        return DeviceAnswer(result: result < 0 ? -errno : result, bytes: [])
    }

    private func askBySocket(_ request: UInt32, _ argument: [UInt8]) -> DeviceAnswer {
        guard !isSilent else { return DeviceAnswer(result: -ETIMEDOUT, bytes: []) }
        let question = DevicePacket.bytes(request, UInt32(argument.count)) + argument
        guard send(file, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            return DeviceAnswer(result: -errno, bytes: [])
        }
        var packet = [UInt8](repeating: 0, count: 1 << 16)
        let end = min(deadline, system_clock() + Int64(answerLimits.forOne) * 1_000_000)
        while earlyPackets.count < Self.earlyLimit {
            let left = (end - system_clock() + 999_999) / 1_000_000
            var item = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let ready = left > 0 ? poll(&item, 1, Int32(clamping: left)) : 0
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = recv(file, &packet, packet.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return DeviceAnswer(result: -ENODEV, bytes: []) }
            if let data = DevicePacket.data(in: packet[..<count]) {
                earlyPackets.append(Array(data))
            } else if let answer = DeviceAnswer(packet[..<count], to: request) {
                return answer
            }
        }
        isSilent = true
        return DeviceAnswer(result: -ETIMEDOUT, bytes: [])
    }

    // MARK: Reading answers

    private func text(_ request: (UInt32) -> UInt32) -> String {
        let answer = ask(request(UInt32(Self.textLimit)))
        guard answer.isGood else { return "" }
        let bytes = answer.bytes.prefix(min(Int(answer.result), Self.textLimit)).prefix { $0 != 0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: The description

    func facts(of path: String, grab: Bool) throws(DeviceError) -> DeviceFacts {
        let version = ask(system_evdev_version())
        if version.isGood { return .evdev(try evdev(path, grab: grab)) }
        let size = ask(system_hidraw_descriptor_size())
        if size.isGood { return .hidraw(try hidraw(path, descriptorLength: Int(size.number32(0)))) }
        try checkAnswered(path)
        if size.result == -ENODEV { throw .absent(path) }
        throw .noDevice(path, why: "something that answers neither's requests")
    }

    private func checkAnswered(_ path: String) throws(DeviceError) {
        if isSilent { throw .silent(path, milliseconds: answerLimits.forOne) }
    }

    private func hidraw(_ path: String, descriptorLength: Int) throws(DeviceError) -> HIDRawFacts {
        guard (0...Int(system_hid_descriptor_limit)).contains(descriptorLength) else {
            throw .noDevice(path, why: "a report descriptor of \(descriptorLength) bytes")
        }
        let answer = ask(system_hidraw_descriptor(), DevicePacket.bytes(UInt32(descriptorLength)))
        let info = ask(system_hidraw_info())
        let identity = DeviceIdentity(
            name: text(system_hidraw_name), physicalPath: text(system_hidraw_place),
            bus: UInt16(truncatingIfNeeded: info.number32(0)), vendor: info.number16(2),
            product: info.number16(3))
        try checkAnswered(path)
        guard answer.isGood, answer.bytes.count >= 4 + descriptorLength else { throw .absent(path) }
        return HIDRawFacts(identity: identity, descriptor: Array(answer.bytes[4..<4 + descriptorLength]))
    }

    private func evdev(_ path: String, grab: Bool) throws(DeviceError) -> EvdevFacts {
        // The clock is set before any state is read, because changing it discards the pending events.
        let clock = ask(system_evdev_clock(), DevicePacket.bytes(UInt32(CLOCK_MONOTONIC)))
        if grab {
            let result = ask(system_evdev_grab(), value: 1).result
            if result == -EBUSY { throw .grabbed(path) }
            guard result >= 0 else { throw DeviceError(path, errno: -result) }
        }
        let id = ask(system_evdev_id())
        let identity = DeviceIdentity(
            name: text(system_evdev_name), physicalPath: text(system_evdev_place), bus: id.number16(0),
            vendor: id.number16(1), product: id.number16(2), version: id.number16(3))
        var facts = EvdevFacts(identity: identity, stampsAreMonotonic: clock.isGood)
        let properties = ask(system_evdev_properties(UInt32(system_property_bytes)))
        if properties.isGood { facts.properties = trimmed(properties) }
        let types = ask(system_evdev_bits(0, UInt32(system_event_types) / 8))
        guard types.isGood else {
            try checkAnswered(path)
            throw .absent(path)
        }
        facts.codes = [EvdevFacts.Codes(type: 0, bits: trimmed(types))]
        for type in 1..<UInt16(system_event_types) where facts.has(0, type) {
            let codes = ask(system_evdev_bits(UInt32(type), UInt32(system_code_bytes)))
            // Some types have no codes to ask for (EV_REP).
            if codes.isGood { facts.codes.append(EvdevFacts.Codes(type: type, bits: trimmed(codes))) }
        }
        for code in 0..<UInt16(system_axes) where facts.has(3, code) {
            let axis = ask(system_evdev_axis(UInt32(code)))
            if axis.isGood { facts.axes.append(self.axis(code, axis)) }
        }
        facts.slots = slots(of: facts)
        try checkAnswered(path)
        return facts
    }

    /// The bytes that the kernel has written.
    private func trimmed(_ answer: DeviceAnswer) -> [UInt8] { Array(answer.bytes.prefix(Int(answer.result))) }

    /// Parses `input_absinfo`: value, minimum, maximum, fuzz, flat, resolution.
    private func axis(_ code: UInt16, _ answer: DeviceAnswer) -> EvdevFacts.Axis {
        EvdevFacts.Axis(
            code: code, value: answer.number32(0),
            axis: DeviceAxis(
                minimum: answer.number32(1), maximum: answer.number32(2), resolution: Double(answer.number32(5)),
                fuzz: answer.number32(3), flat: answer.number32(4)))
    }

    /// Asks for the slots and waits for the answers.
    ///
    /// - Returns: Nil for a device without slots, and for one that does not answer.
    func slots(of facts: EvdevFacts) -> DeviceSlots? {
        guard var inquiry = SlotInquiry(of: facts) else { return nil }
        for (request, argument) in inquiry.questions { inquiry.apply(ask(request, argument)) }
        return inquiry.result
    }

    /// Sends the slot questions without waiting.
    ///
    /// - Returns: Whether a virtual device's socket took every question.
    static func sendQuestions(of inquiry: SlotInquiry, to socket: Int32) -> Bool {
        inquiry.questions.allSatisfy { request, argument in
            let question = DevicePacket.bytes(request, UInt32(argument.count)) + argument
            return Glibc.send(socket, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
        }
    }
}
