import Basics
import Glibc
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

    @Test("a process that cannot be traced is told from one that has ended")
    func denied() {
        // A tracer that ends at once.
        #expect(throws: TracingDenied.self) { try SystemCallCounter(pids: [Int64(getpid())], with: "/bin/false") }
        let failure = #expect(throws: Failure.self) {
            try SystemCallCounter(pids: [999_999_999], with: "/bin/false")
        }
        #expect(failure?.code == 3 && failure?.line == "process 999999999 of the group has ended")
    }

    @Test("the CPU time of a process grows with its work, and no process has none")
    func processTime() throws {
        let before = try #require(cpuTime(of: getpid()))
        var chance = SeededGenerator(seed: 1)
        var (sum, after) = (UInt64(0), before)
        while after < before + 20_000_000 {
            for _ in 0..<100_000 { sum &+= chance.next() }
            after = try #require(cpuTime(of: getpid()))
        }
        #expect(sum != 0)
        #expect(cpuTime(of: -1) == nil)
    }

    @Test("the fields of a process begin after its name, whatever the name contains")
    func fieldsAfterName() throws {
        let fields = try #require(statFields(of: getpid()))
        #expect(["R", "S"].contains(fields[0]) && Int32(fields[1]) == getppid())
        #expect(statFields(of: -1) == nil)
    }

    @Test(
        "a load of dispatch is read as it is written", arguments: ["a", "e", "flat-1000", "nested-10", "recognizers-0"])
    func loads(word: String) throws {
        #expect(try #require(DispatchLoad(argument: word)).word == word)
    }

    @Test(
        "other loads are refused", arguments: ["", "f", "flat", "flat-0", "nested-10001", "recognizers--1", "deep-3"])
    func otherLoads(word: String) { #expect(DispatchLoad(argument: word) == nil) }
}
