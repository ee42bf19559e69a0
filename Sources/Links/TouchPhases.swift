// TouchPhases.swift: which touches an app has, by its server's frames, and whether a frame fits to what came before.
//
// Input     StreamContent: every frame of touches that passes one end of a link
// Output    the first rule that the frame breaks
// Knows     numbers and phases of touches. No positions.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import HID
import Wire

/// The touches of one app, as its server's frames have said. A frame lists every touch that the app has.
struct TouchPhases: Sendable {
    /// In order of landing.
    private(set) var live: [TouchID] = []
    /// The highest number that has begun.
    private var newest: TouchID?

    mutating func removeAll(keepingNumbers: Bool = false) {
        if !live.isEmpty { live.removeAll(keepingCapacity: true) }
        if !keepingNumbers { newest = nil }
    }

    mutating func take(_ frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        var fault: StreamFault?
        if live.count > TouchFrame.contactLimit { live.removeAll() }
        let before = live.count
        let newestBefore = newest
        /// A bit for each place in `live` that the frame lists.
        var listed: UInt64 = 0
        var ended = 0
        for contact in frame.contacts {
            let place = live.firstIndex(of: contact.touch)
            switch contact.phase {
            case .began:
                if let place {
                    fault = .touch(contact.touch, place < before ? .beganTwice : .listedTwice)
                    if place < min(before, 64) { listed |= UInt64(1) << UInt64(place) }
                    continue
                }
                if let newestBefore, contact.touch <= newestBefore {
                    fault = .touch(contact.touch, .numberUsedBefore)
                }
                newest = max(newest ?? contact.touch, contact.touch)
                live.append(contact.touch)
            case .moved, .stationary, .ended, .cancelled:
                guard let place, place < before else {
                    if isStrict { fault = .touch(contact.touch, .neverBegan) }
                    continue
                }
                let bit = place < 64 ? UInt64(1) << UInt64(place) : 0
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
                if let place = live.firstIndex(of: contact.touch) { live.remove(at: place) }
            }
        }
        return isStrict ? fault : nil
    }
}
