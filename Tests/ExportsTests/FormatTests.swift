import Exports
import Testing

@Suite("Formats of exports")
struct FormatTests {
    @Test("JSON has commas between elements and escapes in texts")
    func json() {
        var text = JSONText()
        text.open("{")
        text.key("a")
        text.add("x\"\\\n\u{7F}é")
        text.key("b")
        text.open("[")
        text.add(1)
        text.add(2.5)
        text.add(Double.nan)
        text.beginLine()
        text.open("{")
        text.close("}")
        text.close("]")
        text.close("}")
        text.endLine()
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == "{\"a\":\"x\\\"\\\\\\u000a\\u007fé\",\"b\":[1,2.5,null,\n{}]}\n")
    }

    @Test("a protobuf message has tags, varints and lengths")
    func protobuf() {
        var message = ProtobufWriter()
        message.add(1, varint: 150)
        message.add(2, text: "testing")
        message.add(3) { $0.add(1, varint: 150) }
        message.add(47, fixed64: 1)
        message.add(4, int64: -1)
        // The first three are the examples of protobuf's documentation.
        #expect(
            message.bytes == [0x08, 0x96, 0x01, 0x12, 7] + Array("testing".utf8) + [0x1A, 3, 0x08, 0x96, 0x01]
                + [0xF9, 0x02, 1, 0, 0, 0, 0, 0, 0, 0] + [0x20] + [UInt8](repeating: 0xFF, count: 9) + [1])
    }

    @Test("cells of CSV are quoted when they must be")
    func csv() {
        var bytes: [UInt8] = []
        CSV.append(["1", "a,b", "say \"so\"", "", "two\nlines"], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "1,\"a,b\",\"say \"\"so\"\"\",,\"two\nlines\"\n")
    }

    @Test("OpenMetrics has types, units, escaped labels, cumulative buckets and an end")
    func openMetrics() {
        var metrics = OpenMetrics()
        metrics.add("t_scans", .counter, "Scans.", [.init(3)])
        metrics.add("t_none", .gauge, "Left out.", [])
        metrics.add("t_state", .gauge, "A\nstate.", [.init(1, [("state", "a \"b\" \\")])])
        metrics.add(
            histogram: "t_time_seconds", "Time.", [(labels: [("hop", "app")], nanoseconds: [500, 1500, 3_000_000_000])])
        let lines = metrics.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(7) == [
                "# TYPE t_scans counter", "# HELP t_scans Scans.", "t_scans_total 3", "# TYPE t_state gauge",
                "# HELP t_state A\\nstate.", "t_state{state=\"a \\\"b\\\" \\\\\"} 1",
                "# TYPE t_time_seconds histogram",
            ])
        #expect(lines.contains("# UNIT t_time_seconds seconds"))
        #expect(lines.contains("t_time_seconds_bucket{hop=\"app\",le=\"1e-06\"} 1"))
        #expect(lines.contains("t_time_seconds_bucket{hop=\"app\",le=\"2e-06\"} 2"))
        #expect(lines.contains("t_time_seconds_bucket{hop=\"app\",le=\"1\"} 2"))
        #expect(lines.contains("t_time_seconds_bucket{hop=\"app\",le=\"+Inf\"} 3"))
        #expect(lines.contains("t_time_seconds_count{hop=\"app\"} 3"))
        #expect(lines.suffix(2) == ["# EOF", ""])
    }
}
