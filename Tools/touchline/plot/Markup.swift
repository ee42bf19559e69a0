// Markup.swift: text and numbers as they may stand in HTML and SVG, and figures as a person reads them.
//
// Knows     strings. No files, no figures' meaning.

import Basics
import Glibc

/// Functions that make text and numbers safe in HTML and SVG.
enum Markup {
    /// Escapes a text for an element or a quoted attribute. Control characters, which XML does not allow, become blanks.
    static func text(_ text: some StringProtocol) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A coordinate with two decimals; 0 for a value that is no number, which SVG cannot have.
    static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "0" }
        var text = fixedText(value, digits: 2)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    static func percent(_ share: Double) -> String { number(share * 100) + "%" }

    /// A value with a unit of a readable size: `1.55 M events/s`, `12.3 MiB`, `85.2 µs`.
    static func figure(_ value: Double, _ unit: String) -> String {
        guard value.isFinite else { return "-" }
        let magnitude = value.magnitude
        switch unit {
        case "ns" where magnitude >= 1e6: return figure(value / 1e6, "ms")
        case "ns" where magnitude >= 1e4: return figure(value / 1e3, "us")
        case "us" where magnitude >= 1e4: return figure(value / 1e3, "ms")
        case "us": return "\(short(value)) µs"
        case "bytes" where magnitude >= 1_048_576: return "\(short(value / 1_048_576)) MiB"
        case "bytes" where magnitude >= 1024: return "\(short(value / 1024)) KiB"
        case "count": return short(value)
        case "ratio": return "\(short(value)) ×"
        default: break
        }
        guard unit.hasSuffix("/s") else { return "\(short(value)) \(unit)" }
        return "\(compact(value)) \(unit)"
    }

    /// The label of an axis. It has no unit where the name of the plot says what is counted.
    static func tick(_ value: Double, _ unit: String) -> String {
        unit == "count" || unit.hasSuffix("/s") ? compact(value) : figure(value, unit)
    }

    /// `1.55 M`, `254 k`, `2,736`.
    private static func compact(_ value: Double) -> String {
        if value.magnitude >= 1e6 { return "\(short(value / 1e6)) M" }
        return value.magnitude >= 1e4 ? "\(short(value / 1e3)) k" : short(value)
    }

    /// Three significant digits, or all digits of a whole number in groups of three.
    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let magnitude = value.magnitude
        if magnitude >= 1000 || value == value.rounded() { return grouped(value.rounded()) }
        if magnitude >= 100 { return fixedText(value, digits: 0) }
        if magnitude >= 10 { return fixedText(value, digits: 1) }
        return fixedText(value, digits: magnitude >= 0.1 ? 2 : 4)
    }

    private static func grouped(_ value: Double) -> String {
        guard value.magnitude < 1e15 else { return "\(value)" }
        let digits = String(Int(value.magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }
}

/// A scale from values to 0...1, with the values at which it has lines.
struct PlotScale: Equatable {
    let low: Double
    let high: Double
    let isLogarithmic: Bool
    let ticks: [Double]

    /// A scale from zero.
    static func linear(to greatest: Double) -> PlotScale {
        let greatest = greatest.isFinite && greatest > 0 ? greatest : 1
        let step = Self.step(greatest / 4)
        let count = (greatest / step).rounded(.up)
        return PlotScale(
            low: 0, high: step * count, isLogarithmic: false, ticks: (0...Int(count)).map { Double($0) * step })
    }

    /// A scale of whole decades, at least one, around positive values.
    static func logarithmic(_ values: [Double]) -> PlotScale {
        let positive = values.filter { $0.isFinite && $0 > 0 }
        let low = (positive.min() ?? 1).log10.rounded(.down)
        let high = max(low + 1, (positive.max() ?? 1).log10.rounded(.up))
        return PlotScale(
            low: .power10(low), high: .power10(high), isLogarithmic: true,
            ticks: (Int(low)...Int(high)).map { .power10(Double($0)) })
    }

    /// A scale close around positive values, with lines at 1, 2 and 5 of each decade.
    static func logarithmicClose(_ values: [Double]) -> PlotScale {
        let decades = logarithmic(values)
        let positive = values.filter { $0.isFinite && $0 > 0 }
        let steps = decades.ticks.dropLast().flatMap { [$0, $0 * 2, $0 * 5] } + [decades.high]
        let low = steps.last { $0 <= positive.min() ?? decades.low } ?? decades.low
        let high = steps.first { $0 >= positive.max() ?? decades.high && $0 > low } ?? decades.high
        return PlotScale(low: low, high: high, isLogarithmic: true, ticks: steps.filter { (low...high).contains($0) })
    }

    /// The scale with lines at whole decades only, if there are too many others.
    func thinned(to limit: Int) -> PlotScale {
        guard isLogarithmic, ticks.count > limit else { return self }
        // The steps between decades differ from them by at least a factor of 2.
        let decades = ticks.filter { abs($0.log10 - $0.log10.rounded()) < 0.01 }
        return PlotScale(low: low, high: high, isLogarithmic: true, ticks: decades)
    }

    /// The place of a value, 0...1.
    func share(_ value: Double) -> Double {
        guard value.isFinite else { return 0 }
        let share =
            isLogarithmic
            ? (value > 0 ? (value.log10 - low.log10) / (high.log10 - low.log10) : 0) : (value - low) / (high - low)
        return min(1, max(0, share))
    }

    /// 1, 2 or 5 times a power of ten, at least `least`.
    private static func step(_ least: Double) -> Double {
        let power = Double.power10(least.log10.rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999 } ?? power * 10
    }
}

extension Double {
    static func power10(_ exponent: Double) -> Double { pow(10, exponent) }

    /// The decimal logarithm.
    var log10: Double { Glibc.log10(self) }
}
