// DeviceCodec.swift: news about a process's input devices, as the fields of a journal.
//
// Input     InputCodec
// Output    the order, the widths and the limits of the fields
//
// Sources   invented

import HID
import Hosting
import Wire

extension DeviceNotice {
    private struct Parts {
        var news: UInt8
        var device: UInt32?
        var path: String?
        var reason: String?
        var bytes: [UInt8]?
        var facts: DeviceFacts?
        var slots: DeviceSlots?
    }

    private var parts: Parts {
        switch self {
        case .appeared(let path): Parts(news: 0, path: path)
        case .vanished(let path): Parts(news: 1, path: path)
        case .unwatched(let folder, let reason): Parts(news: 2, path: folder, reason: reason)
        case .opened(let device, let facts): Parts(news: 3, device: device.rawValue, facts: facts)
        case .bytes(let device, let bytes): Parts(news: 4, device: device.rawValue, bytes: bytes)
        case .slots(let device, let slots): Parts(news: 5, device: device.rawValue, slots: slots)
        case .failed(let device, let reason): Parts(news: 6, device: device.rawValue, reason: reason)
        case .lost(let device, let reason): Parts(news: 7, device: device.rawValue, reason: reason)
        }
    }

    init<Coder: FieldCoder>(coding value: DeviceNotice?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let news = try coder.field(parts?.news, "news")
        if (3...7).contains(news) {
            let device = DeviceID(try coder.field(parts?.device, "device"))
            switch news {
            case 3: self = .opened(device, try DeviceFacts(coding: parts?.facts, with: &coder))
            case 4: self = .bytes(device, try coder.longBytes(parts?.bytes, "device bytes"))
            case 5: self = .slots(device, try coder.slots(parts.map { $0.slots }))
            case 6: self = .failed(device, reason: try coder.longText(parts?.reason, "reason"))
            default: self = .lost(device, reason: try coder.longText(parts?.reason, "reason"))
            }
            return
        }
        switch news {
        case 0: self = .appeared(path: try coder.longText(parts?.path, "path"))
        case 1: self = .vanished(path: try coder.longText(parts?.path, "path"))
        case 2:
            self = .unwatched(
                folder: try coder.longText(parts?.path, "folder"), reason: try coder.longText(parts?.reason, "reason"))
        default: throw coder.failure(.badValue("device news", UInt64(news)))
        }
    }
}

extension DeviceFacts {
    private var parts: (facts: UInt8, evdev: EvdevFacts?, hidraw: HIDRawFacts?) {
        switch self {
        case .evdev(let facts): (0, facts, nil)
        case .hidraw(let facts): (1, nil, facts)
        }
    }

    fileprivate init<Coder: FieldCoder>(coding value: DeviceFacts?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.facts, "facts") {
        case 0: self = .evdev(try EvdevFacts(coding: parts?.evdev, with: &coder))
        case 1:
            self = .hidraw(
                HIDRawFacts(
                    identity: try DeviceIdentity(coding: parts?.hidraw?.identity, with: &coder),
                    descriptor: try coder.longBytes(parts?.hidraw?.descriptor, "descriptor")))
        case let other: throw coder.failure(.badValue("device facts", UInt64(other)))
        }
    }
}

extension EvdevFacts {
    fileprivate init<Coder: FieldCoder>(coding value: EvdevFacts?, with coder: inout Coder) throws(Coder.Failure) {
        let limit = Journal.recordLimit
        self.init(
            identity: try DeviceIdentity(coding: value?.identity, with: &coder),
            properties: try coder.longBytes(value?.properties, "properties"),
            codes: try coder.list(value?.codes, "types", of: "event types", size: 6, limit: limit) {
                (codes, coder) throws(Coder.Failure) in
                Codes(
                    type: try coder.field(codes?.type, "each: type"), bits: try coder.longBytes(codes?.bits, "codes"))
            },
            axes: try coder.list(value?.axes, "axes", of: "axes", size: Axis.size, limit: limit) {
                (axis, coder) throws(Coder.Failure) in try Axis(coding: axis, with: &coder)
            },
            slots: try coder.slots(value.map { $0.slots }),
            stampsAreMonotonic: try coder.field(
                value?.stampsAreMonotonic, "stamps are moments", as: "stamps are moments"))
    }
}

extension DeviceIdentity {
    fileprivate init<Coder: FieldCoder>(coding value: DeviceIdentity?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            name: try coder.longText(value?.name, "name"),
            physicalPath: try coder.longText(value?.physicalPath, "place"),
            bus: try coder.field(value?.bus, "bus"), vendor: try coder.field(value?.vendor, "vendor"),
            product: try coder.field(value?.product, "product"), version: try coder.field(value?.version, "version"))
    }
}

extension EvdevFacts.Axis {
    fileprivate static let size = 30

    fileprivate init<Coder: FieldCoder>(
        coding value: EvdevFacts.Axis?, with coder: inout Coder
    ) throws(Coder.Failure) {
        self.init(
            code: try coder.field(value?.code, "each: code"), value: try coder.field(value?.value, "each: value"),
            axis: DeviceAxis(
                minimum: try coder.field(value?.axis.minimum, "each: minimum"),
                maximum: try coder.field(value?.axis.maximum, "each: maximum"),
                resolution: Double(
                    bitPattern: try coder.field(value?.axis.resolution.bitPattern, "each: resolution")),
                fuzz: try coder.field(value?.axis.fuzz, "each: fuzz"),
                flat: try coder.field(value?.axis.flat, "each: flat")))
        // No kernel reports such a resolution, and a NaN is not equal to itself.
        try coder.require(axis.resolution.isFinite, else: .badValue("resolution", axis.resolution.bitPattern))
    }
}

extension FieldCoder {
    /// - Parameter slots: Nil for a coder that reads; contains nil for a device without slots.
    fileprivate mutating func slots(_ slots: DeviceSlots??) throws(Failure) -> DeviceSlots? {
        guard try field(slots.map { $0 != nil }, "slots follow", as: "slots follow") else { return nil }
        let value = slots ?? nil
        let limit = Journal.recordLimit
        return DeviceSlots(
            current: try field(value?.current, "current slot"),
            axes: try list(value?.axes, "axes", of: "slot axes", size: 6, limit: limit) {
                (axis, coder) throws(Failure) in
                DeviceSlots.Axis(
                    code: try coder.field(axis?.code, "each: code"),
                    values: try coder.list(axis?.values, "each: values", of: "slot values", size: 4, limit: limit) {
                        (value, coder) throws(Failure) in try coder.field(value, "each value")
                    })
            })
    }
}
