import Basics
import Hosting
import SupervisorCore
import Testing
import Trace
import Wire

@Suite("SupervisorCore: the end of a quarantine")
struct QuarantineTests {
    @Test("an app's quarantine ends when its missing program is back")
    func movedBack() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.startBehavior = { $0 == .app(1) ? .fails("No such file or directory: /x/app") : .ready(after: .zero) }
        nursery.kill(.app(1))
        nursery.run(for: .seconds(60))
        #expect(nursery.status(.app(1)).isQuarantined)
        let quarantines = nursery.lines.count { $0.text.hasPrefix("app1 quarantined") }
        #expect(quarantines == 1)
        nursery.startBehavior = { _ in .ready(after: .milliseconds(10)) }
        nursery.run(for: .seconds(6))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.lines.contains { $0.text == "app1: quarantine ended, it can be started again" })
        for _ in 0..<5 {
            nursery.kill(.app(1))
            nursery.run(for: .seconds(1))
        }
        #expect(nursery.status(.app(1)).isReady)
    }

    @Test("a launch retries a missing program but not a crashing one")
    func launched() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.connected(Peer(.controller, 1)))
        nursery.startBehavior = {
            switch $0 {
            case .app(1): .fails("No such file or directory: /x/app")
            case .app(2): .dies(after: .milliseconds(1), .exited(3))
            default: .ready(after: .zero)
            }
        }
        nursery.kill(.app(1))
        nursery.kill(.app(2))
        nursery.run(for: .seconds(21))
        #expect(nursery.status(.app(1)).isQuarantined && nursery.status(.app(2)).isQuarantined)
        nursery.startBehavior = { _ in .ready(after: .zero) }
        nursery.ask(.act(.foreground(app: 1)))
        nursery.ask(.act(.foreground(app: 2)))
        nursery.run(for: .milliseconds(10))
        #expect(nursery.status(.app(1)).isReady)
        nursery.run(for: .seconds(60))
        #expect(nursery.status(.app(2)).isQuarantined)
    }

    @Test("a launch restarts a quarantined app whose program was replaced")
    func replaced() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.connected(Peer(.controller, 1)))
        nursery.startBehavior = { $0 == .app(2) ? .dies(after: .milliseconds(1), .exited(3)) : .ready(after: .zero) }
        // The message about a healthy or unknown child has no effect.
        nursery.handle(.programReplaced(.app(1)))
        nursery.handle(.programReplaced(.app(77)))
        nursery.kill(.app(2))
        nursery.run(for: .seconds(21))
        #expect(nursery.status(.app(2)).isQuarantined && nursery.status(.app(1)).isReady)
        nursery.startBehavior = { _ in .ready(after: .zero) }
        nursery.handle(.programReplaced(.app(2)))
        nursery.run(for: .seconds(60))
        #expect(nursery.status(.app(2)).isQuarantined)
        nursery.ask(.act(.foreground(app: 2)))
        nursery.run(for: .milliseconds(10))
        #expect(nursery.status(.app(2)).isReady)
        #expect(nursery.lines.contains { $0.text == "app2: quarantine ended, it can be started again" })
    }

    @Test("a system-server that dies too often ends the group with reason", arguments: [true, false])
    func noServer(isThere: Bool) throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.startBehavior = {
            guard $0 == .systemServer else { return .ready(after: .zero) }
            return isThere ? .dies(after: .milliseconds(1), .exited(3)) : .fails("No such file or directory: /x/s")
        }
        nursery.kill(.systemServer)
        nursery.run(for: .seconds(60))
        #expect(nursery.exitStatus == 1)
        #expect(nursery.alive.isEmpty)
        #expect(nursery.core.failure?.hasSuffix(", and there is no group without it") == true)
    }
}
