import Basics
import HID
import Recordings

/// Frames drawn from a seed: contacts that land, move, rest, lift and are cancelled, in any order that panels produce.
struct FrameSeed {
    var fingers = 5
    var frames = 60
    /// Every time is a multiple of this, in nanoseconds.
    var grain: Int64 = 1000
    var hasEmptyFrames = true
    var attributes: [WritableKeyPath<ContactAttributes, Int32?>] = []
    var hasPens = false
    var hasScanTime = false
    var ranges = AxisRanges(x: 0...4095, y: -100...2000)

    func make(_ seed: UInt64) -> [ContactFrame] {
        var generator = SeededGenerator(seed: seed)
        var live: [DeviceContact] = []
        var frames: [ContactFrame] = []
        var (time, nextID): (Int64, Int64) = (0, 5)
        func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &generator) == 0 }
        func setPosition(_ contact: inout DeviceContact) {
            contact.x = Int32.random(in: ranges.x, using: &generator)
            contact.y = Int32.random(in: ranges.y, using: &generator)
            for path in attributes { contact.attributes[keyPath: path] = Int32.random(in: 0...255, using: &generator) }
        }
        while frames.count < self.frames {
            // Some frames have the same time.
            if !frames.isEmpty, !chance(8) {
                time += Int64.random(in: 1...40_000_000, using: &generator) / grain * grain
            }
            for index in live.indices {
                live[index].phase = .stationary
                if chance(8) {
                    live[index].phase = chance(4) ? .cancelled : .ended
                } else if !chance(3) {
                    let before = (live[index].x, live[index].y)
                    setPosition(&live[index])
                    live[index].phase = before == (live[index].x, live[index].y) ? .stationary : .moved
                }
            }
            let staying = live.count { $0.phase != .ended && $0.phase != .cancelled }
            for _ in staying..<max(staying, fingers) where chance(4) {
                var contact = DeviceContact(id: nextID, phase: .began, x: 0, y: 0)
                if hasPens, chance(3) { contact.attributes.tool = .pen }
                setPosition(&contact)
                live.append(contact)
                nextID += Int64.random(in: 1...3, using: &generator)
            }
            if !live.isEmpty || hasEmptyFrames {
                frames.append(
                    ContactFrame(
                        time: .nanoseconds(time), contacts: live,
                        scanTime: hasScanTime
                            ? .microseconds((time - (frames.first?.time.nanoseconds ?? time)) / 1000) : nil))
            }
            live.removeAll { $0.phase == .ended || $0.phase == .cancelled }
        }
        return frames
    }
}

/// The same frames with contacts named by their order of landing, times rounded, and only what every format keeps.
func plain(_ frames: [ContactFrame], grain: Int64 = 1) -> [ContactFrame] {
    var live: [(id: Int64, order: Int64)] = []
    var landings: Int64 = 0
    return frames.map { frame in
        let contacts = frame.contacts.map { contact in
            if contact.phase == .began {
                live.append((contact.id, landings))
                landings += 1
            }
            let index = live.firstIndex { $0.id == contact.id }!
            let order = live[index].order
            if contact.phase == .ended || contact.phase == .cancelled { live.remove(at: index) }
            return DeviceContact(id: order, phase: contact.phase, x: contact.x, y: contact.y)
        }
        let time = (frame.time.nanoseconds + grain / 2) / grain * grain
        return ContactFrame(time: .nanoseconds(time), contacts: contacts)
    }
}

/// A recording of these frames in that format.
func written(
    _ frames: [ContactFrame], as format: RecordingFormat, of device: DeviceDescription = DeviceDescription(),
    ranges: AxisRanges = FrameSeed().ranges, options: RecordingWriter.Options = RecordingWriter.Options()
) -> (bytes: [UInt8], losses: RecordingTraits) {
    var writer = RecordingWriter(format, device: device, ranges: ranges, options: options)
    var bytes: [UInt8] = []
    for frame in frames { writer.write(frame, into: &bytes) }
    writer.finish(into: &bytes)
    return (bytes, writer.losses)
}

extension RecordingFormat {
    /// The times of the format are whole multiples of this, in nanoseconds.
    var grain: Int64 {
        switch self {
        case .evemu, .evtest, .getevent, .libinputRecord, .hidRecorder: 1000
        case .webdriverActions: 1_000_000
        case .script, .journal: 1
        }
    }
}
