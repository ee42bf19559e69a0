import Basics
import Foundation
import Hosting
import Testing

@testable import ZeroMQHost

@Suite("The raw relay") struct RawRelayTests {
    @Test(
        "the raw relay delivers every packet in order after its sending",
        arguments: RawRelay.Wait.allCases, [RawRelay.Pace.closedLoop, .every(100_000)])
    func relay(wait: RawRelay.Wait, pace: RawRelay.Pace) throws {
        let scratch = Scratch()
        var plan = RawRelay.Plan(folder: scratch.folder, frames: 200, warmUp: 20, pace: pace)
        plan.wait = wait
        let ends = RecordedInputs()
        for role in RawRelay.Role.allCases {
            let copy = plan
            Thread.detachNewThread {
                if (try? RawRelay.play(role, of: copy)) != nil { ends.append(.started) }
            }
        }
        ends.wait("the end of all three") { $0.count == 3 }
        let samples = try RawRelay.read(plan.samples)
        #expect(samples.count == 200)
        #expect(samples.allSatisfy { $0.due <= $0.sent && $0.sent < $0.received })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.sent < $1.sent })
    }

    @Test("a relay plan survives conversion to arguments and back")
    func arguments() {
        var plan = RawRelay.Plan(folder: "/run/x", frames: 5, warmUp: 1, pace: .every(7))
        (plan.affinity, plan.spins, plan.wait) = ("0,1", true, .epoll)
        for role in RawRelay.Role.allCases {
            let parsed = RawRelay.Plan.parse(plan.arguments(for: role))
            #expect(parsed?.0 == role && parsed?.1 == plan)
        }
        #expect(RawRelay.Plan.parse(["source"]) == nil)
    }
}
