import Basics
import CSystem
import Foundation
import HID
import Testbed
import Testing
import Wire

@testable import ZeroMQHost

/// host.awake: the CPU that a touch holds.
@Suite("The hold of a CPU while a finger is down") struct TouchHoldTests {

    @Test("Docs/Reference/Machines/TouchHold.md has every state and input")
    func table() {
        expectMachineTable(
            "TouchHold", states: TouchHold.State.allCases, inputs: TouchHold.Input.allCases,
            transition: TouchHold.transition)
    }

    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test("a hold begins with the first touch and ends after the last lift")
    func wholeTouch() {
        var hold = TouchHold()
        hold.handle(.lifted, at: start)
        #expect(hold.state == .free && hold.end == .never)
        hold.handle(.touched, at: start)
        #expect(hold.state == .held && hold.end == start.advanced(by: TouchHold.rest))
        let moved = start.advanced(by: .milliseconds(400))
        hold.handle(.touched, at: moved)
        #expect(hold.end == moved.advanced(by: TouchHold.rest))
        hold.handle(.lifted, at: moved)
        #expect(hold.end == moved.advanced(by: TouchHold.linger))
        // A second scan without fingers does not prolong it.
        hold.handle(.lifted, at: moved.advanced(by: .milliseconds(20)))
        #expect(hold.end == moved.advanced(by: TouchHold.linger))
        hold.handle(.due, at: hold.end)
        #expect(hold.state == .free && hold.end == .never)
        #expect(TouchHold.linger <= .milliseconds(100))
    }

    @Test("a hold whose lift is lost ends by itself")
    func lostLift() {
        var hold = TouchHold()
        hold.handle(.touched, at: start)
        let end = hold.end
        #expect(end < start.advanced(by: .seconds(1)))
        hold.handle(.due, at: end)
        #expect(hold.state == .free)
    }

    @Test("another finger that stays down keeps the hold")
    func otherDevice() {
        var hold = TouchHold()
        hold.handle(.touched, at: start)
        hold.handle(.lifted, at: start)
        hold.handle(.touched, at: start.advanced(by: .milliseconds(10)))
        #expect(hold.end == start.advanced(by: .milliseconds(10)).advanced(by: TouchHold.rest))
    }

    @Test("scans and touches show whether a finger is down; other messages do not")
    func messages() {
        func scan(_ options: [DigitizerOptions]) -> Message {
            let fingers = options.map {
                DigitizerEvent(transducer: .finger, index: 1, identity: 1, mask: [.touch], options: $0, at: .zero)
            }
            let hand = DigitizerEvent(transducer: .hand, index: 0, identity: 0, mask: [], options: [], at: .zero)
            return .digitizer(
                HIDEvent(timeStamp: start, senderID: 1, generationCount: 1, hand: hand, fingers: fingers))
        }
        func touches(_ phases: [ContactPhase]) -> Message {
            let contacts = phases.map { TouchContact(touch: TouchID(rawValue: 1), phase: $0, at: .zero) }
            return .touches(TouchFrame(timeStamp: start, contacts: contacts))
        }
        #expect(scan([[.range, .touch]]).hasFingersDown == true)
        #expect(scan([[], [.touch]]).hasFingersDown == true)
        #expect(scan([[]]).hasFingersDown == false)
        #expect(scan([]).hasFingersDown == false)
        for phase in [ContactPhase.began, .moved, .stationary] {
            #expect(touches([.ended, phase]).hasFingersDown == true)
        }
        #expect(touches([.ended, .cancelled]).hasFingersDown == false)
        #expect(Message.ready.hasFingersDown == nil)
    }

    /// Waits until a condition holds.
    private func wait(_ what: String, until isSo: () -> Bool) {
        let deadline = Date(timeIntervalSinceNow: 60)
        while !isSo() {
            guard Date() < deadline else {
                Issue.record("never: \(what)")
                return
            }
            // The spinner runs on this thread's CPU.
            usleep(1000)
        }
    }

    /// The CPUs that the calling thread may use, as `0-1`.
    private func ownCPUs() -> String {
        let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /Cpus_allowed_list:\s*(\S+)/).map { String($0.1) } ?? ""
    }

    /// The policies of the threads that keep a CPU awake.
    private func spinnerPolicies() -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name == "awake\n" ? Int32(task).map { sched_getscheduler($0) } : nil
        }
    }

    @Test("a held CPU is shared and kept busy until the release, or until its end")
    func realHold() throws {
        let done = DispatchSemaphore(value: 0)
        // On a thread of its own, whose CPUs change.
        Thread.detachNewThread {
            defer { done.signal() }
            let before = ownCPUs()
            let last = String(before.reversed().prefix { $0.isNumber }.reversed())
            #expect(awake_prepare(1) == 0)
            #expect(awake_held_cpu() == -1 && awake_is_spinning() == 0)
            // Every other thread goes before it (SCHED_IDLE).
            #expect(spinnerPolicies() == [5])
            awake_hold(.max)
            #expect(awake_held_cpu() == Int32(last))
            #expect(ownCPUs() == last)
            wait("the spinner runs") { awake_is_spinning() == 1 }
            awake_release()
            #expect(ownCPUs() == before && awake_held_cpu() == -1)
            wait("the spinner stops at the release") { awake_is_spinning() == 0 }

            awake_hold(.max)
            wait("the spinner runs again") { awake_is_spinning() == 1 }
            awake_hold(system_clock() + 1_000_000)
            wait("the spinner stops at the end of the hold, without a release") { awake_is_spinning() == 0 }
            awake_hold(.max)
            wait("the spinner runs in a hold that was prolonged late") { awake_is_spinning() == 1 }
            awake_release()
            wait("the spinner stops") { awake_is_spinning() == 0 }
            #expect(ownCPUs() == before)
        }
        done.wait()
    }
}
