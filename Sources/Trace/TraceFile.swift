// TraceFile.swift: a trace on disk, one line for each fact, so that `grep` and `sort -n` work on it.
//
//    # 987654321<TAB>the group's start in ns of CLOCK_MONOTONIC: the times below count from it
//    1234567890<TAB>app1<TAB>responder<TAB>!<TAB>touchesBegan Y
//    ns since then   process   station     ! a conformance line, - a note     text
//
// Each start of a process adds a header. An app of another machine has another clock: its times count from its own
// start, and its header says so.
//
// Input     hosts; commands that read the traces of a group
// Output    lines
//
// Sources   invented

public import Basics

/// The moment from which the times of a trace file count, in the clock of its process.
public struct TraceOrigin: Hashable, Sendable {
    public var moment: Instant
    /// Whether the moment is the start of the group; otherwise it is the start of the process.
    public var isGroupStart: Bool

    public init(_ moment: Instant, isGroupStart: Bool) {
        (self.moment, self.isGroupStart) = (moment, isGroupStart)
    }

    /// The header in the file, without its line break.
    public var fileText: String {
        let what = isGroupStart ? "the group's start" : "this process's start"
        return "# \(moment.nanoseconds)\t\(what) in ns of CLOCK_MONOTONIC: the times below count from it"
    }

    /// - Returns: Nil for text that is no header.
    public init?(fileText: some StringProtocol) {
        guard fileText.hasPrefix("# "), fileText.hasSuffix(": the times below count from it"),
            let number = fileText.dropFirst(2).split(separator: "\t").first,
            let time = Int64(number)
        else { return nil }
        self.init(Instant(nanoseconds: time), isGroupStart: firstRange(of: "the group's start", in: fileText) != nil)
    }
}

extension TraceLine {
    /// Reads the lines of a trace file. Their times are those of the process's clock again, so that the lines of several
    /// files and the clock of the reader can be compared. Text that is no line is omitted.
    public static func lines(ofFile text: String) -> [TraceLine] {
        var origin = Instant.boot
        var lines: [TraceLine] = []
        for part in text.split(separator: "\n") {
            if let header = TraceOrigin(fileText: part) {
                origin = header.moment
            } else if let line = TraceLine(fileText: part, since: origin) {
                lines.append(line)
            }
        }
        return lines
    }

    /// Returns the line in the file, without its line break, with the time since `origin`.
    public func fileText(since origin: Instant = .boot) -> String {
        let time = origin.duration(to: at).nanoseconds
        return "\(time)\t\(process)\t\(station.rawValue)\t\(isProbe ? "!" : "-")\t\(text)"
    }

    /// - Parameters:
    ///   - fileText: One line of the file.
    ///   - origin: The moment from which the time in the file counts.
    /// - Returns: Nil for text that is no line of a trace, such as the last one of a file that was cut.
    public init?(fileText: some StringProtocol, since origin: Instant = .boot) {
        let parts = fileText.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let time = Int64(parts[0]), let station = Station(rawValue: String(parts[2])) else {
            return nil
        }
        self.init(
            at: origin.advanced(by: .nanoseconds(time)), process: String(parts[1]), station: station,
            isProbe: parts[3] == "!",
            text: String(parts[4]))
    }
}

/// Merges the traces of several processes by time. Lines of one moment keep the order of `traces` and of their trace.
public func merged(_ traces: [[TraceLine]]) -> [TraceLine] {
    var all: [(line: TraceLine, trace: Int, index: Int)] = []
    for (t, trace) in traces.enumerated() {
        for (i, line) in trace.enumerated() { all.append((line, t, i)) }
    }
    all.sort { ($0.line.at, $0.trace, $0.index) < ($1.line.at, $1.trace, $1.index) }
    return all.map(\.line)
}
