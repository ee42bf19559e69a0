// StreamContent.swift: what the frames of one link report about fingers, touches and other inputs, in order.
//
// Input     StreamVerifier: each frame that its end sends or receives
// Output    one rule that the frame breaks, if it breaks any
// Knows     phases. No numbers of frames, no credit.
//
// Sources   Docs/Spec/Pipeline.md section 3: I6

import Basics
import HID
import Wire

/// The inputs that are down or held according to the frames of one link.
struct StreamContent: Sendable {
    private(set) var devices = DevicePhases()
    private var touches = TouchPhases()
    /// Keys and pointers of devices that have begun and not ended.
    private(set) var deviceInputs = HeldInputs<DigitizerSpace>()
    /// Keys and pointers of an app that have begun and not ended.
    private var inputs = HeldInputs<SceneSpace>()

    mutating func removeAll() {
        devices.removeAll()
        touches.removeAll()
        forgetInputs()
    }

    /// Forgets the state that lost frames may have changed.
    ///
    /// - Parameters:
    ///   - peer: The sender of the lost frames.
    ///   - role: Their receiver.
    mutating func missedFrames(of peer: Role, by role: Role) {
        if role == .app { touches.removeAll(keepingNumbers: true) }
        if role == .app || peer == .inputKit { forgetInputs() }
    }

    private mutating func forgetInputs() { (deviceInputs, inputs) = (HeldInputs(), HeldInputs()) }

    mutating func fault(of event: HIDEvent, _ ledger: Ledger, isStrict: Bool) -> StreamFault? {
        let fault = devices.check(event, isStrict: isStrict)
        return stampFault(of: event, ledger) ?? fault
    }

    /// Checks scans that share a frame. The ledger of the frame begins with the time stamp of the first one.
    mutating func fault(of scans: ScanList, _ ledger: Ledger, isStrict: Bool) -> StreamFault? {
        var fault = scans.first.flatMap { stampFault(of: $0, ledger) }
        for part in scans.parts {
            let next = devices.check(part.first, isStrict: isStrict)
            let moves = devices.check(movesOf: part, isStrict: isStrict)
            fault = fault ?? next ?? moves
        }
        return fault
    }

    private func stampFault(of event: HIDEvent, _ ledger: Ledger) -> StreamFault? {
        guard let stamp = ledger[.device], stamp != event.timeStamp else { return nil }
        return .deviceStamp(stamp, event: event.timeStamp)
    }

    mutating func fault(of frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        touches.check(frame, isStrict: isStrict)
    }

    /// Checks scans that share a frame. A move has the touches and the phases of the scan before it, so that it breaks no
    /// rule if that one breaks none.
    mutating func fault(of several: TouchList, isStrict: Bool) -> StreamFault? {
        var fault: StreamFault?
        for part in several.parts {
            let next = touches.check(part.frame(at: 0), isStrict: isStrict)
            fault = fault ?? next
        }
        return fault
    }

    mutating func fault(of input: DeviceInput<DigitizerSpace>, isStrict: Bool) -> StreamFault? {
        deviceInputs.check(input, isStrict: isStrict).map { .deviceInput(input, $0) }
    }

    mutating func fault(of input: DeviceInput<SceneSpace>, isStrict: Bool) -> StreamFault? {
        inputs.check(input, isStrict: isStrict).map { .input(input, $0) }
    }
}

extension HeldInputs {
    /// Checks an input, and adopts it.
    ///
    /// - Returns: The rule that the input breaks, or nil.
    fileprivate mutating func check(_ input: DeviceInput<In>, isStrict: Bool) -> StreamFault.PhaseFault? {
        guard input.isPossible else { return .impossible }
        // The server's router follows as many. The limit bounds the set for a peer that begins inputs and ends none.
        if inputs.count > 256 { self = HeldInputs() }
        let repaired = apply(input)
        guard isStrict, repaired?.phase != input.phase else { return nil }
        return input.phase == .began ? .beganTwice : .neverBegan
    }
}
