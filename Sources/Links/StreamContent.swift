// StreamContent.swift: what the frames of one link say of fingers, touches and other inputs, in the order they pass.
//
// Input     StreamVerifier: each frame that its end sends or hears
// Output    the first rule that the frame breaks
// Knows     phases. No numbers of frames, no credit.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import Basics
import HID
import Wire

struct StreamContent: Sendable {
    private(set) var devices = DevicePhases()
    private var touches = TouchPhases()
    /// Keys and pointers of devices that have begun and not ended.
    private(set) var deviceInputs = HeldInputs<DigitizerSpace>()
    /// The same of an app.
    private var inputs = HeldInputs<SceneSpace>()

    mutating func removeAll() {
        devices.removeAll()
        touches.removeAll()
        forgetInputs()
    }

    /// Forgets what frames that were lost on their way to `role` may have changed.
    mutating func missedFrames(of peer: Role, by role: Role) {
        if role == .app { touches.removeAll(keepingNumbers: true) }
        if role == .app || peer == .inputKit { forgetInputs() }
    }

    private mutating func forgetInputs() { (deviceInputs, inputs) = (HeldInputs(), HeldInputs()) }

    mutating func fault(of event: HIDEvent, _ ledger: Ledger, isStrict: Bool) -> StreamFault? {
        if let stamp = ledger[.device], stamp != event.timeStamp {
            return .deviceStamp(stamp, event: event.timeStamp)
        }
        return devices.take(event, isStrict: isStrict)
    }

    mutating func fault(of frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        touches.take(frame, isStrict: isStrict)
    }

    mutating func fault(of input: DeviceInput<DigitizerSpace>, isStrict: Bool) -> StreamFault? {
        deviceInputs.check(input, isStrict: isStrict).map { .deviceInput(input, $0) }
    }

    mutating func fault(of input: DeviceInput<SceneSpace>, isStrict: Bool) -> StreamFault? {
        inputs.check(input, isStrict: isStrict).map { .input(input, $0) }
    }
}

extension HeldInputs {
    /// Takes an input.
    ///
    /// - Returns: What is wrong with it.
    fileprivate mutating func check(_ input: DeviceInput<In>, isStrict: Bool) -> StreamFault.Wrong? {
        guard input.isPossible else { return .impossible }
        // As many as the server's router follows: a peer that begins every input and ends none makes this set only so large.
        if inputs.count > 256 { self = HeldInputs() }
        let repaired = take(input)
        guard isStrict, repaired?.phase != input.phase else { return nil }
        return input.phase == .began ? .beganTwice : .neverBegan
    }
}
