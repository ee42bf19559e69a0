import Basics
@testable import Scenarios
import Testing
import Trace

@Suite("Order of the lines of two apps")
struct HandoverOrderTests {
    private func trace(_ text: String) -> [TraceLine] {
        text.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            return TraceLine(
                at: Instant(nanoseconds: Int64(words[0])! * 1_000_000), process: words[1], station: .app,
                isProbe: words[2] == "probe", text: words[3])
        }
    }

    private func expectLines(_ text: String, _ lines: [String]) {
        #expect(trace(text).sortedByHandover.filter(\.isProbe).map { "\($0.process) \($0.text)" } == lines)
    }

    @Test("lines of two apps follow the order of the server's messages")
    func handover() {
        expectLines(
            """
            10 app2 probe early
            20 system-server note app 1: willResignActive
            20 system-server note app 1: didEnterBackground
            20 system-server note app 2: didBecomeActive
            21 app2 probe one
            22 app1 probe two
            22 input-kit probe three
            23 app2 probe four
            24 app1 probe five
            30 system-server note contact 1 landed
            31 app2 probe six
            32 app1 probe seven
            """,
            [
                "app2 early", "app1 two", "app1 five", "input-kit three", "app2 one", "app2 four", "app2 six",
                "app1 seven",
            ])
    }

    @Test("lines after separate server acts keep their time order")
    func apart() {
        expectLines(
            """
            20 system-server note app 1: willResignActive
            21 system-server note app 2: didBecomeActive
            22 app2 probe one
            23 app1 probe two
            """, ["app2 one", "app1 two"])
    }
}
