// ChromeTrace.swift: a timeline as JSON in the Trace Event Format, for Perfetto's viewer and chrome://tracing.
//
//    process    pid from 1, in the order of an event
//    track      thread: tid 100 × pid + number of the station; its name is the station's
//    mark       ph X, duration 0, category: the station
//    span       ph b and e, category: contact, touch, recognizer
//    flow       ph s, t … f, each after the mark that it joins
//    counter    ph C
//
// Input     Timeline
// Output    `touchline export --format chrome`
//
// Sources   documented  Trace Event Format (Docs/Decisions/Exports.md)

import Basics
import Trace

/// Writes timelines as JSON.
package enum ChromeTrace {
    /// Returns the whole file.
    package static func bytes(of timeline: Timeline) -> [UInt8] {
        var writer = ChromeTraceWriter(timeline)
        return writer.write()
    }
}

private struct ChromeTraceWriter {
    private let timeline: Timeline
    private var text = JSONText()
    private var pids: [String: Int] = [:]

    init(_ timeline: Timeline) {
        self.timeline = timeline
        for (index, process) in timeline.processes.enumerated() { pids[process] = index + 1 }
    }

    mutating func write() -> [UInt8] {
        text.open("{")
        text.key("displayTimeUnit")
        text.add("ms")
        text.key("otherData")
        text.open("{")
        text.key("generator")
        text.add("touchline")
        text.key("omittedFlows")
        text.add(timeline.omittedFlows)
        text.close("}")
        text.key("traceEvents")
        text.open("[")
        writeNames()
        writeMarks()
        for (index, span) in timeline.spans.enumerated() { write(span, id: index + 1) }
        for counter in timeline.counters { write(counter) }
        text.close("]")
        text.close("}")
        text.endLine()
        return text.bytes
    }

    private func pid(_ process: String) -> Int { pids[process] ?? 0 }

    private func tid(_ track: Timeline.Track) -> Int {
        pid(track.process) * 100 + (Station.allCases.firstIndex(of: track.station) ?? 0) + 1
    }

    // MARK: Events

    private mutating func begin(_ phase: String, _ name: String, _ category: String?, pid: Int) {
        text.beginLine()
        text.open("{")
        text.key("ph")
        text.add(phase)
        text.key("name")
        text.add(name)
        if let category {
            text.key("cat")
            text.add(category)
        }
        text.key("pid")
        text.add(pid)
    }

    private mutating func addTime(_ key: StaticString, _ nanoseconds: Int64) {
        text.key(key)
        // Microseconds with all nanoseconds: a Double would lose some after a day.
        text.add(literal: "\(nanoseconds / 1000).\(padded(nanoseconds % 1000, to: 3))")
    }

    private mutating func addThread(_ track: Timeline.Track) {
        text.key("tid")
        text.add(tid(track))
    }

    private mutating func writeNames() {
        func metadata(_ what: String, pid: Int, tid: Int, _ key: StaticString, _ add: (inout JSONText) -> Void) {
            begin("M", what, nil, pid: pid)
            text.key("tid")
            text.add(tid)
            text.key("args")
            text.open("{")
            text.key(key)
            add(&text)
            text.close("}")
            text.close("}")
        }
        for (index, process) in timeline.processes.enumerated() {
            metadata("process_name", pid: index + 1, tid: 0, "name") { $0.add(process) }
            metadata("process_sort_index", pid: index + 1, tid: 0, "sort_index") { $0.add(index) }
        }
        for track in timeline.tracks {
            let (pid, tid) = (pid(track.process), tid(track))
            metadata("thread_name", pid: pid, tid: tid, "name") { $0.add(track.station.rawValue) }
            metadata("thread_sort_index", pid: pid, tid: tid, "sort_index") { $0.add(tid % 100) }
        }
    }

    private mutating func writeMarks() {
        let steps = timeline.flowSteps
        for (index, mark) in timeline.marks.enumerated() {
            let track = timeline.tracks[mark.track]
            begin("X", mark.name, track.station.rawValue, pid: pid(track.process))
            addThread(track)
            addTime("ts", mark.at)
            text.key("dur")
            text.add(0)
            text.key("args")
            text.open("{")
            text.key("template")
            text.add(mark.template)
            for (letter, value) in mark.values {
                text.key(String(letter))
                text.add(value)
            }
            text.close("}")
            text.close("}")
            for step in steps[index] ?? [] {
                let phase = step.isFirst ? "s" : step.isLast ? "f" : "t"
                begin(phase, "interaction", "flow", pid: pid(track.process))
                addThread(track)
                addTime("ts", mark.at)
                text.key("id")
                text.add(step.flow)
                if step.isLast {
                    // The flow ends at the mark that encloses it, not at the next one.
                    text.key("bp")
                    text.add("e")
                }
                text.close("}")
            }
        }
    }

    private mutating func write(_ span: Timeline.Span, id: Int) {
        for (phase, moment) in [("b", span.begin), ("e", span.end)] {
            begin(phase, span.name, span.kind.rawValue, pid: pid(span.process))
            text.key("tid")
            text.add(pid(span.process) * 100)
            text.key("id")
            text.add("\(id)")
            addTime("ts", moment)
            text.key("args")
            text.open("{")
            if phase == "e" {
                text.key("outcome")
                text.add(span.outcome)
            }
            text.close("}")
            text.close("}")
        }
    }

    private mutating func write(_ counter: Timeline.Counter) {
        for sample in counter.samples {
            begin("C", counter.name, nil, pid: pid(counter.process))
            addTime("ts", sample.at)
            text.key("args")
            text.open("{")
            text.key("value")
            text.add(sample.value)
            text.close("}")
            text.close("}")
        }
    }
}
