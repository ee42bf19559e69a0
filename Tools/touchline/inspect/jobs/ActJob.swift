// ActJob.swift: an act of the system: home, a call, the keyboard, the app in front.
//
//     POST /api/act {act, app, with, value} ─▶ a line of a finger script ─▶ SystemAct ─▶ the group
//
// Input     InspectServer
// Output    JSON: the scenes on the screen after the act
// Knows     which members of the request an act needs. FingerScript knows the words of acts.

import Basics
import Page
import Recordings
import Wire
import ZeroMQHost

/// `POST /api/act`.
struct ActJob: InspectJob {
    let path = "/api/act"
    let method = "POST"

    enum Act: String, CaseIterable {
        case home, interrupt, resume, alert, lock, unlock, foreground, split, overlay, suspend, terminate, launch
        case orientation, keyboard, display
    }

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let word = try body.expectText("act", "an act such as home")
        guard let act = Act(rawValue: word) else {
            throw InspectError(
                400, "act: expected \(Act.allCases.map(\.rawValue).joined(separator: ", ")), found \(quoted(word))")
        }
        let report = try context.report()
        let screen = report.screen ?? Rect(x: 0, y: 0, width: 375, height: 667)
        let line = try Self.line(act, body, screen: (screen.width, screen.height))
        let system = try Self.systemAct(line)
        if let app = Self.missingApp(body, in: report) {
            throw InspectError(404, "app: expected an app of the group, found \(app)")
        }
        do {
            let client = try context.connect()
            try client.ask(.act(system))
            // One link keeps the order: a process that answers has received the act before.
            let after = try GroupReport(from: client)
            let scenes = after.process(.systemServer)?.text("scenes") ?? ""
            return .object([
                ("act", .string(line)), ("scenes", .strings(scenes.split(separator: " ").map(String.init))),
            ])
        } catch let failure as Failure { throw InspectError(503, failure.line) }
    }

    /// The act as a line of a finger script.
    static func line(_ act: Act, _ body: JSONNode, screen: (width: Double, height: Double)) throws -> String {
        func app(_ key: String, standard: Int? = nil) throws -> String {
            if body[key] == nil, let standard { return "app\(standard)" }
            let number = try body.expectNumber(key)
            guard let whole = Int(exactly: number), (1...1000).contains(whole) else {
                throw InspectError(400, "\(key): expected the number of an app, found \(number)")
            }
            return "app\(whole)"
        }
        switch act {
        case .home, .resume, .lock, .unlock, .alert: return act.rawValue
        case .interrupt: return "interrupt call"
        case .foreground, .suspend, .terminate, .launch: return "\(act.rawValue) \(try app("app", standard: 1))"
        case .split: return "split \(try app("app", standard: 1)) \(try app("with", standard: 2))"
        case .overlay:
            // `with` is the app beneath, which is in front already.
            let (width, height) = (screen.width * 0.85, screen.height * 0.5)
            let corner = "(\(number(screen.width - width)),\(number((screen.height - height) / 2)))"
            return "overlay \(try app("app", standard: 2)) \(corner) (\(number(width)),\(number(height)))"
        case .orientation:
            let name = try body.expectText("value", "an orientation such as landscapeLeft")
            guard InterfaceOrientation(name: name) != nil else {
                let known = InterfaceOrientation.allCases.map { "\($0)" }.joined(separator: ", ")
                throw InspectError(400, "value: expected \(known), found \(quoted(name))")
            }
            return "orientation \(try app("app", standard: 1)) \(name)"
        case .keyboard:
            let height = body["value"] == nil ? 216 : try body.expectNumber("value")
            return "keyboard \(number(height))"
        case .display:
            let value = body.text("value") ?? "off"
            guard ["on", "off"].contains(value) else {
                throw InspectError(400, "value: expected on or off, found \(quoted(value))")
            }
            return "display \(value)"
        }
    }

    private static func number(_ value: Double) -> String { fixedText(value, digits: 1) }

    /// - Throws: `InspectError` with status 400 for a line that is no act.
    static func systemAct(_ line: String) throws -> SystemAct {
        let script: FingerScript
        do { script = try FingerScript(parsing: "\(line) @0", file: "act") } catch {
            throw InspectError(400, "\(error)")
        }
        guard let act = script.lines.first?.act else { throw InspectError(400, "act: expected an act, found \(line)") }
        if case .launch(let app) = act { return .foreground(app: AppID(app)) }
        guard case .system(let system)? = GroupSession.Act(act) else {
            throw InspectError(400, "act: expected an act of the system, found \(line)")
        }
        return system
    }

    /// The first app of the request that the group does not have.
    private static func missingApp(_ body: JSONNode, in report: GroupReport) -> String? {
        let names = report.processes.map(\.name) + report.joined.map(\.name)
        return ["app", "with"].compactMap { body.number($0) }.map { "app\(Int(exactly: $0) ?? 0)" }
            .first { !names.contains($0) }
    }
}
