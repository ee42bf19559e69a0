// SimulationWorker.swift: a simulated group that answers questions on stdin; a hidden worker.
//
//     begin                     a new group
//     play <TAB> ns <TAB> lines a script of that length, its lines separated by tabs
//     rest                      a check at rest
//
// Each answer is one line, separated by tabs: nine counts of the play's report, the broken law, and the violation.

import Basics
import Foundation
import Glibc
import Recordings
import Scenarios
import Settings
import Trace
import Wire

/// The worker's loop.
struct SimulationWorker {
    private let settings: [Setting]
    private let speed: PlaySpeed
    private let rehearses: MonkeyRehearsal?

    init(options: MonkeyGestureOptions, rehearses: MonkeyRehearsal?) throws {
        (settings, speed, self.rehearses) = (try Self.settings(options).list, options.speed, rehearses)
    }

    /// - Throws: `Failure` with exit code 2 for an unknown scene or app.
    static func settings(_ options: MonkeyGestureOptions) throws -> (list: [Setting], width: Double, height: Double) {
        var list = options.settings
        do {
            if let file = options.scene {
                let screen = try Scene(contentsOf: file).screen
                list += [
                    Setting(key: "screen.width", value: "\(screen.width)"),
                    Setting(key: "screen.height", value: "\(screen.height)"),
                ]
            }
            // Reads the content that it shows.
            _ = try SimulatedGroup(settings: list)
            let settings = try Settings(list)
            return (list, settings[.screenWidth], settings[.screenHeight])
        } catch { throw Failure.badInput("\(error)") }
    }

    func run() throws {
        var group = try SimulatedGroup(settings: settings)
        var laws = TraceLaws()
        while let line = readLine() {
            let words = line.split(separator: "\t", maxSplits: 2).map(String.init)
            var report: PlayReport?
            var finding: MonkeyFinding?
            switch words.first {
            case "begin": (group, laws) = (try SimulatedGroup(settings: settings), TraceLaws())
            case "play" where words.count == 3:
                let text = words[2].split(separator: "\t").joined(separator: "\n")
                if rehearses == .trap, let script = try? FingerScript(parsing: text), script.lines.hasPinch {
                    fatalError("a rehearsal")
                }
                if rehearses == .hang, let script = try? FingerScript(parsing: text), script.lines.hasPinch {
                    while true { pause() }
                }
                let length = Duration.nanoseconds(Int64(words[1]) ?? 0)
                report = group.play(text, length: speed.duration(of: length, repeats: 1), pace: speed.pace)
                finding =
                    report.map { $0.finding }
                    ?? MonkeyFinding(law: "played", text: "the play returned no report")
                finding = Self.read(group.takeTrace(), by: &laws) ?? finding
            case "rest":
                _ = group.settle()
                finding = Self.read(group.takeTrace(), by: &laws)
                if let violation = laws.atRest().first {
                    finding = MonkeyFinding(law: violation.law.rawValue, text: violation.text)
                }
                let reports = group.reports()
                if reports.count < 3, finding == nil {
                    finding = MonkeyFinding(law: "process", text: "\(reports.count) of 3 processes report their state")
                }
                for report in reports where finding == nil {
                    finding = MonkeyRows.finding("\(report.peer)", report.rows, since: { _ in 0 }, isAtRest: true)
                }
            default: finding = MonkeyFinding(law: "played", text: "unknown question")
            }
            printLine("\(report?.counts ?? "")\t\(finding?.law ?? "")\t\(finding?.text ?? "")")
        }
    }

    private static func read(_ trace: [TraceLine], by laws: inout TraceLaws) -> MonkeyFinding? {
        var found: MonkeyFinding?
        for line in trace {
            guard let violation = laws.add(line), found == nil else { continue }
            found = MonkeyFinding(law: violation.law.rawValue, text: violation.text)
        }
        return found
    }
}

extension PlayReport {
    fileprivate var counts: String {
        ([sent, answered, delivered, home, dropped].map { "\($0)" } + arrivedTouches.cells).joined(separator: " ")
    }
}

extension [FingerScript.Line] {
    /// The condition of a rehearsed failure: two fingers are down, and one of them moves.
    var hasPinch: Bool {
        var down: Set<Int> = []
        for line in self {
            switch line.act {
            case .down(let finger, _): down.insert(finger)
            case .up(let finger), .cancel(let finger): down.remove(finger)
            case .move: if down.count == 2 { return true }
            default: break
            }
        }
        return false
    }
}
