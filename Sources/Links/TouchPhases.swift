// TouchPhases.swift: the touches of one app, as its server's frames report, and whether the next frame agrees.
//
// Input     StreamContent: every frame of touches that passes one end of a link
// Output    one rule that the frame breaks, if it breaks any
// Knows     numbers and phases of touches. No positions.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import HID
import Wire

/// The touches of one app after the frames of its server. A frame lists every touch of the app.
struct TouchPhases: Sendable {
    /// The touches that have begun and not ended, in the order of their landing.
    private(set) var live: [TouchID] = []
    /// The highest touch number that has begun.
    private var newest: TouchID?

    mutating func removeAll(keepingNumbers: Bool = false) {
        if !live.isEmpty { live.removeAll(keepingCapacity: true) }
        if !keepingNumbers { newest = nil }
    }

    /// Checks one frame against the earlier frames, and adopts its phases.
    ///
    /// - Parameter isStrict: False if earlier frames are missing: then the frame is adopted without a fault.
    /// - Returns: One rule that the frame breaks, or nil.
    mutating func check(_ frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        var fault: StreamFault?
        if live.count > TouchFrame.contactLimit { live.removeAll() }
        let before = live.count
        let newestBefore = newest
        /// One bit for each index in `live` that the frame lists.
        var listed: UInt64 = 0
        var ended = 0
        for contact in frame.contacts {
            let index = live.firstIndex(of: contact.touch)
            switch contact.phase {
            case .began:
                if let index {
                    fault = .touch(contact.touch, index < before ? .beganTwice : .listedTwice)
                    if index < min(before, 64) { listed |= UInt64(1) << UInt64(index) }
                    continue
                }
                if let newestBefore, contact.touch <= newestBefore {
                    fault = .touch(contact.touch, .numberUsedBefore)
                }
                newest = max(newest ?? contact.touch, contact.touch)
                live.append(contact.touch)
            case .moved, .stationary, .ended, .cancelled:
                guard let index, index < before else {
                    if isStrict { fault = .touch(contact.touch, .neverBegan) }
                    continue
                }
                let bit = index < 64 ? UInt64(1) << UInt64(index) : 0
                if listed & bit != 0 { fault = .touch(contact.touch, .listedTwice) }
                listed |= bit
                if contact.phase == .ended || contact.phase == .cancelled { ended += 1 }
            }
        }
        if before <= 64 {
            let all = before == 64 ? UInt64.max : (UInt64(1) << UInt64(before)) - 1
            if listed != all { fault = .touch(live[(~listed).trailingZeroBitCount], .notListed) }
        }
        if ended > 0 {
            for contact in frame.contacts where contact.phase == .ended || contact.phase == .cancelled {
                if let index = live.firstIndex(of: contact.touch) { live.remove(at: index) }
            }
        }
        return isStrict ? fault : nil
    }
}
