// DevicePhases.swift: which fingers are down on each device, as its scans report, and whether the next scan agrees.
//
// Input     StreamContent: every scan that passes one end of a link
// Output    one rule that the scan breaks, if it breaks any
// Knows     senders, generations and phases. No positions.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import Basics
import HID

/// The fingers of each device that are down after its scans. A scan lists every finger that is down on its device.
struct DevicePhases: Sendable {
    private struct Device: Sendable {
        let sender: UInt64
        var generation: UInt32
        var time: Instant
        /// One bit for each finger that is down, by its index.
        var down: UInt64 = 0
    }

    private var devices: [Device] = []

    /// The number of devices that are remembered, the same as in the server's router.
    static let limit = 64

    var fingersDown: Int { devices.reduce(0) { $0 + $1.down.nonzeroBitCount } }

    mutating func removeAll() { devices.removeAll(keepingCapacity: true) }

    /// Checks one scan against the earlier scans of its device, and adopts its phases.
    ///
    /// - Parameter isStrict: False if earlier frames are missing: then only an older generation is a fault.
    /// - Returns: One rule that the scan breaks, or nil.
    mutating func check(_ event: HIDEvent, isStrict: Bool) -> StreamFault? {
        let index = index(of: event)
        let known = devices[index]
        let generation = event.generationCount
        if generation < known.generation {
            return .deviceGeneration(sender: event.senderID, generation, newest: known.generation)
        }
        if generation > known.generation { (devices[index].generation, devices[index].down) = (generation, 0) }
        let before = devices[index].down
        var (down, listed) = (before, UInt64(0))
        var fault: StreamFault?
        if event.timeStamp < known.time {
            fault = .deviceTime(sender: event.senderID, event.timeStamp, before: known.time)
        }
        for finger in event.fingers {
            guard finger.index < 64 else {
                fault = .finger(sender: event.senderID, index: finger.index, .impossible)
                continue
            }
            let bit = UInt64(1) << UInt64(finger.index)
            if listed & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .listedTwice) }
            listed |= bit
            switch finger.phase {
            case .began:
                if before & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .beganTwice) }
                down |= bit
            case .moved, .stationary:
                if before & bit == 0, isStrict {
                    fault = .finger(sender: event.senderID, index: finger.index, .neverBegan)
                }
                down |= bit
            case .ended, .cancelled:
                if before & bit == 0, isStrict {
                    fault = .finger(sender: event.senderID, index: finger.index, .neverBegan)
                }
                down &= ~bit
            case nil:
                // A hovering finger has no phase. A finger that was down must report its end first.
                if before & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .notListed) }
            }
        }
        if before & ~listed != 0, isStrict {
            let index = UInt32((before & ~listed).trailingZeroBitCount)
            fault = .finger(sender: event.senderID, index: index, .notListed)
        }
        devices[index].down = down & listed
        devices[index].time = max(known.time, event.timeStamp)
        return isStrict ? fault : nil
    }

    /// Checks the moves behind a scan that was checked. They have its fingers and its phases, so that only their times can break
    /// a rule.
    mutating func check(movesOf scans: ScanMoves, isStrict: Bool) -> StreamFault? {
        let index = index(of: scans.first)
        guard scans.first.generationCount == devices[index].generation else { return nil }
        var fault: StreamFault?
        for time in scans.times {
            if time < devices[index].time, isStrict {
                fault = fault ?? .deviceTime(sender: scans.first.senderID, time, before: devices[index].time)
            }
            devices[index].time = max(devices[index].time, time)
        }
        return fault
    }

    private mutating func index(of event: HIDEvent) -> Int {
        for index in devices.indices where devices[index].sender == event.senderID { return index }
        if devices.count >= Self.limit { devices.removeFirst() }
        devices.append(
            Device(sender: event.senderID, generation: event.generationCount, time: event.timeStamp))
        return devices.count - 1
    }
}
