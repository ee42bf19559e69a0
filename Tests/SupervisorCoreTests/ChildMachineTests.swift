import Testbed
import Testing

@testable import SupervisorCore

@Test("ChildMachine's transitions match Docs/Reference/Machines/Child.md")
func childMachine() {
    expectMachineTable(
        "Child",
        states: [
            ChildMachine.State.waiting, .spawning, .starting(pid: 7), .ready(pid: 7), .condemned(pid: 7),
            .expelled(pid: 7, reason: "strikes"), .dismissed(pid: 7, isWanted: false),
            .dismissed(pid: 7, isWanted: true), .dormant, .backingOff, .quarantined(reason: "crashes"),
            .stopping(pid: nil), .stopping(pid: 7), .gone,
        ],
        inputs: [
            .start, .spawned(pid: 7), .announced, .linkLost, .timerFired, .misbehaved(reason: "strikes"), .dismiss,
            .launch,
            .died(.restart), .died(.quarantine(reason: "crashes")), .stop,
        ],
        transition: { ChildMachine.transition(from: $0, on: $1) })
}
