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
        guard what == .movesTwice else { return scriptFrame(Double(number), before, finger, what, fingers) }
        return scriptFrame(Double(number), before, finger, .moves, fingers)
            + scriptFrame(Double(number) + 0.5, before, finger, .moves, fingers)
    }

    /// - Parameter moment: In scans of 8 ms.
    private static func scriptFrame(
        _ moment: Double, _ before: UInt8, _ finger: Int, _ what: Move.Finger, _ fingers: Int
    ) -> String {
        var text = "@\(Int(moment * 8_000_000))"
        for other in 0..<fingers where other == finger || before & 1 << other != 0 {
            let x = 1000 + other * 1000 + Int(moment * 8)
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
    }
}
