// SoakPlot.swift: a soak as a picture: memory, open files and threads of each process over time, with the faults.

import Basics
import Foundation
import Wire

/// The picture of a soak.
struct SoakPlot {
    private let outcome: SoakOutcome
    private let peers: [Peer]
    private let end: Double

    private static let (width, height, left, top, gap) = (960.0, 180.0, 70.0, 40.0, 56.0)
    /// A palette for color-blind readers (Okabe and Ito).
    private static let colours = [
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999",
    ]

    init(_ outcome: SoakOutcome) {
        self.outcome = outcome
        peers = Set(outcome.samples.map(\.peer)).sorted()
        end = max(1, outcome.samples.map(\.time).max() ?? 1)
    }

    var svg: String {
        let panels: [(title: String, value: (SoakSample) -> Double)] = [
            ("memory, MiB", { Double($0.processSample.residentKiB) / 1024 }),
            ("open files", { Double($0.processSample.descriptors) }),
            ("threads", { Double($0.processSample.threads) }),
        ]
        let total = Self.top + Double(panels.count) * (Self.height + Self.gap) + 40
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(n(Self.left + Self.width + 150)) \(n(total))\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            text(Self.left, 20, "soak: \(n(outcome.seconds)) s, \(outcome.faults.count) faults", size: 15),
        ]
        for (index, panel) in panels.enumerated() {
            parts += draw(panel.title, panel.value, at: Self.top + Double(index) * (Self.height + Self.gap))
        }
        for (index, peer) in peers.enumerated() {
            let y = Self.top + 10 + Double(index) * 18
            let x = Self.left + Self.width + 14
            parts.append("<line x1=\"\(n(x))\" y1=\"\(n(y))\" x2=\"\(n(x + 20))\" y2=\"\(n(y))\" \(stroke(index))/>")
            parts.append(text(x + 26, y + 4, "\(peer)"))
        }
        parts.append(
            text(
                Self.left, total - 14,
                "Gray lines are faults. The line of a process begins again after a restart."))
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private func draw(_ title: String, _ value: (SoakSample) -> Double, at y: Double) -> [String] {
        let most = max(1, (outcome.samples.map(value).max() ?? 1) * 1.1)
        let bottom = y + Self.height
        func point(_ sample: SoakSample) -> String {
            "\(n(x(sample.time))),\(n(bottom - value(sample) / most * Self.height))"
        }
        var parts = [
            "<rect x=\"\(n(Self.left))\" y=\"\(n(y))\" width=\"\(n(Self.width))\" height=\"\(n(Self.height))\" "
                + "fill=\"none\" stroke=\"#888\"/>",
            text(Self.left, y - 6, title),
        ]
        for fault in outcome.faults {
            let at = n(x(fault.time))
            parts.append(
                "<line x1=\"\(at)\" y1=\"\(n(y))\" x2=\"\(at)\" y2=\"\(n(bottom))\" stroke=\"#ddd\">"
                    + "<title>\(fault.fault)</title></line>")
        }
        for part in [0.0, 0.5, 1.0] {
            parts.append(text(Self.left - 8, bottom - part * Self.height + 4, n(most * part), anchor: "end"))
            parts.append(text(Self.left + part * Self.width, bottom + 16, "\(n(end * part)) s", anchor: "middle"))
        }
        for (index, peer) in peers.enumerated() {
            let own = outcome.samples.filter { $0.peer == peer }
            // One line for each process instance.
            for generation in Set(own.map(\.generation)).sorted() {
                let points = own.filter { $0.generation == generation }.map(point).joined(separator: " ")
                parts.append("<polyline points=\"\(points)\" fill=\"none\" \(stroke(index))/>")
            }
        }
        return parts
    }

    private func x(_ time: Double) -> Double { Self.left + time / end * Self.width }

    private func stroke(_ index: Int) -> String {
        "stroke=\"\(Self.colours[index % Self.colours.count])\" stroke-width=\"1.5\""
    }

    private func text(_ x: Double, _ y: Double, _ text: String, size: Int = 12, anchor: String = "start") -> String {
        "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(size)\" text-anchor=\"\(anchor)\">\(text)</text>"
    }

    private func n(_ number: Double) -> String { fixedText(number, digits: 1) }
}
