// DirectPlay.swift: a scenario played to the core of the app alone, with the frames that the server would send.
//
// Input     Scenario.play
// Output    AppCore, in a World of its own; a Playback
// Knows     the server's handling of fingers, interruptions and locks (D5 to D7). Nothing else of it.
//
// Sources   documented  Docs/Spec/Scenarios.md: in `direct` mode interrupt, resume and lock act as the server's
//           messages

import AppCore
import Basics
import HID
import Hosting
import Links
import Recordings
import Settings
import Simulator
import Trace
import Wire

/// One play in `direct` mode.
struct DirectPlay {
    private let scenario: Scenario
    private let settings: Settings
    private let geometry: ScreenGeometry
    private var world = World()
    private var link = LinkNumbers(epoch: 1, generation: 1)
    private let app = Peer.app(1)

    /// The fingers whose landing the app received, by their index on the panel.
    private var live: [(index: UInt32, touch: TouchID, position: Point<SceneSpace>)] = []
    private var nextTouch: UInt32 = 0
    /// The active keys and pointers, and those of them that the app has received.
    private var held = HeldInputs<DigitizerSpace>()
    private var delivered = HeldInputs<DigitizerSpace>()
    private var isActive = true
    private var isLocked = false

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        settings = try Settings(scenario.settings)
        geometry = ScreenGeometry(
            width: settings[.screenWidth], height: settings[.screenHeight],
            rotation: settings[.screenRotation])
    }

    mutating func run() throws -> Playback {
        if scenario.appCount > 0 {
            world.install(try scenario.makeApp(app, settings: settings), as: app)
            world.schedule(.connected(.systemServer), for: app, at: .boot)
            send(.hello, at: .boot)
            send(.lifeCycle(.didBecomeActive), at: .boot)
        }
        world.run(until: VirtualTime.zero.advanced(byNanoseconds: -1))
        try playScript()
        let end = VirtualTime.zero.advanced(by: scenario.script.lines.duration)
        guard world.runUntilQuiet(limit: end.advanced(by: VirtualTime.settleLimit)) else {
            throw PlaybackFailure("not quiet \(VirtualTime.settleLimit.seconds) s after the script's end")
        }
        let hasInputs = scenario.script.firstInput != nil
        return Playback(
            trace: world.trace, zero: VirtualTime.zero.advanced(by: scenario.script.firstInput ?? .zero),
            begin: hasInputs ? VirtualTime.zero : .boot)
    }

    /// Schedules the whole script in advance. The world keeps the order of lines at one moment.
    private mutating func playScript() throws {
        var assembler = FrameAssembler(ranges: FingerScript.ranges, senderID: 1, generationCount: 1)
        var reports = scenario.script.lines.reports(on: geometry)[...]
        for (line, comesFirst) in scenario.script.systemActs {
            while let next = reports.first, next.time < line.time || (next.time == line.time && !comesFirst) {
                send(reports.removeFirst(), by: &assembler)
            }
            perform(line.act, at: VirtualTime.zero.advanced(by: line.time))
        }
        while !reports.isEmpty { send(reports.removeFirst(), by: &assembler) }
    }

    private mutating func send(_ report: FingerScript.Report, by assembler: inout FrameAssembler) {
        switch report {
        case .contacts(let scan): send(scan, by: &assembler)
        case .device(let time, let input):
            guard let input = held.apply(input) else { return }
            // An input that began before the app became inactive is ignored until it ends, like a finger.
            let isNew = input.phase == .began || input.phase == .once
            guard isNew ? isActive && !isLocked : delivered.holds(input.stretch) else { return }
            _ = delivered.apply(input)
            let moment = VirtualTime.zero.advanced(by: time)
            send(.input(DeviceEvent(timeStamp: moment, input: input.converted(scenePosition))), at: moment)
        }
    }

    private mutating func send(_ scan: ContactFrame, by assembler: inout FrameAssembler) {
        var faults: [ContactFault] = []
        let moment = VirtualTime.zero.advanced(by: scan.time)
        guard let event = assembler.assemble(scan, at: moment, faults: &faults) else { return }
        var contacts: [TouchContact] = []
        for finger in event.fingers {
            guard let phase = finger.phase else { continue }
            let position = scenePosition(finger.position)
            if phase == .began {
                guard isActive, !isLocked else { continue }
                live.append((finger.index, TouchID(rawValue: nextTouch), position))
                contacts.append(TouchContact(touch: TouchID(rawValue: nextTouch), phase: .began, at: position))
                nextTouch += 1
                continue
            }
            guard let known = live.firstIndex(where: { $0.index == finger.index }) else { continue }
            if phase == .moved { live[known].position = position }
            let touch = live[known]
            contacts.append(TouchContact(touch: touch.touch, phase: phase, at: touch.position))
            if phase == .ended || phase == .cancelled { live.remove(at: known) }
        }
        guard contacts.contains(where: { $0.phase != .stationary }) else { return }
        send(.touches(TouchFrame(timeStamp: moment, contacts: contacts)), at: moment)
    }

    /// Converts a position; the app's scene is the whole display.
    private func scenePosition(_ position: Point<DigitizerSpace>) -> Point<SceneSpace> {
        SceneGeometry.display.scenePosition(geometry.displayPosition(position))
    }

    private mutating func perform(_ act: FingerScript.Act, at moment: Instant) {
        switch act {
        case .interrupt where isActive && !isLocked: deactivate(at: moment)
        case .resume where !isActive && !isLocked:
            isActive = true
            send(.lifeCycle(.didBecomeActive), at: moment)
        case .lock where !isLocked:
            if isActive { deactivate(at: moment) }
            isLocked = true
            send(.lifeCycle(.didEnterBackground), at: moment)
        case .unlock where isLocked:
            (isLocked, isActive) = (false, true)
            send(.lifeCycle(.willEnterForeground), at: moment)
            send(.lifeCycle(.didBecomeActive), at: moment)
        // The app does these acts itself (SceneActs). The others need a server, and such a scenario is skipped.
        default: break
        }
    }

    /// Cancels the touches first; their fingers are ignored until they lift. Then the app learns the reason (D5, D6).
    private mutating func deactivate(at moment: Instant) {
        isActive = false
        if !live.isEmpty {
            let contacts = live.map { TouchContact(touch: $0.touch, phase: .cancelled, at: $0.position) }
            live = []
            send(.touches(TouchFrame(timeStamp: moment, contacts: contacts)), at: moment)
        }
        for input in delivered.cancelAll() {
            send(.input(DeviceEvent(timeStamp: moment, input: input.converted(scenePosition))), at: moment)
        }
        send(.lifeCycle(.willResignActive), at: moment)
    }

    private mutating func send(_ message: Message, at moment: Instant) {
        guard scenario.appCount > 0 else { return }
        var frame = link.frame(message)
        // This link receives only the hello of the app, its first frame.
        frame.ack = 1
        world.schedule(.frame(frame, from: .systemServer), for: app, at: moment)
    }
}
