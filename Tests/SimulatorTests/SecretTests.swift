import Basics
import Foundation
import HID
import Hosting
import Settings
import Simulator
import Testing
import Trace
import UIKit
import Wire

/// T5 over whole groups: touches all over secure windows, with faults. The tests search every line that a process notes
/// for every position that a process received.
@Suite("Secrets of a secure window") struct SecretTests {
    /// The number of core steps; `TOUCHLINE_SECRET_STEPS=1000000` is the criterion's.
    private static let enough =
        ProcessInfo.processInfo.environment["TOUCHLINE_SECRET_STEPS"].flatMap(UInt64.init) ?? 30_000

    private func options(secure: Bool) -> SimulationOptions {
        var options = SimulationOptions()
        (options.length, options.drawsSettings, options.isTraced, options.keepsJournals) = (
            .seconds(5), true, true, true
        )
        try! options.settings.set("probes", to: "input,server,loop,app")
        if !secure { try! options.settings.set("trace.positions", to: "true") }
        options.content = { _ in
            { application in
                SimulatedContent.show(in: application)
                for window in application.windows { window.isSecure = secure }
            }
        }
        return options
    }

    /// Every form in which a line could give a position.
    private func places(in journals: [SimulatedJournal]) -> Set<String> {
        var places: Set<String> = []
        func add<In: Space>(_ position: Point<In>) where In.Coordinate == Fixed {
            let (x, y) = (position.x.double, position.y.double)
            places.insert("(\(fixedText(x, digits: 1)), \(fixedText(y, digits: 1)))")
            places.insert("(\(fixedText(x, digits: 2)),\(fixedText(y, digits: 2)))")
            places.insert("(\(fixedText(x, digits: 3)), \(fixedText(y, digits: 3)))")
        }
        for journal in journals {
            for (_, input) in journal.inputs {
                guard case .frame(let frame, _) = input else { continue }
                switch frame.message {
                case .touches(let touches):
                    for told in touches.history + [touches] {
                        for contact in told.contacts { add(contact.position) }
                    }
                case .severalTouches(let several):
                    for contact in several.flatMap(\.contacts) { add(contact.position) }
                case .scans(let events): for finger in events.flatMap(\.fingers) { add(finger.position) }
                case .digitizer(let event): for finger in event.value.fingers { add(finger.position) }
                default: continue
                }
            }
        }
        return places
    }

    /// The texts in parentheses of a line that contain a comma.
    private func pairs(_ text: String) -> [String] {
        var found: [String] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            let pair = rest[open...close]
            if pair.contains(",") { found.append(String(pair)) }
            rest = rest[rest.index(after: open)...]
        }
        return found
    }

    @Test("T5: no trace line gives a position on a secure window")
    func nothingSaid() {
        var (steps, seed, touches) = (UInt64(0), UInt64(0), 0)
        while steps < Self.enough {
            seed += 1
            var run = SimulatedRun(seed: seed, options: options(secure: true))
            let result = run.run()
            steps += result.coreEvents
            let places = places(in: result.journals)
            touches += places.count
            for line in result.trace {
                for pair in pairs(line.text) where places.contains(pair) {
                    Issue.record("seed \(seed), \(line.process): \(line.text)")
                }
                // Lines of apps and of the panel must contain nothing that looks like a position.
                guard line.process != "system-server", line.process != "supervisor" else { continue }
                for pair in pairs(line.text) where pair.contains(where: \.isNumber) {
                    Issue.record("seed \(seed), \(line.process): \(line.text)")
                }
            }
        }
        #expect(touches > 100)
        var run = SimulatedRun(seed: 1, options: options(secure: false))
        let open = run.run()
        let said = open.trace.flatMap { pairs($0.text) }.filter(places(in: open.journals).contains)
        #expect(said.count > 10)
    }

    /// Every form in which a line could give a key of the keyboard, for the keys that were pressed.
    private func keys(in journals: [SimulatedJournal]) -> Set<String> {
        var keys: Set<String> = []
        for journal in journals {
            for (_, input) in journal.inputs {
                guard case .frame(let frame, _) = input, case .input(let event) = frame.message,
                    case .key(let usage) = event.input.content, usage.isTyped
                else { continue }
                keys.formUnion(["7:\(usage.usage)", "\(2000 + Int(usage.usage))"])
            }
        }
        return keys
    }

    @Test("T5: no trace line gives a key unless trace.keys allows it")
    func keysHidden() {
        for (secure, asked) in [(true, false), (false, false), (false, true), (true, true)] {
            var (pressed, said) = (Set<String>(), 0)
            for seed in UInt64(1)...12 {
                var options = options(secure: secure)
                try! options.settings.set("trace.keys", to: "\(asked)")
                var run = SimulatedRun(seed: seed, options: options)
                let result = run.run()
                let keys = keys(in: result.journals)
                pressed.formUnion(keys)
                for line in result.trace where line.text.contains("key ") || line.text.contains("press ") {
                    guard
                        line.text.split(whereSeparator: { $0 == " " || $0 == "," }).contains(where: {
                            keys.contains("\($0)")
                        })
                    else { continue }
                    said += 1
                    let mayBeSaid = asked && (!secure || line.process == "input-kit" || line.process == "system-server")
                    #expect(mayBeSaid, "seed \(seed), \(line.process): \(line.text)")
                    // The server hides keys for an app that has declared a secure window.
                    if secure, line.process == "system-server" {
                        #expect(
                            !line.text.contains("→ app") || !options.settings[.appDeclaresWindows],
                            "\(line.text)")
                    }
                }
            }
            #expect(pressed.count > 5)
            #expect((said > 5) == asked)
        }
    }

    @Test("T5: each app receives its own touches only")
    func onlyItsOwner() {
        for seed in UInt64(1)...12 {
            var run = SimulatedRun(seed: seed, options: options(secure: true))
            let result = run.run()
            // The app that received each touch. A restarted server numbers touches from the beginning, so the key
            // includes the generation.
            var owners: [String: String] = [:]
            for journal in result.journals where journal.process.peer.role == .app {
                for (_, input) in journal.inputs {
                    guard case .frame(let frame, .systemServer) = input, case .touches(let touches) = frame.message
                    else {
                        continue
                    }
                    for contact in touches.contacts {
                        let touch = "\(frame.epoch).\(frame.generation).\(contact.touch.rawValue)"
                        let owner = owners[touch, default: "\(journal.process.peer)"]
                        owners[touch] = owner
                        #expect(owner == "\(journal.process.peer)", "seed \(seed), touch \(touch)")
                    }
                }
            }
            #expect(owners.count > 0)
        }
    }
}
