// StreamContent.swift: what the frames of one link say of fingers, touches and other inputs, in the order they pass.
//
// Input     StreamVerifier: each frame that its end sends or hears
// Output    the first rule that the frame breaks
// Knows     phases. No numbers of frames, no credit.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import HID
import Wire

struct StreamContent: Sendable {
    private(set) var devices = DevicePhases()
    private var touches = TouchPhases()
    /// Keys and pointers that have begun and not ended.
    private(set) var inputs = HeldInputs()

    /// Inputs held at once, as the server's router follows them.
    private static let heldLimit = 256

    mutating func removeAll() {
        devices.removeAll()
        touches.removeAll()
        inputs = HeldInputs()
    }

    /// Forgets what frames that were lost on their way to `role` may have changed.
    mutating func missedFrames(of peer: Role, by role: Role) {
        if role == .app { touches.removeAll(keepingNumbers: true) }
        if role == .app || peer == .inputKit { inputs = HeldInputs() }
    }

    mutating func fault(of event: HIDEvent, _ ledger: Ledger, isStrict: Bool) -> StreamFault? {
        if let stamp = ledger[.device], stamp != event.timeStamp {
            return .deviceStamp(stamp, event: event.timeStamp)
        }
        return devices.take(event, isStrict: isStrict)
    }

    mutating func fault(of frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        touches.take(frame, isStrict: isStrict)
    }

    mutating func fault(of input: DeviceInput, isStrict: Bool) -> StreamFault? {
        guard input.isPossible else { return .input(input, .impossible) }
        // A peer that begins every input and ends none makes this set only so large.
        if inputs.inputs.count > Self.heldLimit { inputs = HeldInputs() }
        let repaired = inputs.take(input)
        guard isStrict, repaired?.phase != input.phase else { return nil }
        return .input(input, input.phase == .began ? .beganTwice : .neverBegan)
    }
}
