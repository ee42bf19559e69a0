// TraceFile.swift: a trace on disk, one line for each fact, so that `grep` and `sort -n` work on it.
//
//    1234567890<TAB>app1<TAB>responder<TAB>!<TAB>touchesBegan Y
//    ns since boot   process   station     ! a conformance line, - a note     text
//
// Input     hosts; `touchline trace`
// Output    lines
//
// Sources   invented

import Basics

extension TraceLine {
    /// The line in the file, without its line break.
    public var fileText: String {
        "\(at.nanoseconds)\t\(process)\t\(station.rawValue)\t\(isProbe ? "!" : "-")\t\(text)"
    }

    /// - Returns: Nil for text that is no line of a trace, such as the last one of a file that was cut.
    public init?(fileText: some StringProtocol) {
        let parts = fileText.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let time = Int64(parts[0]), let station = Station(rawValue: String(parts[2])) else {
            return nil
        }
        self.init(
            at: Instant(nanoseconds: time), process: String(parts[1]), station: station, isProbe: parts[3] == "!",
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
