// Exhaustion+Script.swift: the journal that input-kit plays in an exhaustive search, one line for each scan.
//
// Input     the search, when a finger lands, moves or lifts
// Output    the bytes that the host reads
// Knows     the text format of journals
//
// Sources   invented

extension Exhaustion {
    static let scriptPath = "exhaustion.journal"
    static let scriptOpening = "touchline-journal 1;\naxis x 0 4095 0 0 0;\naxis y 0 4095 0 0 0;\n"

    /// Returns the lines of the journal in which one finger acts and the others stay: two for `movesTwice`, else one.
    static func scriptFrames(number: Int, before: UInt8, finger: Int, _ what: Move.Finger, _ fingers: Int) -> String {
        let milliseconds = what == .movesTwice ? [number * 8, number * 8 + 4] : [number * 8]
        return milliseconds.map { moment in
            var text = "@\(moment * 1_000_000)"
            for other in 0..<fingers where other == finger || before & 1 << other != 0 {
                let x = 1000 + other * 1000 + moment
                if other != finger {
                    text += " \(other)s"
                } else {
                    switch what {
                    case .lands: text += " \(other)b\(x),2000"
                    case .moves, .movesTwice: text += " \(other)m\(x),2000"
                    case .lifts: text += " \(other)e"
                    }
                }
            }
            return text + ";\n"
        }.joined()
    }
}
