// BenchSlice.swift: what one measurement plays: scans at a pace, in bursts, with one contact or several.
//
//     slice ─▶ order: the synthetic finger, or a script ─▶ GroupSession.playWhole ─▶ report, ledgers
//
// Sources   invented

import Basics
import Wire

/// The load of one round.
struct BenchSlice {
    var bursts: Int
    /// Bursts before the measured ones, not counted.
    var warmUp: Int
    /// The scans of a burst.
    var burst: Int
    /// The contacts of each scan.
    var contacts = 1
    /// The greatest number of contacts in the slices that are compared. The passes of their scripts have one length,
    /// so that landings are as frequent in each of them.
    var mostContacts = 1
    /// The time between two bursts in nanoseconds; nil for a closed loop.
    var period: UInt64?

    /// The slice of a round at a pace.
    ///
    /// - Parameters:
    ///   - rate: Bursts per second.
    ///   - seconds: The duration without the warm-up.
    static func paced(rate: Double, seconds: Double, burst: Int) -> BenchSlice {
        BenchSlice(
            bursts: max(1, Int(rate * seconds)), warmUp: max(50 / burst, Int(rate / 4)), burst: burst,
            period: UInt64(1e9 / rate))
    }

    /// All scans, with those of the warm-up. An order can have `UInt32.max`.
    var scans: Int { (bursts + warmUp) * burst }

    /// The play for the group.
    func order(on screen: Rect<ScreenSpace>?) -> PlayOrder {
        let scans = UInt32(scans)
        var order = PlayOrder(
            id: 0, source: .synthetic(frames: scans), pace: period.map { .every($0) } ?? .closedLoop,
            warmUpFrames: UInt32(warmUp * burst), wantsLedgers: true)
        guard burst > 1 || mostContacts > 1, let period else { return order }
        let passes = BurstScript(
            bursts: bursts + warmUp, size: burst, period: period, contacts: contacts, mostContacts: mostContacts)
        (order.source, order.pace, order.repeats) = (.script(passes.text(on: screen)), .times(1000), passes.repeats)
        return order
    }
}

/// Bursts of scans as a script that is played several times.
struct BurstScript {
    let burstsPerPass: Int
    let repeats: UInt32
    private let size: Int
    private let period: UInt64
    private let contacts: Int

    /// The greatest length of a line.
    private static let lineLimit = 48

    init(bursts: Int, size: Int, period: UInt64, contacts: Int = 1, mostContacts: Int = 1) {
        let most = max(1, PlayOrder.scriptLimit / Self.lineLimit / size / max(contacts, mostContacts))
        burstsPerPass = min(bursts, most)
        repeats = UInt32((bursts + burstsPerPass - 1) / burstsPerPass)
        (self.size, self.period, self.contacts) = (size, period, contacts)
    }

    /// The script of one pass: the fingers land with the first scan and lift with the last one.
    func text(on screen: Rect<ScreenSpace>?) -> String {
        let (width, height) = (screen?.width ?? 200, screen?.height ?? 200)
        var text = ""
        let count = burstsPerPass * size
        for index in 0..<count {
            let time = UInt64(index / size) * period
            let fraction = String(1_000_000_000 + time % 1_000_000_000).dropFirst()
            let at = "@\(time / 1_000_000_000).\(fraction)\n"
            for finger in 0..<contacts {
                if index == count - 1, index > 0 {
                    text += "up f\(finger + 1) \(at)"
                    continue
                }
                // One finger is in the middle; several are in rows of four.
                let share =
                    contacts == 1
                    ? (x: 0.5, y: 0.5) : (x: (Double(finger % 4) + 0.5) / 4, y: (Double(finger / 4 % 4) + 0.5) / 4)
                let (x, y) = (Int(width * share.x), Int(height * share.y))
                text += "\(index == 0 ? "down" : "move") f\(finger + 1) (\(x + index % 50),\(y)) \(at)"
            }
        }
        return text
    }
}

extension GroupSession {
    /// Plays one order to its end. The app must handle every scan.
    ///
    /// - Throws: `Failure` with exit code 1 when a scan is lost, 3 when the play ends early.
    func playWhole(_ order: PlayOrder, waitLimit: Duration) throws -> (report: PlayReport, ledgers: [Ledger]) {
        let (report, ledgers) = try play(order, waitLimit: waitLimit)
        guard report.failure.isEmpty else { throw Failure.group(report.failure) }
        guard report.sent == report.delivered else {
            throw Failure.negativeResult("\(report.sent) scans sent, \(report.delivered) handled by the app")
        }
        return (report, ledgers)
    }
}
