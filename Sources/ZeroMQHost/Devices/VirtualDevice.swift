// VirtualDevice.swift: a device that a program simulates: a socket in a folder of devices that answers as the kernel
// would.
//
// Every request of DeviceQuestions is answered from the facts. The content of the slots follows the sent events. So a
// reader that asks for the slots (after SYN_DROPPED) receives the kernel's answer. The socket listens before it gets
// its name in the folder.
//
// Input     tests; `touchline devices --serve`, `touchline inspect`
// Output    DeviceFile, in another process or this one
//
// Sources   documented  kernel input.rst, hidraw.rst
//           invented    the packets (DeviceFile)

import Basics
import CSystem
import Glibc
public import HID
import Hosting

/// A simulated device. It has no thread and never runs by itself: its owner calls `serveRequests`.
public final class VirtualDevice {
    public let path: String
    public let facts: DeviceFacts
    /// Whether requests are read and not answered, as by a device that hangs.
    public var isMute = false
    /// The number of answered requests, and of grabs among them.
    public private(set) var answerCount = 0
    public private(set) var grabCount = 0
    /// The content of an evdev device's slots.
    private var slots: DeviceSlots
    private let socket: Descriptor
    private var clients: [Client] = []
    private var isPluggedIn = true
    /// The socket that this object created at its path.
    private var node: Node?

    private final class Client {
        let socket: Descriptor
        /// The timestamp of an evdev packet that the client had no room for; reported by SYN_DROPPED as the kernel
        /// does.
        var lostTimestamp: [UInt8]?
        /// Whether the client has received the content of the slots, and whether also the current slot after it.
        var hasContent = false
        var hasSlots = false
        init(_ socket: consuming Descriptor) { self.socket = socket }
    }

    /// The descriptors that become readable when a request arrives: the socket's, and one for each program that has
    /// the device open.
    public var descriptors: [Int32] { [socket.number] + clients.map { $0.socket.number } }

    /// Whether a program has the device open.
    public var isOpen: Bool { !clients.isEmpty }

    /// Whether a program that has the device open has received its slots. A contact that is down before that was there
    /// before the program came, which ignores it until it lifts.
    public var hasToldSlots: Bool { clients.contains { $0.hasSlots } }

    /// Plugs the device in.
    ///
    /// - Parameters:
    ///   - facts: The description that a reader receives when it asks.
    ///   - path: `…/event3`, `…/hidraw0`; an existing socket there is replaced, any other file is not.
    /// - Throws: `DeviceError.occupied` if another kind of file is there.
    public init(_ facts: DeviceFacts, at path: String) throws(DeviceError) {
        (self.facts, self.path) = (facts, path)
        slots = DeviceSlots(current: 0, axes: [])
        if case .evdev(let evdev) = facts, let count = evdev.slotCount {
            for code in UInt16(0x30)...0x3D where evdev.has(3, code) || evdev.axis(code) != nil {
                let rest: Int32 = code == Self.trackingID ? -1 : 0
                let values = [Int32](repeating: rest, count: min(count, 256))
                slots.axes.append(DeviceSlots.Axis(code: code, values: values))
            }
        }
        let unfinished = "\(path).new"
        for name in [path, unfinished] {
            if let node = Self.node(name), !node.isSocket { throw .occupied(name) }
        }
        unlink(unfinished)
        let number = system_packet_listen(unfinished, 16)
        guard number >= 0 else { throw DeviceError(path, errno: errno) }
        socket = Descriptor(number)
        node = Self.node(unfinished)
        guard rename(unfinished, path) == 0 else {
            let failure = errno
            unlink(unfinished)
            isPluggedIn = false
            throw DeviceError(path, errno: failure)
        }
    }

    private struct Node: Equatable {
        var device: UInt
        var number: UInt
        var isSocket: Bool
    }

    /// - Returns: Nil if nothing has that name.
    private static func node(_ path: String) -> Node? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Node(
            device: UInt(status.st_dev), number: UInt(status.st_ino), isSocket: status.st_mode & S_IFMT == S_IFSOCK)
    }

    deinit { unplug() }

    /// Removes the device's name and closes all connections to it.
    public func unplug() {
        guard isPluggedIn else { return }
        isPluggedIn = false
        // The name may belong to another device by now.
        if Self.node(path) == node { unlink(path) }
        clients.removeAll()
    }

    private static let trackingID: UInt16 = 0x39
    private static let slotCode: UInt16 = 0x2F

    // MARK: Sending

    /// Sends data to every program that has the device open.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of one read: whole `input_event`s, or one report.
    ///   - isDelivered: False for events that the kernel lost: the slots follow them, but no program receives them.
    public func send(_ bytes: [UInt8], isDelivered: Bool = true) {
        if case .evdev = facts { updateSlots(with: bytes) }
        guard isDelivered else { return }
        let packet = DevicePacket.bytes(DevicePacket.data) + bytes
        clients.removeAll { client in
            guard reportLoss(to: client) else { return false }
            let count = Glibc.send(client.socket.number, packet, packet.count, Int32(MSG_NOSIGNAL))
            guard count < 0 else { return false }
            guard errno == EAGAIN else { return true }
            // A slow reader loses the data that it cannot hold, as with a kernel; an evdev reader is told of the loss.
            if case .evdev = facts, bytes.count >= 16 { client.lostTimestamp = Array(bytes.prefix(16)) }
            return false
        }
    }

    /// - Returns: Whether the client has been told of every loss.
    private func reportLoss(to client: Client) -> Bool {
        guard let stamp = client.lostTimestamp else { return true }
        let syn: (UInt8) -> [UInt8] = { stamp + [0, 0, $0, 0, 0, 0, 0, 0] }
        let packet = DevicePacket.bytes(DevicePacket.data) + syn(3) + syn(0)
        guard Glibc.send(client.socket.number, packet, packet.count, Int32(MSG_NOSIGNAL)) >= 0 else { return false }
        client.lostTimestamp = nil
        return true
    }

    /// Updates the content of the slots.
    private func updateSlots(with bytes: [UInt8]) {
        let size = Int(system_event_size)
        for start in stride(from: 0, to: bytes.count / size * size, by: size) {
            let type = UInt16(bytes[start + 16]) | UInt16(bytes[start + 17]) << 8
            let code = UInt16(bytes[start + 18]) | UInt16(bytes[start + 19]) << 8
            let value = DevicePacket.word(bytes[...], at: start + 20).map { Int32(bitPattern: $0) } ?? 0
            guard type == 3 else { continue }
            if code == Self.slotCode { slots.current = value }
            guard let index = slots.axes.firstIndex(where: { $0.code == code }) else { continue }
            let slot = Int(slots.current)
            if slots.axes[index].values.indices.contains(slot) { slots.axes[index].values[slot] = value }
        }
    }

    // MARK: Answering

    /// Accepts connections and answers the requests that have arrived.
    ///
    /// - Parameter milliseconds: The longest wait for a request; 0 for none.
    public func serveRequests(milliseconds: Int32) {
        guard isPluggedIn else { return }
        for client in clients { _ = reportLoss(to: client) }
        var items = [pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)]
        for client in clients { items.append(pollfd(fd: client.socket.number, events: Int16(POLLIN), revents: 0)) }
        guard poll(&items, UInt(items.count), milliseconds) > 0 else { return }
        while case let number = system_packet_accept(socket.number), number >= 0 {
            clients.append(Client(Descriptor(number)))
        }
        var packet = [UInt8](repeating: 0, count: 1 << 13)
        clients.removeAll { client in
            while true {
                let count = recv(client.socket.number, &packet, packet.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 || errno != EAGAIN }
                answer(packet[..<count], of: client)
            }
        }
    }

    private func answer(_ packet: ArraySlice<UInt8>, of client: Client) {
        guard !isMute, let request = DevicePacket.word(packet, at: 0), let length = DevicePacket.word(packet, at: 4),
            length <= packet.count - 8
        else { return }
        let argument = Array(packet.dropFirst(8).prefix(Int(length)))
        let capacity = max(Int(system_request_length(request)), argument.count)
        answerCount += 1
        let (result, bytes) =
            switch facts {
            case .evdev(let facts): answer(request, argument, capacity, facts, client)
            case .hidraw(let facts): answer(request, argument, capacity, facts)
            }
        let words = DevicePacket.bytes(DevicePacket.answer, UInt32(bitPattern: result)) + bytes.prefix(capacity)
        _ = Glibc.send(client.socket.number, words, words.count, Int32(MSG_NOSIGNAL))
    }

    private typealias Answer = (result: Int32, bytes: [UInt8])

    private func answer(
        _ request: UInt32, _ argument: [UInt8], _ room: Int, _ facts: EvdevFacts, _ client: Client
    ) -> Answer {
        let identity = facts.identity
        guard system_request_type(request) == system_request_type(system_evdev_version()) else { return (-ENOTTY, []) }
        switch system_request_number(request) {
        case Number.version: return (0, DevicePacket.bytes(0x01_0001))
        case Number.id:
            let words = [identity.bus, identity.vendor, identity.product, identity.version]
            return (0, words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        case Number.name: return text(identity.name, room)
        case Number.physicalPath:
            return identity.physicalPath.isEmpty ? (-ENOENT, []) : text(identity.physicalPath, room)
        case Number.properties: return list(facts.properties, room)
        case Number.slots:
            let code = UInt16(truncatingIfNeeded: DevicePacket.word(argument[...], at: 0) ?? 0)
            guard let axis = slots.axes.first(where: { $0.code == code }) else { return (-EINVAL, []) }
            client.hasContent = true
            let words = axis.values.flatMap { DevicePacket.bytes(UInt32(bitPattern: $0)) }
            return (0, DevicePacket.bytes(UInt32(code)) + words)
        case Number.grab:
            grabCount += 1
            return (0, [])
        case Number.clock: return facts.stampsAreMonotonic ? (0, []) : (-EINVAL, [])
        case let number where Number.bits.contains(number):
            let type = UInt16(number - Number.bits.lowerBound)
            guard let codes = facts.codes.first(where: { $0.type == type }) else { return (-EINVAL, []) }
            return list(codes.bits, room)
        case let number where Number.axes.contains(number):
            let code = UInt16(number - Number.axes.lowerBound)
            guard let entry = facts.axis(code) else { return (-EINVAL, []) }
            let value = code == Self.slotCode ? slots.current : entry.value
            // A reader asks for the current slot last (SlotInquiry).
            if code == Self.slotCode, client.hasContent { client.hasSlots = true }
            let numbers = [
                value, entry.axis.minimum, entry.axis.maximum, entry.axis.fuzz, entry.axis.flat,
                Int32(clamping: Int64(clamping: entry.axis.resolution)),
            ]
            return (0, numbers.flatMap { DevicePacket.bytes(UInt32(bitPattern: $0)) })
        default: return (-EINVAL, [])
        }
    }

    private func answer(_ request: UInt32, _ argument: [UInt8], _ room: Int, _ facts: HIDRawFacts) -> Answer {
        let identity = facts.identity
        guard system_request_type(request) == system_request_type(system_hidraw_info()) else { return (-ENOTTY, []) }
        switch system_request_number(request) {
        case Number.descriptorSize: return (0, DevicePacket.bytes(UInt32(facts.descriptor.count)))
        case Number.descriptor:
            let length = Int(DevicePacket.word(argument[...], at: 0) ?? 0)
            return (0, DevicePacket.bytes(UInt32(length)) + facts.descriptor.prefix(length))
        case Number.info:
            let ids = [identity.vendor, identity.product].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            return (0, DevicePacket.bytes(UInt32(identity.bus)) + ids)
        case Number.hidName: return text(identity.name, room)
        case Number.hidPhysicalPath: return text(identity.physicalPath, room)
        default: return (-EINVAL, [])
        }
    }

    /// The numbers of requests, without the length that the caller adds.
    private enum Number {
        static let version = system_request_number(system_evdev_version())
        static let id = system_request_number(system_evdev_id())
        static let name = system_request_number(system_evdev_name(0))
        static let physicalPath = system_request_number(system_evdev_place(0))
        static let properties = system_request_number(system_evdev_properties(0))
        static let slots = system_request_number(system_evdev_slots(0))
        static let grab = system_request_number(system_evdev_grab())
        static let clock = system_request_number(system_evdev_clock())
        static let bits: Range<UInt32> = {
            let first = system_request_number(system_evdev_bits(0, 0))
            return first..<first + UInt32(system_event_types)
        }()
        static let axes: Range<UInt32> = {
            let first = system_request_number(system_evdev_axis(0))
            return first..<first + UInt32(system_axes)
        }()
        static let descriptorSize = system_request_number(system_hidraw_descriptor_size())
        static let descriptor = system_request_number(system_hidraw_descriptor())
        static let info = system_request_number(system_hidraw_info())
        static let hidName = system_request_number(system_hidraw_name(0))
        static let hidPhysicalPath = system_request_number(system_hidraw_place(0))
    }

    private func text(_ text: String, _ room: Int) -> Answer {
        let bytes = Array((Array(text.utf8) + [0]).prefix(room))
        return (Int32(bytes.count), bytes)
    }

    private func list(_ bits: [UInt8], _ room: Int) -> Answer {
        let bytes = Array(bits.prefix(room))
        return (Int32(bytes.count), bytes)
    }
}
