import Foundation
import Testbed
import Testing

/// Groups whose frames travel through rings. `LiveGroup` audits each group once more when its test is over.
@Suite("A live group over rings", .serialized, .timeLimit(.minutes(5)))
struct RingProcessTests {
    private static let options = ["--apps", "2", "--set", "host.transport=ring"]

    /// Waits until the server's report shows a transport for each of its peers.
    private func waitForTransport(_ transport: String, of group: LiveGroup, peers: [String]) throws {
        try group.waitForReport(of: "system-server") { report in
            peers.allSatisfy { report["\($0).transport"] as? String == transport }
        }
    }

    private static let peers = ["input-kit", "app1", "app2"]

    @Test("every link of a group changes to its ring, and every event arrives")
    func play() throws {
        let group = try LiveGroup(Self.options)
        try waitForTransport("ring", of: group, peers: Self.peers)
        try expectWholeReplay(into: group)
    }

    @Test("without the setting every link stays on ZeroMQ")
    func zeromq() throws {
        let group = try LiveGroup(["--apps", "2"])
        try waitForTransport("zeromq", of: group, peers: Self.peers)
    }

    @Test("a killed app and a killed server come back with new rings")
    func killed() throws {
        let group = try LiveGroup(Self.options)
        try waitForTransport("ring", of: group, peers: Self.peers)
        for name in ["app1", "system-server", "input-kit"] {
            let before = try #require(try group.status().processes.first { $0.name == name })
            kill(pid_t(before.pid), SIGKILL)
            try group.wait { processes in
                processes.contains { $0.name == name && $0.state == "ready" && $0.generation == before.generation + 1 }
            }
            try waitForTransport("ring", of: group, peers: Self.peers)
            try expectWholeReplay(into: group)
        }
    }

    @Test("processes that spin read their rings without bells")
    func spins() throws {
        let group = try LiveGroup(Self.options + ["--set", "host.spin=true"])
        try waitForTransport("ring", of: group, peers: Self.peers)
        try expectWholeReplay(into: group)
    }

    @Test("an app with a fetch thread stays on ZeroMQ beside rings")
    func fetchThread() throws {
        let group = try LiveGroup(Self.options + ["--set", "app.eventFetch=thread"])
        try waitForTransport("ring", of: group, peers: ["input-kit"])
        try waitForTransport("zeromq", of: group, peers: ["app1", "app2"])
        #expect(try group.run("input", "tap", "100,200").status == 0)
    }
}
