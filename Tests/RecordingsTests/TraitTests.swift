import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

/// The traits that Docs/Reference/Recordings.md says each format keeps, checked against the formats.
@Suite("Traits that recording formats keep")
struct TraitTests {
    /// A recording that has every trait.
    private struct Sample {
        var device = DeviceDescription()
        var frames: [ContactFrame]

        init() {
            device.name = "Panel"
            device.numbers = DeviceDescription.Numbers(bus: 3, vendor: 0x1234, product: 0x5678, version: 0x0100)
            device.kind = .touchscreen
            device.x = DeviceAxis(minimum: 0, maximum: 4095, resolution: 16)
            device.y = DeviceAxis(minimum: -100, maximum: 2000, resolution: 15)
            for field in ContactField.allCases { device[keyPath: field.axis] = DeviceAxis(minimum: 0, maximum: 255) }
            device.contactCount = 7
            var kind = FrameSeed()
            kind.attributes = ContactField.allCases.map(\.value)
            (kind.hasPens, kind.hasScanTime, kind.grain) = (true, true, 1)
            frames = kind.make(3)
            for frame in frames.indices {
                for contact in frames[frame].contacts.indices {
                    let attributes = frames[frame].contacts[contact].attributes
                    let both = [attributes.major!, attributes.minor!]
                    frames[frame].contacts[contact].attributes.major = both.max()
                    frames[frame].contacts[contact].attributes.minor = both.min()
                }
            }
            let end = frames.last!.time
            if var leaving = frames.last!.cancellingDownContacts {
                (leaving.time, leaving.scanTime) = (end + .milliseconds(5), frames.last!.scanTime! + .milliseconds(5))
                frames.append(leaving)
            }
            frames.append(
                ContactFrame(
                    time: end + .milliseconds(7), contacts: [], scanTime: frames.last!.scanTime! + .milliseconds(2)))
        }
    }

    private func survives(
        _ trait: RecordingTraits, _ sample: Sample, _ played: PlayedRecording, _ format: RecordingFormat
    )
        -> Bool
    {
        func contacts(_ frames: [ContactFrame]) -> [DeviceContact] { frames.flatMap(\.contacts) }
        /// Compares contacts that are down. The attributes of a lift are no measurement.
        func same<Value: Equatable>(_ value: (ContactAttributes) -> Value) -> Bool {
            func values(_ frames: [ContactFrame]) -> [Value] {
                contacts(frames).filter { $0.phase != .ended && $0.phase != .cancelled }.map { value($0.attributes) }
            }
            return values(sample.frames) == values(played.frames)
        }
        func times(_ grain: Int64) -> Bool {
            plain(sample.frames.filter { !$0.contacts.isEmpty }, grain: grain).map(\.time)
                == plain(played.frames.filter { !$0.contacts.isEmpty }).map(\.time)
        }
        func count(_ isWanted: (ContactFrame) -> Bool) -> Bool {
            sample.frames.count(where: isWanted) == played.frames.count(where: isWanted)
        }
        func clocks(_ grain: Int64) -> Bool {
            let clocks = [sample.frames, played.frames].map { frames in
                frames.map { frame in frame.scanTime.map { $0.nanoseconds / grain * grain } }
            }
            return clocks[0] == clocks[1]
        }
        let (device, found) = (sample.device, played.device)
        return switch trait {
        case .units: contacts(plain(sample.frames)).map(\.x) == contacts(plain(played.frames)).map(\.x)
        case .microseconds: times(1000) || times(1)
        case .nanoseconds: times(1)
        case .restingScans:
            count { frame in !frame.contacts.isEmpty && frame.contacts.allSatisfy { $0.phase == .stationary } }
        case .emptyScans: count { $0.contacts.isEmpty }
        case .scanTime: clocks(100_000)
        case .fineScanTime: clocks(1000)
        case .pressure: same(\.pressure)
        case .size: same { [$0.major, $0.minor] }
        case .orientation: same(\.orientation)
        case .distance: same(\.distance)
        case .pens: same(\.tool)
        case .azimuth: same(\.azimuth)
        case .tilt: same { [$0.tiltX, $0.tiltY] }
        case .name: found.name == device.name
        case .identifiers: found.numbers.all.dropLast() == device.numbers.all.dropLast()
        case .version: found.numbers.version == device.numbers.version
        case .resolution: [found.x?.resolution, found.y?.resolution] == [16, 15]
        case .contactCount: found.contactCount == 7
        default: false
        }
    }

    @Test("each recording format keeps exactly the traits that it declares", arguments: RecordingFormat.allCases)
    func kept(format: RecordingFormat) throws {
        let sample = Sample()
        var options = RecordingWriter.Options()
        options.contactsAtOnce = 7
        let (bytes, losses) = written(
            sample.frames, as: format, of: sample.device, ranges: sample.device.ranges!, options: options)
        let played = try play(bytes)
        for (trait, text) in RecordingTraits.all where trait != .otherInputs {
            let isKept = format.traits().contains(trait)
            #expect(survives(trait, sample, played, format) == isKept, "\(format.rawValue): \(text)")
            #expect(losses.contains(trait) == !isKept, "\(format.rawValue): \(text)")
        }
    }

    @Test("a recording with few traits loses none")
    func noLosses() {
        for format in RecordingFormat.allCases {
            let frames = [ContactFrame(time: .zero, contacts: [DeviceContact(id: 1, phase: .began, x: 1, y: 1)])]
            #expect(written(frames, as: format).losses.isEmpty, "\(format.rawValue)")
        }
    }

    @Test("Docs/Reference/Recordings.md matches the declared traits")
    func document() throws {
        let formats = RecordingFormat.allCases
        func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
        var table = row([""] + formats.map(\.rawValue)) + row(["---"] + formats.map { _ in "---" })
        for (trait, text) in RecordingTraits.all {
            table += row([text] + formats.map { $0.traits().contains(trait) ? "yes" : "" })
        }
        let file = Repository.root.appending(path: "Docs/Reference/Recordings.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- from RecordingTraits -->\n", "<!-- end -->")
        let before = try #require(page.range(of: begin)).upperBound
        let after = try #require(page.range(of: end)).lowerBound
        expectDocument("Docs/Reference/Recordings.md", equals: page[..<before] + table + page[after...])
    }
}
