// Script.swift: a scenario's finger script, with the words of acts that only a scene understands checked.
//
// Fed by    ScenarioParser
// Feeds     the runners: fingers go to input-kit, system acts to the server, the rest is done inside the app
// Knows     property names. How a line is written belongs to Recordings.FingerScript, the one reader of that text.

import Basics
public import Recordings
import Wire

public struct Script: Sendable {
    public var lines: FingerScript
    /// Where the text begins.
    var place: Place

    /// No group starts more.
    static let appLimit: UInt32 = 128

    /// A script without lines.
    init() { (lines, place) = (FingerScript(), .nowhere) }

    init(parsing text: String, at place: Place) throws(ScenarioError) {
        do {
            lines = try FingerScript(parsing: text, file: place.file, firstLine: place.line)
        } catch {
            throw ScenarioError(
                Place(file: place.file, line: max(error.line, 1), column: place.column),
                "script: expected \(error.expected), found \(error.found)")
        }
        self.place = place
        guard lines.axes == nil else {
            throw ScenarioError(place, "script: expected points of the scenario's screen, found axes of a panel")
        }
        for line in lines.lines {
            switch line.act {
            case .set(_, let property, let value):
                let kinds = ViewProperties.settable + GestureProperties.settable
                guard let kind = kinds.first(where: { $0.name == property })?.kind else {
                    let hint = suggestion(for: property, among: kinds.map(\.name))
                    throw ScenarioError(self.place(of: line), "script: unknown property \(property)\(hint)")
                }
                guard kind.value(of: value) != nil else {
                    throw ScenarioError(
                        self.place(of: line), "script: \(property): expected \(kind.expected), found \(value)")
                }
            case .launch(let app), .foreground(let app), .crash(let app): try check([app], of: line)
            case .screen(let act): try check(act.apps, of: line)
            case .open(let text):
                do throws(URLFault) { _ = try URLText(text) } catch {
                    throw ScenarioError(self.place(of: line), "script: \(error)")
                }
            default: continue
            }
        }
    }

    private func check(_ apps: [UInt32], of line: FingerScript.Line) throws(ScenarioError) {
        guard let app = apps.first(where: { $0 > Self.appLimit }) else { return }
        throw ScenarioError(
            place(of: line), "script: expected an app from app1 to app\(Self.appLimit), found app\(app)")
    }

    /// When the first finger lands, or without fingers the first other input comes: observed times count from here.
    /// Nil without either.
    var firstInput: Duration? { firstDown ?? lines.lines.first { $0.act.isInput }?.time }

    /// Nil without fingers.
    var firstDown: Duration? { lines.lines.first { if case .down = $0.act { true } else { false } }?.time }

    /// What is no device's and not done inside the app, by time.
    ///
    /// `comesFirst`: written before the inputs of its moment.
    var systemActs: [(line: FingerScript.Line, comesFirst: Bool)] {
        let all = lines.lines
        return all.indices.filter { !all[$0].act.isInput && !all[$0].act.isInsideApp }.map { index in
            (all[index], !all[..<index].contains { $0.time == all[index].time && $0.act.isInput })
        }
    }

    func place(of line: FingerScript.Line) -> Place {
        Place(file: place.file, line: line.number, column: place.column)
    }
}

extension FingerScript.Act {
    /// Whether only a system server can do it: `direct` mode has none.
    var needsServer: Bool {
        switch self {
        case .launch, .foreground, .home, .crash, .screen, .open: true
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .lock, .unlock, .set, .remove, .disable, .device:
            false
        }
    }

    /// Whether the program does it to itself.
    var isInsideApp: Bool {
        switch self {
        case .set, .remove, .disable: true
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .screen,
            .open, .lock, .unlock, .device:
            false
        }
    }
}
