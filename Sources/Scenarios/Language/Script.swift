// Script.swift: a scenario's finger script, with the acts checked that only a scene understands.
//
// Input     ScenarioKeys
// Output    the runners: fingers for input-kit, system acts for the server, the other acts for the app
// Knows     property names. Recordings.FingerScript is the only parser of the lines.

import Basics
public import Recordings
import Wire

/// The script of a scenario.
public struct Script: Sendable {
    public var lines: FingerScript
    /// The beginning of the text.
    var location: FileLocation

    /// The greatest number of an app in a script. No group starts more apps.
    static let appLimit: UInt32 = 128

    /// Makes a script without lines.
    init() { (lines, location) = (FingerScript(), .nowhere) }

    init(parsing text: String, at location: FileLocation) throws(ScenarioError) {
        do {
            lines = try FingerScript(parsing: text, file: location.file, firstLine: location.line)
        } catch {
            throw ScenarioError(
                FileLocation(file: location.file, line: max(error.line, 1), column: location.column),
                "script: expected \(error.expected), found \(error.found)")
        }
        self.location = location
        guard lines.axes == nil else {
            throw ScenarioError(location, "script: expected points of the scenario's screen, found axes of a panel")
        }
        for line in lines.lines {
            switch line.act {
            case .set(_, let property, let value):
                let kinds = ViewProperties.settable + GestureProperties.settable
                guard let kind = kinds.first(where: { $0.name == property })?.kind else {
                    let hint = suggestion(for: property, among: kinds.map(\.name))
                    throw ScenarioError(self.location(of: line), "script: unknown property \(property)\(hint)")
                }
                guard kind.value(of: value) != nil else {
                    throw ScenarioError(
                        self.location(of: line), "script: \(property): expected \(kind.expected), found \(value)")
                }
            case .launch(let app), .foreground(let app), .crash(let app): try check([app], of: line)
            case .screen(let act): try check(act.apps, of: line)
            case .open(let text):
                do throws(URLFault) { _ = try URLText(text) } catch {
                    throw ScenarioError(self.location(of: line), "script: \(error)")
                }
            default: continue
            }
        }
    }

    private func check(_ apps: [UInt32], of line: FingerScript.Line) throws(ScenarioError) {
        guard let app = apps.first(where: { $0 > Self.appLimit }) else { return }
        throw ScenarioError(
            location(of: line), "script: expected an app from app1 to app\(Self.appLimit), found app\(app)")
    }

    /// The time of the first landing, or of the first other input in a script without fingers. Observed times count
    /// from here. Nil without input.
    public var firstInput: Duration? { firstDown ?? lines.lines.first { $0.act.isInput }?.time }

    /// The time of the first landing; nil without fingers.
    var firstDown: Duration? { lines.lines.first { if case .down = $0.act { true } else { false } }?.time }

    /// The acts of the system by time: lines that are neither input nor done inside the app.
    ///
    /// `comesFirst`: whether the line is written before the inputs of the same moment.
    var systemActs: [(line: FingerScript.Line, comesFirst: Bool)] {
        let all = lines.lines
        return all.indices.filter { !all[$0].act.isInput && !all[$0].act.isInsideApp }.map { index in
            (all[index], !all[..<index].contains { $0.time == all[index].time && $0.act.isInput })
        }
    }

    func location(of line: FingerScript.Line) -> FileLocation {
        FileLocation(file: location.file, line: line.number, column: location.column)
    }
}

extension FingerScript.Act {
    /// Whether the act needs a system server, which `direct` mode does not have.
    var needsServer: Bool {
        switch self {
        case .launch, .foreground, .home, .crash, .screen, .open: true
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .lock, .unlock, .set, .remove, .disable, .device:
            false
        }
    }

    /// Whether the program does the act itself.
    var isInsideApp: Bool {
        switch self {
        case .set, .remove, .disable: true
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .screen,
            .open, .lock, .unlock, .device:
            false
        }
    }
}
