import Basics
import Journals
import Scenarios
import Settings
import Testing
import Wire

@Suite("Programs that a replay may start")
struct ReplayProgramsTests {
    private func header(_ peer: Peer, _ settings: [(String, String)]) -> JournalHeader {
        let order = LaunchOrder(
            peer: peer, epoch: 1, generation: 1, runDirectory: "/run",
            settings: settings.map { Setting(key: $0, value: $1) })
        return JournalHeader(order: order, at: .boot)
    }

    @Test("a program is found by its path, then by its name")
    func paths() {
        let programs = ReplayPrograms(["/b/Cards", "/a/Cards", "/a/Other"])
        #expect(programs.path(for: "/a/Cards") == "/a/Cards")
        #expect(programs.path(for: "/c/Cards") == "/b/Cards")
        #expect(programs.path(for: "/a/Deck") == nil)
        #expect(ReplayPrograms().path(for: "/a/Cards") == nil)
    }

    @Test("a journal of an app names a program in vain")
    func running() {
        let topology = Topology([[Setting(key: "app.executable", value: "/a/Second")], []]).text
        let supervisor = header(.supervisor, [("app.executable", "/a/Cards"), ("group.topology", topology)])
        let programs = ReplayPrograms.ofRunningGroup.resolved(by: supervisor)
        #expect(programs.path(for: "/a/Cards") == "/a/Cards")
        #expect(programs.path(for: "/a/Second") == "/a/Second")
        #expect(programs.path(for: "/run/journal/app1/evil") == nil)
        #expect(programs.path(for: "/run/journal/app1/Cards") == "/a/Cards")
        #expect(ReplayPrograms.ofRunningGroup.resolved(by: nil).path(for: "/a/Cards") == nil)
        // The supervisor's journal of a folder from elsewhere names nothing.
        #expect(ReplayPrograms().resolved(by: supervisor).path(for: "/a/Cards") == nil)
    }
}
