// DeviceLaws.swift: descriptors, reports, kernel events and IOKit's records, from any bytes.

import Basics
import FuzzDriver
import HID
import Recordings

func expectLaws(ofDescriptor bytes: [UInt8]) {
    let descriptor = ReportDescriptor(asFarAsReadable: bytes)
    var isWhole = true
    do throws(ReportDescriptorError) { _ = try ReportDescriptor(parsing: bytes) } catch {
        isWhole = false
        expect((0...bytes.count).contains(error.offset), "a fault outside the bytes: \(error)")
    }
    expect(isWhole == (descriptor.fault == nil), "two readings disagree about a fault")
    for field in descriptor.fields {
        expect(field.bitOffset >= 0 && field.bitSize >= 0 && field.count >= 0)
        expect(
            (field.bitOffset + 7) / 8 <= ReportDescriptor.reportByteLimit, "a field beyond the longest report")
    }
    _ = descriptor.contents
    let layouts = TouchReportLayouts(of: descriptor)
    for layout in layouts.reports {
        expect(layout.contactsPerReport > 0 && layout.reportBytes <= ReportDescriptor.reportByteLimit + 1)
        expect(layout.usages == layout.usages.sorted(), "usages unsorted")
    }
    // Reports full of ones, of zeros and of a mixed pattern.
    var decoder = TouchReportDecoder(descriptor)
    expect(decoder.hasTouch == !layouts.reports.isEmpty)
    var driver = DigitizerDriver(descriptor)
    var scans: [TouchScan] = []
    var events: [HIDEvent] = []
    for layout in layouts.reports.prefix(64) {
        let id = layout.reportID.map { [$0] } ?? []
        for fill: UInt8 in [0xFF, 0x00, 0x55] {
            let report = id + [UInt8](repeating: fill, count: layout.reportBytes)
            decoder.decode(report, at: .milliseconds(scans.count), into: &scans)
            driver.handle(report.span, at: .boot, into: &events)
        }
        decoder.decode(id, at: .milliseconds(scans.count), into: &scans)
    }
    for event in events {
        expect(event.fingers.count <= HIDEvent.fingerLimit, "\(event.fingers.count) children of one event")
    }
}

/// The first byte chooses a descriptor of this file, or gives the length of the one that follows. Reports come next,
/// each after a byte with its length and one with the milliseconds since the report before.
func expectLaws(ofReports bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var rest = bytes.dropFirst()
    let descriptor: [UInt8]
    if Int(first) < FuzzDescriptors.all.count {
        descriptor = FuzzDescriptors.all[Int(first)]
    } else {
        descriptor = Array(rest.prefix(Int(first)))
        rest = rest.dropFirst(Int(first))
    }
    var options = TouchReportDecoder.Options()
    options.absentMeansLifted = bytes.count & 1 == 1
    options.palms = bytes.count & 2 == 2 ? .keep : .cancel
    var (each, whole) = (
        TouchReportDecoder(descriptor: descriptor, options: options),
        TouchReportDecoder(descriptor: descriptor, options: options)
    )
    var time = Duration.zero
    var scans: [TouchScan] = []
    var frames: [ContactFrame] = []
    while rest.count >= 2 {
        let (length, wait) = (Int(rest[rest.startIndex]), Int(rest[rest.startIndex + 1]))
        let report = Array(rest.dropFirst(2).prefix(length))
        rest = rest.dropFirst(2 + length)
        time += .milliseconds(wait)
        each.decode(report, at: time, into: &scans)
        whole.decode(report, at: time, into: &frames)
    }
    scans += each.cancelAll(at: time)
    // Applications are separate devices for the first decoder, and one device for the second.
    let applications = scans.map(\.application).max() ?? 0
    for application in 0...applications {
        var follower = Follower()
        let own = scans.filter { $0.application == application }.map(\.frame)
        for frame in own { follower.follow(frame) }
        follower.expectEverybodyGone()
        if application == 0, let ranges = each.description.ranges { expectPositionsOnGlass(own, ranges) }
    }
    var follower = Follower()
    for frame in frames { follower.follow(frame) }
    for scan in whole.cancelAll(at: time) { follower.follow(scan.frame) }
    follower.expectEverybodyGone()
}

enum FuzzDescriptors {
    static func touchScreen(contacts: Int, confidence: Bool, count: Bool, ids: Bool) -> [UInt8] {
        var bytes: [UInt8] = [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01]
        if ids { bytes += [0x85, 0x01] }
        for _ in 0..<contacts {
            bytes += [0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01]
            bytes += [0x09, 0x42, 0x81, 0x02]
            bytes += confidence ? [0x09, 0x47, 0x81, 0x02, 0x75, 0x06, 0x81, 0x03] : [0x75, 0x07, 0x81, 0x03]
            bytes += [0x09, 0x51, 0x25, 0x7F, 0x75, 0x08, 0x81, 0x02]
            bytes += [0x05, 0x01, 0x26, 0xFF, 0x0F, 0x75, 0x10, 0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02, 0xC0]
        }
        bytes += [0x05, 0x0D, 0x27, 0xFF, 0xFF, 0x00, 0x00, 0x75, 0x10, 0x09, 0x56, 0x81, 0x02]
        if count { bytes += [0x25, 0x7F, 0x75, 0x08, 0x09, 0x54, 0x81, 0x02] }
        return bytes + [0xC0]
    }

    static let all = [
        touchScreen(contacts: 5, confidence: false, count: true, ids: true),
        touchScreen(contacts: 2, confidence: true, count: true, ids: true),
        touchScreen(contacts: 1, confidence: false, count: true, ids: false),
        touchScreen(contacts: 1, confidence: true, count: false, ids: false),
        // A touch screen and a touch pad with reports of their own.
        touchScreen(contacts: 2, confidence: false, count: true, ids: true)
            + [0x05, 0x0D, 0x09, 0x05, 0xA1, 0x01, 0x85, 0x02]
            + touchScreen(contacts: 2, confidence: true, count: true, ids: false).dropFirst(6),
    ]
}

/// The first byte chooses the tracker's options; the other bytes are `struct input_event`.
func expectLaws(ofEvents bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let dialects: [ContactProtocol?] = [nil, .slots, .groups, .single]
    func track(cut: Int) -> ([ContactFrame], EvdevTracker) {
        var tracker = EvdevTracker(
            contactProtocol: dialects[Int(first & 3)], slotCount: first & 4 == 4 ? 10 : EvdevTracker.slotLimit,
            palms: first & 8 == 8 ? .keep : .cancel)
        var (reader, clock) = (EvdevEvents(), EvdevClock())
        var events: [EvdevEvent] = []
        var frames: [ContactFrame] = []
        var start = 0
        while start < input.count {
            let end = min(input.count, start + cut)
            reader.parse(Array(input[start..<end]), into: &events)
            start = end
        }
        expect(events.count == input.count / EvdevEvents.size, "\(events.count) events")
        expect(reader.pendingBytes == input.count % EvdevEvents.size)
        for var event in events {
            event.nanoseconds = clock.advance(to: event.nanoseconds)
            tracker.handle(event, into: &frames)
        }
        if let closing = tracker.finish(at: .nanoseconds(clock.now), into: &frames) { frames.append(closing) }
        return (frames, tracker)
    }
    let (frames, _) = track(cut: max(1, input.count))
    var follower = Follower()
    for frame in frames { follower.follow(frame) }
    follower.expectEverybodyGone()
    expectPositionsOnGlass(frames, AxisRanges(x: 0...4095, y: -5...4095))
    expect(track(cut: 7).0 == frames, "cut into pieces it reads otherwise")
}

func expectLaws(ofRecord bytes: [UInt8]) {
    do throws(HIDEventRecordError) {
        let record = try HIDEventRecord(parsing: bytes)
        let again = record.encoded()
        let reread = try HIDEventRecord(parsing: again)
        expect(reread == record, "an event that is not what was written")
    } catch {
        expect((0...bytes.count).contains(error.offset), "a fault outside the bytes: \(error)")
        _ = error.description
    }
}
