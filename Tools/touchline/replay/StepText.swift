// StepText.swift: one step of a core as text for a person: its input, its facts, its effects.

import Basics
import HID
import Hosting
import Trace
import Wire

/// The text of a step.
enum StepText {
    /// - Parameter number: The number among the steps of all processes.
    static func lines(_ step: Step, facts: [ResolvedFact], number: UInt64, origin: Instant) -> [String] {
        let time = origin.duration(to: step.at).milliseconds
        return ["step \(number)  \(step.process) step \(step.index) at \(time)", "  input   \(text(step.input))"]
            + facts.map { "  fact    \($0.station.rawValue): \($0.text)" }
            + step.effects.map { "  effect  \(text($0, origin: origin))" }
    }

    private static func text(_ input: Input) -> String {
        switch input {
        case .started: "started"
        case .connected(let peer): "connected to \(peer)"
        case .frame(let frame, let peer): "\(text(frame)) from \(peer)"
        case .peerLost(let peer): "\(peer) is lost"
        case .refused(let refusal): "refused: \(refusal)"
        case .timerFired(let timer): "timer \(timer.rawValue)"
        case .fileBytes(let file, let bytes): "\(bytes.count) bytes of file \(file.rawValue)"
        case .fileFailed(let file, let reason): "file \(file.rawValue) failed: \(reason)"
        case .device(let news): text(news)
        case .childStarted(let peer, let pid): "\(peer) has started, pid \(pid)"
        case .childFailed(let peer, let reason): "\(peer) cannot be started: \(reason)"
        case .childExited(let peer, let pid, let status): "\(peer), pid \(pid), has ended: \(status)"
        case .programReplaced(let peer): "the program of \(peer) is another file"
        case .stopRequested: "stop requested"
        }
    }

    private static func text(_ news: DeviceNotice) -> String {
        switch news {
        case .appeared(let path): "\(path) appeared"
        case .vanished(let path): "\(path) vanished"
        case .unwatched(let folder, let reason): "\(folder) cannot be watched: \(reason)"
        case .opened(let device, let facts): "device \(device.rawValue) is open: \(facts.identity.name)"
        case .bytes(let device, let bytes): "\(bytes.count) bytes of device \(device.rawValue)"
        case .slots(let device, let slots): "slots of device \(device.rawValue): \(slots == nil ? "unknown" : "known")"
        case .failed(let device, let reason): "device \(device.rawValue) cannot be opened: \(reason)"
        case .lost(let device, let reason): "device \(device.rawValue) is lost: \(reason)"
        }
    }

    private static func text(_ frame: Frame) -> String {
        let header = "\(frame.message.kind) \(frame.sequence) (\(frame.epoch).\(frame.generation), ack \(frame.ack))"
        switch frame.message {
        case .handled(let receipt): return "\(header): frame \(receipt.frame) \(receipt.outcome)"
        case .touches(let touches):
            // Without positions: a journal does not contain which windows were secure, and a printed step is read by
            // others (T5).
            return "\(header): \(text(touches))"
        case .severalTouches(let frames): return "\(header): \(frames.map(text).joined(separator: "; "))"
        case .digitizer(let event):
            return "\(header): \(text(event.value))"
        case .scans(let events): return "\(header): \(events.map(text).joined(separator: "; "))"
        case .lifeCycle(let change): return "\(header): \(change)"
        case .refused(let reason): return "\(header): \(reason)"
        case .act(let act): return "\(header): \(act)"
        default: return header
        }
    }

    private static func text(_ touches: TouchFrame) -> String {
        touches.contacts.map { contact in "\(contact.touch) \(contact.phase)" }.joined(separator: ", ")
    }

    private static func text(_ event: HIDEvent) -> String {
        event.fingers.map { "finger \($0.index) \($0.phase.map { "\($0)" } ?? "hovers")" }.joined(separator: ", ")
    }

    private static func text(_ effect: Effect, origin: Instant) -> String {
        func time(_ moment: Instant) -> String {
            moment == .never ? "never" : origin.duration(to: moment).milliseconds
        }
        switch effect {
        case .send(let frame, let peer): return "send \(text(frame)) to \(peer)"
        case .arm(let timer, let moment): return "arm timer \(timer.rawValue) at \(time(moment))"
        case .disarm(let timer): return "disarm timer \(timer.rawValue)"
        case .open(let file, let path): return "open \(path) as file \(file.rawValue)"
        case .read(let file, let limit): return "read at most \(limit) bytes of file \(file.rawValue)"
        case .close(let file): return "close file \(file.rawValue)"
        case .device(.watch(let folder, let names)): return "watch \(folder) \(names.joined(separator: " "))"
        case .device(.open(let device, let path, let grab)):
            return "open \(path) as device \(device.rawValue)\(grab ? ", grabbed" : "")"
        case .device(.resync(let device)): return "read the slots of device \(device.rawValue)"
        case .device(.close(let device)): return "close device \(device.rawValue)"
        case .spawn(let peer, let order): return "start \(peer), epoch \(order.epoch), generation \(order.generation)"
        case .signal(let peer, let signal): return "signal \(peer): \(signal)"
        case .hangUp(let peer): return "close the connection to \(peer)"
        case .exit(let status): return "exit \(status)"
        }
    }
}
