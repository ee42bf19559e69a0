// ChaosLosses.swift: F18, F19: views that disappear under a finger, and handlers that never return or end the app.
//
//    F18   a program changes a scene all the time: it hides, moves and removes views and windows. Strokes are played
//          meanwhile. Then the screen changes under fingers that are down: home, lock, a call, another app.
//    F19   a button with an action that traps, and one with an action that never returns
//
// Sources   Docs/Spec/Pipeline.md section 4

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Wire

extension ChaosRun {
    // MARK: F18

    /// The number of edits of one group. Its program makes them while it is in the foreground.
    private static let editsOfGroup = 2500
    private static let betweenEdits = 0.005

    mutating func takenAway() throws {
        var edits = 0
        var strokes = 0
        var touches: UInt64 = 0
        while edits < times {
            let count = min(Self.editsOfGroup, times - edits)
            let (played, alive) = try edit(count)
            edits += count
            strokes += played
            touches += alive
            progress(edits)
        }
        verdict.demand("changes of the view tree under fingers", edits, is: times...times)
        verdict.demand("touches during the changes", Int(touches), is: max(1, strokes / 4)...Int.max)
        try screenChanges()
        verdict.times = edits
    }

    /// - Returns: The number of strokes played, and the touches that apps received of them.
    private mutating func edit(_ count: Int) throws -> (strokes: Int, touches: UInt64) {
        let path = "\(FileManager.default.temporaryDirectory.path)/touchline-tree-\(getpid())-\(UUID().uuidString).yaml"
        let id = String(path.split(separator: "/").last?.dropLast(5) ?? "")
        try Data(ChangingScene(edits: count, every: Self.betweenEdits, from: &target.chance).text(id: id).utf8)
            .write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let group = try startGroup(settings: ["app.declaresWindows=true"], apps: 1, arguments: ["--scene", path])
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: target.chance.next())
        let end = monotonicNow().advanced(by: Duration(seconds: Double(count) * Self.betweenEdits))
        var strokes = 0
        repeat {
            try other.play(.script(other.strokes(most: 4, length: .milliseconds(120))), within: .seconds(5))
            strokes += 1
        } while monotonicNow() < end
        var run = sibling(on: other)
        let evidence = try run.evidence()
        run.judge(evidence)
        addFindings(of: run, "a changing tree")
        verdict.demands.append(.nothingHeld(try other.group()))
        group.stop()
        return (strokes, evidence.report.touches)
    }

    /// Acts that cover an app, each with the acts that uncover it.
    private func changes() -> [(name: String, acts: [SystemAct], back: [SystemAct])] {
        let one = AppID(target.apps[0].instance)
        let other = AppID(target.apps[target.apps.count > 1 ? 1 : 0].instance)
        return [
            ("home", [.home], []), ("another app", [.foreground(app: other)], []),
            ("a call", [.interrupt], [.resume]), ("an alert", [.alert], [.resume]), ("lock", [.lock], [.unlock]),
            ("display off", [.display(isOn: false)], [.display(isOn: true)]), ("suspend", [.suspend(app: one)], []),
            ("split", [.split(app: one, with: other)], []),
        ].filter { target.apps.count > 1 || !["another app", "split"].contains($0.0) }
    }

    /// Makes each change under a finger, five times.
    private mutating func screenChanges() throws {
        var met = 0
        let rounds = 5
        let changes = changes()
        var moments: [(at: Instant, until: Instant)] = []
        for _ in 0..<rounds {
            for change in changes {
                try target.bringToFront(target.apps[0])
                let strokes = target.strokes(length: .milliseconds(160))
                let phase = Duration.milliseconds(Int64.random(in: 45...100, using: &target.chance))
                var at: Instant?
                try target.play(.script(strokes), within: .seconds(5)) { begun in
                    target.sleep(until: begun.advanced(by: phase))
                    guard try target.isTouched() else { return }
                    at = monotonicNow()
                    for act in change.acts { try target.client.ask(.act(act)) }
                }
                for act in change.back { try target.client.ask(.act(act)) }
                if let at {
                    met += 1
                    moments.append((at, monotonicNow()))
                }
            }
        }
        try target.bringToFront(target.apps[0])
        try expectTap()
        let evidence = try evidence()
        judge(evidence)
        let cancelled = moments.compactMap { moment in
            evidence.first(after: moment.at, before: moment.until) { mark in
                if case .touches(_, _, let count) = mark.kind { count > 0 } else { false }
            }
        }
        verdict.demand(
            "changes of the screen under a finger", met,
            is: (verdict.judgesTimes ? rounds * changes.count / 2 : 1)...Int.max)
        // A finger that lifts between the report and the act has no touch to cancel.
        verdict.demand("touches cancelled by these changes", cancelled.count, is: (met * 8 / 10)...met)
        verdict.demand(
            "cancelled", cancelled, percentile: 1, within: .milliseconds(100), of: cancelled.count)
    }

    // MARK: F19

    /// A scene with a button that traps, one that loops, and a harmless one.
    mutating func badHandlers() throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/touchline-bad-\(getpid())-\(UUID().uuidString).yaml"
        let id = String(path.split(separator: "/").last?.dropLast(5) ?? "")
        try Data(Self.badScene(id: id).utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let group = try startGroup(
            settings: ["supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05", "server.lifecycleTimeout=1"],
            apps: 2,
            arguments: ["--scene", path])
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        let victim = other.apps[0]
        var (trapped, flagged, ended, worked) = (0, 0, 0, 0)
        for round in 1...times {
            for y in [50.0, 150.0] {
                try other.awaitReady()
                try other.bringToFront(victim)
                let before = try other.process(of: victim).generation
                let loops = y > 100
                // The tap that ends its app gets no answer.
                let tap = "down f1 (50,\(y)) @0\nup f1 @0.03"
                try other.play(.script(tap), within: loops ? .seconds(1) : .seconds(5))
                if loops {
                    try other.reconnect()
                    if try other.stalls(of: victim) { flagged += 1 }
                    // The app does not handle the order to leave: the watchdog ends it.
                    try other.client.ask(.act(.home))
                }
                let after = try other.awaitReady("started again") { report in
                    (report.process(victim)?.generation ?? 0) > before
                }
                if after.process(victim)?.generation == before + 1 { if loops { ended += 1 } else { trapped += 1 } }
                try other.bringToFront(victim)
                if try other.tap(within: .seconds(5)) != nil { worked += 1 }
            }
            progress(round)
        }
        verdict.demand("action that traps: its app is restarted once", trapped, is: times...times)
        verdict.demand("action that loops: its app is reported unresponsive", flagged, is: times...times)
        verdict.demand("action that loops: its app is ended when it leaves the screen", ended, is: times...times)
        verdict.demand("a tap works after each", worked, is: (2 * times)...(2 * times))
        var run = sibling(on: other)
        let evidence = try run.evidence()
        run.judge(evidence)
        addFindings(of: run, "bad handlers")
        verdict.demands.append(.nothingHeld(try other.group()))
        verdict.times = 2 * times
        group.stop()
    }

    private static func badScene(id: String) -> String {
        """
        id: \(id)
        title: buttons that do what they should not
        windows:
          - name: window
            view:
              name: root
              frame: [0, 0, 375, 667]
              subviews:
                - { name: trap, class: UIButton, frame: [0, 0, 375, 100], on: { touchUpInside: { action: click, fails: trap } } }
                - { name: loop, class: UIButton, frame: [0, 100, 375, 100], on: { touchUpInside: { action: click, fails: loop } } }
                - { name: good, class: UIButton, frame: [0, 200, 375, 400], on: { touchUpInside: click } }

        """
    }
}

extension ChaosTarget {
    /// Whether the server reports within five seconds that an app does not answer.
    fileprivate func stalls(of app: Peer) throws -> Bool {
        let deadline = monotonicNow().advanced(by: .seconds(5))
        while monotonicNow() < deadline {
            let server = try group().process(.systemServer)
            if server?.rows.first(where: { $0.key == "\(app).responding" })?.value == .flag(false) { return true }
            usleep(10_000)
        }
        return false
    }
}

/// A scene of three windows with a program that hides, moves and removes its contents at random.
private struct ChangingScene {
    private var lines: [String] = []
    private static let views = ["A", "B", "C", "D", "E", "F"]
    private static let windows = ["W2", "W3"]
    /// Each of these views is removed once.
    private static let spare = 24

    init(edits: Int, every step: Double, from chance: inout SeededGenerator) {
        func yes() -> String { Bool.random(using: &chance) ? "true" : "false" }
        func frame(_ limit: Double) -> String {
            let (x, y) = (Double.random(in: 0...limit, using: &chance), Double.random(in: 0...limit, using: &chance))
            let side = Double.random(in: 40...250, using: &chance)
            return "[\(x.rounded()),\(y.rounded()),\(side.rounded()),\((side * 1.5).rounded())]"
        }
        var remaining = Array(0..<Self.spare)
        for edit in 0..<edits {
            let view = Self.views[Int.random(in: 0..<Self.views.count, using: &chance)]
            let window = Self.windows[Int.random(in: 0..<Self.windows.count, using: &chance)]
            let what: String
            switch Int.random(in: 0..<100, using: &chance) {
            case 0..<25: what = "set \(view).hidden \(yes())"
            case 25..<40: what = "set \(view).userInteractionEnabled \(yes())"
            case 40..<60: what = "set \(view).frame \(frame(250))"
            case 60..<65: what = "set \(view).exclusiveTouch \(yes())"
            case 65..<80: what = "set \(window).hidden \(yes())"
            case 80..<88: what = "set \(window).frame \(frame(150))"
            case 88..<94: what = "set \(window).level \(Int.random(in: 0...3, using: &chance))"
            default:
                if remaining.isEmpty || edit * Self.spare / max(1, edits) < Self.spare - remaining.count {
                    what = "set R.tap.enabled \(yes())"
                } else {
                    what = "remove S\(remaining.remove(at: Int.random(in: 0..<remaining.count, using: &chance)))"
                }
            }
            lines.append("  \(what) @\(fixedText(Double(edit) * step, digits: 3))")
        }
    }

    func text(id: String) -> String {
        let spare = (0..<Self.spare).map { index in
            "        - { name: S\(index), frame: [\(index % 6 * 60), \(300 + index / 6 * 80), 55, 75] }"
        }
        return """
            id: \(id)
            title: a tree that does not stay as it is
            source: [R]
            kind: derived
            windows:
              - name: W1
                view:
                  name: R
                  frame: [0, 0, 375, 667]
                  gestures:
                    - { name: tap, class: UITapGestureRecognizer }
                    - { name: pan, class: UIPanGestureRecognizer }
                  subviews:
                    - { name: A, class: UIButton, frame: [10, 10, 150, 150], on: { touchUpInside: click } }
                    - { name: B, frame: [170, 10, 150, 150], multipleTouchEnabled: yes, gestures: [{ name: pinch, class: UIPinchGestureRecognizer }] }
                    - { name: C, class: UIScrollView, frame: [10, 170, 150, 120], contentSize: [150, 900] }
            \(spare.joined(separator: "\n"))
              - name: W2
                level: 1
                frame: [100, 100, 150, 200]
                view: { name: D, frame: [0, 0, 150, 200], subviews: [{ name: E, frame: [20, 20, 100, 100] }] }
              - name: W3
                level: 2
                frame: [200, 300, 150, 150]
                view: { name: F, frame: [0, 0, 150, 150], gestures: [{ name: lp, class: UILongPressGestureRecognizer }] }
            script: |
            \(lines.joined(separator: "\n"))
            expect: |
              NOT{ no such line }

            """
    }
}
