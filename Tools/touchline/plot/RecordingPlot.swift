// RecordingPlot.swift: a recording as a picture: the track, the speed and the scan interval of each contact.
//
// Input     contact frames
// Output    `touchline plot RECORDING`
// Knows     contacts and their times. The plots draw.

import Basics
import HID
import Recordings

/// The picture of one recording.
struct RecordingPlot {
    /// A contact in one scan.
    private struct Sample {
        /// Seconds.
        var time: Double
        /// In the device's units.
        var x, y: Double
        /// Whether the scan says that the contact did not move.
        var isStationary: Bool
    }

    /// One contact from touch-down to lift.
    private struct Way {
        var id: Int64
        var points: [Sample] = []
    }

    /// By touch-down.
    private var ways: [Way] = []
    /// The ways of contacts that are down: indices in `ways`.
    private var open: [Int] = []
    private var count = 0
    private var timing = ScanTiming()

    /// The greatest numbers of contacts and of points in a picture.
    private static let (wayLimit, pointLimit) = (200, 40_000)

    mutating func count(_ frame: ContactFrame) {
        timing.count(frame)
        for contact in frame.contacts {
            if contact.phase == .began {
                open.append(ways.count)
                ways.append(Way(id: contact.id))
            }
            guard let index = open.last(where: { ways[$0].id == contact.id }) else { continue }
            if count < Self.pointLimit {
                ways[index].points.append(
                    Sample(
                        time: frame.time.seconds, x: Double(contact.x), y: Double(contact.y),
                        isStationary: contact.phase == .stationary))
                count += 1
            }
            if contact.phase == .ended || contact.phase == .cancelled { open.removeAll { $0 == index } }
        }
    }

    /// Whether the recording has contacts.
    var isEmpty: Bool { ways.isEmpty }

    /// - Parameters:
    ///   - ranges: The axes of the positions.
    ///   - screen: The screen whose points the recording has in 65536ths of its size; nil for the device's own units.
    func picture(file: String, ranges: AxisRanges, screen: ScreenGeometry?) -> PlotPicture {
        let shown = ways.prefix(Self.wayLimit).filter { !$0.points.isEmpty }
        let names = shown.indices.map { "contact \($0 + 1)" }
        let unit = screen == nil ? "the device's units" : "points of the screen"
        let (xScale, yScale) = (screen.map { $0.width / 65536 } ?? 1, screen.map { $0.height / 65536 } ?? 1)
        let panel = TrackPlot(
            title: "track", x: Double(ranges.x.lowerBound) * xScale...Double(ranges.x.upperBound) * xScale,
            y: Double(ranges.y.lowerBound) * yScale...Double(ranges.y.upperBound) * yScale,
            tracks: zip(names, shown).map { name, way in
                TrackPlot.Track(
                    name: name, points: way.points.map { CurvePlot.Point(x: $0.x * xScale, y: $0.y * yScale) })
            })
        func curves(_ samples: (Way) -> [Sample], _ value: (Sample, Sample) -> Double) -> [CurvePlot.Curve] {
            zip(names, shown).map { name, way in
                let samples = samples(way)
                let pairs = zip(samples, samples.dropFirst()).filter { $0.1.time > $0.0.time }
                return CurvePlot.Curve(
                    name: name, points: pairs.map { CurvePlot.Point(x: $0.1.time, y: value($0.0, $0.1)) })
            }
        }
        // A device that reports one contact at a time repeats the others in each scan.
        let speed = curves({ way in way.points.filter { !$0.isStationary } }) { before, after in
            let (x, y) = ((after.x - before.x) * xScale, (after.y - before.y) * yScale)
            return (x * x + y * y).squareRoot() / (after.time - before.time)
        }
        let interval = curves(\.points) { before, after in (after.time - before.time) * 1000 }
        func plot(_ title: String, _ unit: String, _ curves: [CurvePlot.Curve]) -> PlotPicture.Panel {
            let plot = CurvePlot(title: title, axis: .linear(unit: "s"), vertical: .linear, unit: unit, curves: curves)
            return PlotPicture.Panel(title: title, element: plot.svg, height: CurvePlot.fullHeight, legend: [])
        }
        let omitted = ways.count - shown.count
        let remark =
            (timing.text ?? "no contact in two scans")
            + (omitted > 0 ? "; the first \(shown.count) of \(ways.count) contacts" : "")
            + (count >= Self.pointLimit ? "; the first \(Self.pointLimit) positions" : "")
        return PlotPicture(
            title: file, remark: remark,
            panels: [
                PlotPicture.Panel(
                    title: "Track, in \(unit)", element: panel.svg, height: TrackPlot.height, legend: names),
                plot("Speed, in \(unit) a second", "units/s", speed), plot("Scan interval", "ms", interval),
            ])
    }
}
