// TestInputKit.swift: an input-kit whose fingers and keys a test moves, instead of a recording or a device.
//
// Station   device … frame
// Input     TestPhone: acts of a finger script, at the present moment
// Output    scans and device inputs, as frames to the server
// Knows     the panel's contacts. Not the screen's contents, and no time.
//
//     acts ─▶ ScriptAssembly ─▶ ContactFrame ─▶ FrameAssembler ─▶ HIDEvent ─▶ FrameSender ─▶ frame
//
// Sources   invented

import Basics
import HID
import Hosting
import InputKitCore
import Links
import Recordings
import Wire

/// The input-kit of a test's phone.
final class TestInputKit: ProcessCore {
    /// Sends what waits.
    static let actsTimer = TimerID(1)
    private static let senderID: UInt64 = 1

    private let panel: ScriptPanel
    private var sender: FrameSender
    private var fingers = ScriptAssembly()
    private var assembler: FrameAssembler
    /// The force of each finger with one, as a part of the greatest force.
    private var forces: [Int: Double] = [:]
    private static let greatestPressure: Int32 = 1 << 20
    private var held = HeldInputs<DigitizerSpace>()
    private var waiting: [FingerScript.Line] = []
    private var waitingInputs: [DeviceInput<DigitizerSpace>] = []

    init(screen: ScreenGeometry) {
        panel = ScriptPanel(screen: screen)
        sender = FrameSender(generation: 1, probes: false, tracesKeys: true)
        var device = DeviceDescription()
        device.pressure = DeviceAxis(minimum: 0, maximum: Self.greatestPressure)
        assembler = FrameAssembler(
            ranges: FingerScript.ranges, senderID: Self.senderID, generationCount: 1, device: device)
    }

    /// The numbers of the fingers that are down, in order of touch-down.
    var fingersDown: [Int] { fingers.fingersDown }

    /// Adds an act. It is sent with the next `actsTimer`.
    func append(_ line: FingerScript.Line) { waiting.append(line) }

    /// Adds an input of another device. It is sent with the next `actsTimer`.
    func append(_ input: DeviceInput<DigitizerSpace>) { waitingInputs.append(input) }

    /// Sets the force of a finger from its next act to its lift.
    ///
    /// - Parameter force: A part of the greatest force, 0 to 1.
    func setForce(_ force: Double, of finger: Int) { forces[finger] = force }

    func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .connected(.systemServer):
            sender.link.connected()
            if let hello = sender.link.pendingHello { outbox.append(.send(hello, to: .systemServer)) }
        case .frame(let frame, from: .systemServer):
            _ = sender.link.receive(frame, at: now)
        case .timerFired(Self.actsTimer): sendWaiting(at: now, into: &outbox)
        // The world keeps the server alive, and sends nothing else.
        case .started, .connected, .frame, .peerLost, .refused, .timerFired, .fileBytes, .fileFailed, .device,
            .childStarted, .childFailed, .childExited, .programReplaced, .stopRequested:
            return
        }
    }

    private func sendWaiting(at now: Instant, into outbox: inout Outbox) {
        for line in waiting {
            if !fingers.canAppend(line.act) { closeScan(at: now, into: &outbox) }
            fingers.append(line, on: panel)
            guard case .device(let act) = line.act else { continue }
            for input in act.inputs(on: panel) { send(input, at: now, into: &outbox) }
        }
        waiting.removeAll(keepingCapacity: true)
        closeScan(at: now, into: &outbox)
        for input in waitingInputs { send(input, at: now, into: &outbox) }
        waitingInputs.removeAll(keepingCapacity: true)
    }

    private func send(_ input: DeviceInput<DigitizerSpace>, at now: Instant, into outbox: inout Outbox) {
        guard let input = held.apply(input) else { return }
        _ = sender.send(DeviceEvent(timeStamp: now, input: input), at: now, into: &outbox)
    }

    private func closeScan(at now: Instant, into outbox: inout Outbox) {
        let numbers = fingers.fingersDown
        guard var frame = fingers.closeFrame() else { return }
        for (index, finger) in numbers.enumerated() {
            guard let force = forces[finger] else { continue }
            frame.contacts[index].attributes.pressure = Int32(force * Double(Self.greatestPressure))
            if !fingers.fingersDown.contains(finger) { forces[finger] = nil }
        }
        var faults: [ContactFault] = []
        let event = assembler.assemble(frame, at: now, faults: &faults)
        precondition(faults.isEmpty, "a test's fingers broke the rules of a panel: \(faults)")
        if let event { _ = sender.send(event, at: now, into: &outbox) }
    }
}
