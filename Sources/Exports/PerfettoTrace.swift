// PerfettoTrace.swift: a timeline as a Perfetto trace: one protobuf message `Trace` of packets.
//
//    process    TrackDescriptor with a ProcessDescriptor
//    track      TrackDescriptor below its process, in the order of stations
//    mark       TrackEvent, TYPE_INSTANT: a slice of duration 0; category: the station
//    span       TYPE_SLICE_BEGIN and TYPE_SLICE_END, on one track for each lane
//    flow       flow_ids of the marks, terminating_flow_ids of the last one
//    counter    TrackDescriptor with a CounterDescriptor, TYPE_COUNTER
//
// Input     Timeline
// Output    `touchline export --format perfetto`
//
// Sources   documented  perfetto/protos: trace_packet.proto, track_descriptor.proto, track_event.proto,
//                       debug_annotation.proto (field numbers as of 2026; they never change)

import Trace

/// Writes timelines as protobuf.
package enum PerfettoTrace {
    /// Returns the whole file.
    package static func bytes(of timeline: Timeline) -> [UInt8] {
        var writer = PerfettoTraceWriter(timeline)
        return writer.write()
    }
}

/// The numbers of fields and of enumerations in Perfetto's schema.
private enum Field {
    static let packet = 1
    enum Packet {
        static let (timestamp, sequenceID, trackEvent, sequenceFlags, trackDescriptor) = (8, 10, 11, 13, 60)
        /// SEQ_INCREMENTAL_STATE_CLEARED: the sequence begins here.
        static let stateCleared: UInt64 = 1
    }
    enum Track {
        static let (uuid, name, process, parent, counter, ordering, rank) = (1, 2, 3, 5, 8, 11, 12)
        static let explicitOrder: UInt64 = 3
        static let (pid, processName) = (1, 6)
    }
    enum Event {
        static let (annotation, type, track, category, name) = (4, 9, 11, 22, 23)
        static let (counterValue, flows, endingFlows) = (30, 47, 48)
        static let (begin, end, instant, counter): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    }
    enum Annotation { static let (integer, double, text, name) = (4, 5, 6, 10) }
}

private struct PerfettoTraceWriter {
    private let timeline: Timeline
    private var out = ProtobufWriter()
    private var pids: [String: UInt64] = [:]
    private var nextTrack: UInt64 = 1000

    /// A track of spans.
    private struct Lane: Hashable {
        var process: String
        var kind: Timeline.Span.Kind
        var lane: Int
    }

    init(_ timeline: Timeline) {
        self.timeline = timeline
        for (index, process) in timeline.processes.enumerated() { pids[process] = UInt64(index + 1) }
    }

    mutating func write() -> [UInt8] {
        for (index, process) in timeline.processes.enumerated() {
            addPacket { packet in
                // The first packet begins the sequence.
                if index == 0 { packet.add(Field.Packet.sequenceFlags, varint: Field.Packet.stateCleared) }
                packet.add(Field.Packet.trackDescriptor) { track in
                    track.add(Field.Track.uuid, varint: UInt64(index + 1))
                    track.add(Field.Track.process) { descriptor in
                        descriptor.add(Field.Track.pid, varint: UInt64(index + 1))
                        descriptor.add(Field.Track.processName, text: process)
                    }
                    track.add(Field.Track.ordering, varint: Field.Track.explicitOrder)
                }
            }
        }
        writeMarks()
        writeSpans()
        for counter in timeline.counters { write(counter) }
        return out.bytes
    }

    private mutating func addPacket(_ write: (inout ProtobufWriter) -> Void) {
        out.add(Field.packet) { packet in
            packet.add(Field.Packet.sequenceID, varint: 1)
            write(&packet)
        }
    }

    /// - Returns: The uuid of the new track.
    private mutating func addTrack(
        _ name: String, of process: String, rank: Int, _ more: (inout ProtobufWriter) -> Void = { _ in }
    ) -> UInt64 {
        nextTrack += 1
        let (uuid, parent) = (nextTrack, pids[process] ?? 0)
        addPacket { packet in
            packet.add(Field.Packet.trackDescriptor) { track in
                track.add(Field.Track.uuid, varint: uuid)
                track.add(Field.Track.name, text: name)
                track.add(Field.Track.parent, varint: parent)
                track.add(Field.Track.rank, varint: UInt64(rank))
                more(&track)
            }
        }
        return uuid
    }

    private mutating func addEvent(at: Int64, on track: UInt64, type: UInt64, _ more: (inout ProtobufWriter) -> Void) {
        addPacket { packet in
            packet.add(Field.Packet.timestamp, varint: UInt64(max(0, at)))
            packet.add(Field.Packet.trackEvent) { event in
                event.add(Field.Event.type, varint: type)
                event.add(Field.Event.track, varint: track)
                more(&event)
            }
        }
    }

    private mutating func writeMarks() {
        let uuids = timeline.tracks.map { track in
            addTrack(
                track.station.rawValue, of: track.process,
                rank: 100 + (Station.allCases.firstIndex(of: track.station) ?? 0))
        }
        let steps = timeline.flowSteps
        for (index, mark) in timeline.marks.enumerated() {
            let station = timeline.tracks[mark.track].station
            addEvent(at: mark.at, on: uuids[mark.track], type: Field.Event.instant) { event in
                event.add(Field.Event.category, text: station.rawValue)
                event.add(Field.Event.name, text: mark.name)
                for step in steps[index] ?? [] {
                    let field = step.isLast ? Field.Event.endingFlows : Field.Event.flows
                    event.add(field, fixed64: UInt64(step.flow))
                }
                event.addAnnotation("template", .text(mark.template))
                for (letter, value) in mark.values { event.addAnnotation(String(letter), value) }
            }
        }
    }

    private mutating func writeSpans() {
        var uuids: [Lane: UInt64] = [:]
        for span in timeline.spans {
            let lane = Lane(process: span.process, kind: span.kind, lane: span.lane)
            let rank = Timeline.Span.Kind.allCases.firstIndex(of: span.kind) ?? 0
            let uuid = uuids[lane] ?? addTrack(span.kind.plural, of: span.process, rank: rank)
            uuids[lane] = uuid
            addEvent(at: span.begin, on: uuid, type: Field.Event.begin) { event in
                event.add(Field.Event.category, text: span.kind.rawValue)
                event.add(Field.Event.name, text: span.name)
                event.addAnnotation("outcome", .text(span.outcome))
            }
            addEvent(at: span.end, on: uuid, type: Field.Event.end) { _ in }
        }
    }

    private mutating func write(_ counter: Timeline.Counter) {
        let uuid = addTrack(counter.name, of: counter.process, rank: 50) { track in
            track.add(Field.Track.counter) { _ in }
        }
        for sample in counter.samples {
            addEvent(at: sample.at, on: uuid, type: Field.Event.counter) { event in
                event.add(Field.Event.counterValue, int64: sample.value)
            }
        }
    }
}

extension ProtobufWriter {
    fileprivate mutating func addAnnotation(_ name: String, _ value: FactValue) {
        add(Field.Event.annotation) { annotation in
            annotation.add(Field.Annotation.name, text: name)
            switch value {
            case .integer(let number): annotation.add(Field.Annotation.integer, int64: number)
            case .real(let number): annotation.add(Field.Annotation.double, double: number)
            case .text(let text): annotation.add(Field.Annotation.text, text: text)
            case .hidden: annotation.add(Field.Annotation.text, text: "hidden")
            }
        }
    }
}
