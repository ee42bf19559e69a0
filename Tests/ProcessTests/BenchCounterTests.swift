import Testing

@testable import touchline

@Suite("Counters of the kernel")
struct BenchCounterTests {
    @Test("switches are summed over the threads of a process")
    func switches() {
        var sum = ContextSwitches(voluntary: 0, involuntary: 0)
        for (voluntary, involuntary) in [(120, 3), (7, 1)] {
            sum.add(
                "Name:\tapp\nThreads:\t2\nvoluntary_ctxt_switches:\t\(voluntary)\nnonvoluntary_ctxt_switches:\t\(involuntary)\n"
            )
        }
        #expect(sum == ContextSwitches(voluntary: 127, involuntary: 4))
        #expect(sum - ContextSwitches(voluntary: 27, involuntary: 4) == ContextSwitches(voluntary: 100, involuntary: 0))
        #expect(ContextSwitches(pid: -1) == ContextSwitches(voluntary: 0, involuntary: 0))
    }

    @Test("the summary of strace has calls by name, with and without errors")
    func systemCalls() {
        let text = """
            % time     seconds  usecs/call     calls    errors syscall
            ------ ----------- ----------- --------- --------- ----------------
             60.00    0.000600           1       600           sendto
             40.00    0.000400           2       201        12 recvfrom
              0.00    0.000000           0         1           read
            ------ ----------- ----------- --------- --------- ----------------
            100.00    0.001000           1       802        12 total
            """
        #expect(SystemCallCounter.calls(inSummary: text) == ["sendto": 600, "recvfrom": 201, "read": 1])
        #expect(SystemCallCounter.calls(inSummary: "").isEmpty)
    }
}
