import Testing

@testable import touchline

@Suite("Counters of the kernel")
struct BenchCounterTests {
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
