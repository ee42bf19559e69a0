// RunRecord+JSON.swift: the values of a page as JSON, which Components/run.js reads.
//
//     moments   nanoseconds since the run's zero
//     facts     columns; times as differences, texts by their number in a list
//     screens   changes: views that are new or differ, by their identities
//
// Input     RunPage; the inspector, which sends windows of a run, changes of screens and facts to an open page
// Output    JSONText
// Knows     the fields that the components read
//
// Sources   invented

package import Basics
package import Explain
package import Runs
package import Trace
import ViewTrees
import Wire

extension RunRecord {
    /// The version of the fields.
    package static let version = 1

    /// The values as one object.
    ///
    /// - Parameter language: Of the explanation. Facts are English.
    package func json(in language: Language) -> JSONText {
        .object([
            ("version", .int(Self.version)),
            ("virtual", .bool(isVirtual)),
            ("hidesPositions", .bool(hidesPositions)),
            ("begin", time(begin)), ("end", time(end)),
            ("screen", .array([.decimal(width), .decimal(height)])),
            ("processes", .strings(processes)),
            ("stations", .strings(Station.allCases.map(\.rawValue))),
            ("facts", .object(Self.columns(of: facts, processes: processes, since: zero))),
            ("fingers", .array(fingers.map(json))),
            ("recognizers", .array(recognizers.filter { !$0.spans.isEmpty }.map(json))),
            ("holds", .array(holds.map(json))),
            ("turns", .array(turns.map(json))),
            ("interactions", .array(interactions.map { json($0, language) })),
            ("ways", .array(ways.map(json))),
            ("screens", .array(screens.map(json))),
            ("gaps", .strings(gaps)),
            (
                "cuts",
                .array(
                    cuts.map {
                        .object([
                            ("part", .string($0.part.rawValue)), ("count", .int($0.count)), ("limit", .int($0.limit)),
                        ])
                    })
            ),
        ])
    }

    private func time(_ moment: Instant) -> JSONText { .number(zero.duration(to: moment).nanoseconds) }
    private func time(_ moment: Instant?) -> JSONText { moment.map(time) ?? .null }
    private func number(of process: String) -> JSONText { .int(processes.firstIndex(of: process) ?? -1) }

    // MARK: Facts

    /// The columns of facts.
    ///
    /// - Parameters:
    ///   - facts: The facts, in order.
    ///   - processes: The names that the column `process` counts.
    ///   - zero: The moment from which times count.
    package static func columns(of facts: [ResolvedFact], processes: [String], since zero: Instant)
        -> [(String, JSONText)]
    {
        var (texts, numbers): ([String], [String: Int64]) = ([], [:])
        var (times, authors, stations, lines): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        let stationNumbers = Dictionary(
            uniqueKeysWithValues: Station.allCases.enumerated().map { ($1, Int64($0)) })
        let processNumbers = Dictionary(uniqueKeysWithValues: processes.enumerated().map { ($1, Int64($0)) })
        var last = zero
        for fact in facts {
            let text = fact.text(since: zero)
            let number = numbers[text] ?? Int64(texts.count)
            if number == Int64(texts.count) {
                numbers[text] = number
                texts.append(text)
            }
            times.append(last.duration(to: fact.at).nanoseconds)
            last = fact.at
            authors.append(processNumbers[fact.process] ?? -1)
            stations.append(stationNumbers[fact.station] ?? 0)
            lines.append(number)
        }
        return [
            ("at", .numbers(times)), ("process", .numbers(authors)), ("station", .numbers(stations)),
            ("text", .numbers(lines)), ("texts", .strings(texts)),
        ]
    }

    // MARK: Lanes

    private func json(_ finger: Finger) -> JSONText {
        var points: [JSONText] = []
        for sample in finger.samples { points += [time(sample.at), .decimal(sample.x), .decimal(sample.y)] }
        return .object([
            ("contact", .number(finger.contact)), ("touch", finger.touch.map { .number($0) } ?? .null),
            ("down", time(finger.down)), ("up", time(finger.up)), ("cancelled", .bool(finger.isCancelled)),
            ("interaction", finger.interaction.map { .int($0) } ?? .null),
            ("space", finger.space.map(number) ?? .int(-1)), ("points", .array(points)),
        ])
    }

    private func json(_ recognizer: Recognizer) -> JSONText {
        let spans = recognizer.spans.map { span in
            JSONText.array([
                .string(span.state.rawValue), time(span.from), time(span.to), .string(span.reason),
                time(span.deadline),
            ])
        }
        return .object([
            ("process", number(of: recognizer.process)), ("identity", .number(recognizer.identity)),
            ("name", .string(recognizer.name)), ("spans", .array(spans)),
        ])
    }

    private func json(_ hold: Hold) -> JSONText {
        .object([
            ("process", number(of: hold.process)), ("touch", hold.touch.map { .number($0) } ?? .null),
            ("holder", .string(hold.holder)), ("from", time(hold.from)), ("to", time(hold.to)),
            ("reason", .string(hold.reason)), ("discarded", .bool(hold.isDiscarded)),
        ])
    }

    private func json(_ turn: Turn) -> JSONText {
        let stations = turn.stations.map { JSONText.int(Station.allCases.firstIndex(of: $0) ?? 0) }
        return .array([
            number(of: turn.process), time(turn.at), time(turn.end), .int(turn.factCount), .array(stations),
        ])
    }

    private func json(_ way: EventWay) -> JSONText {
        let receipt = way.receipt
        return .object([
            ("process", way.app.map { number(of: "app\($0.rawValue)") } ?? .int(-1)),
            ("outcome", .string("\(receipt.outcome)")), ("reason", .string("\(receipt.reason)")),
            (
                "phases",
                .array(
                    [receipt.began, receipt.moved, receipt.stationary, receipt.ended, receipt.cancelled].map {
                        .int($0)
                    })
            ),
            ("stamps", .array(Ledger.Hop.allCases.compactMap { way.ledger[$0] }.map(time))),
        ])
    }

    // MARK: Interactions

    private func json(_ interaction: Interaction, _ language: Language) -> JSONText {
        var (kind, number): (String, JSONText) = ("input", .null)
        var touch = JSONText.null
        switch interaction.subject {
        case .finger(let contact, let owned):
            (kind, number) = ("finger", .number(contact))
            touch = owned.map { .number($0) } ?? .null
        case .input(let word): number = .string(word)
        }
        let steps = interaction.steps.map { step in
            JSONText.array([
                time(step.at), self.number(of: step.process),
                .int(Station.allCases.firstIndex(of: step.station) ?? 0), .string(step.text(in: language, since: zero)),
                .int(step.count), time(step.last),
            ])
        }
        var fields: [(String, JSONText)] = [
            ("kind", .string(kind)), ("name", number), ("touch", touch),
            ("began", time(interaction.began)), ("ended", time(interaction.ended)),
            ("app", (interaction.process ?? interaction.recipient).map { .string($0) } ?? .null),
            ("acts", .bool(interaction.cause.isAction)), ("code", .string(interaction.cause.code)),
            ("cause", .string(interaction.cause.phrase.text(in: language, since: zero))),
            ("steps", .array(steps)),
            ("told", .array(interaction.told.map { .array([.string($0.name), .strings($0.methods)]) })),
            (
                "passedOver",
                .array(interaction.refusals.map { .array([.string($0.name), .string($0.text(in: language))]) })
            ),
            ("chain", .strings(interaction.chain)),
            (
                "recognizers",
                .array(interaction.recognizers.map { .array([.string($0.name), .string($0.sentence)]) })
            ),
        ]
        if let view = interaction.hit.view { fields.append(("hit", .string(view))) }
        if let window = interaction.hit.window { fields.append(("window", .string(window))) }
        if let position = interaction.hit.position {
            fields.append(("position", .array([.decimal(position.x), .decimal(position.y)])))
        }
        return .object(fields)
    }

    // MARK: Screens

    private func json(_ change: ScreenChange) -> JSONText {
        Self.json(change, of: number(of: "app\(change.app.rawValue)"), since: zero)
    }

    /// A change of what one app shows.
    ///
    /// - Parameters:
    ///   - change: What the app shows from a moment on.
    ///   - process: The name of the app, or its number in a record.
    ///   - zero: The moment from which times count.
    package static func json(_ change: ScreenChange, of process: JSONText, since zero: Instant) -> JSONText {
        var fields: [(String, JSONText)] = [
            ("at", .number(zero.duration(to: change.at).nanoseconds)), ("process", process),
        ]
        if let scene = change.scene {
            fields.append(
                (
                    "scene",
                    .object([
                        ("state", .string(scene.state.rawValue)), ("display", .int(scene.display)),
                        ("frame", numbers(scene.sceneFrame)), ("orientation", .string("\(scene.orientation)")),
                    ])
                ))
        } else {
            fields.append(("scene", .null))
        }
        if let order = change.order { fields.append(("order", .array(order.map { .int($0) }))) }
        fields.append(("views", .array(change.views.map(json))))
        return .object(fields)
    }

    private static func numbers(_ frame: ViewTree.Frame) -> JSONText {
        .array([frame.x, frame.y, frame.width, frame.height].map { .decimal($0) })
    }

    private static func json(_ view: ViewTree.View) -> JSONText {
        var fields: [(String, JSONText)] = [
            ("i", .int(view.identity)), ("d", .int(view.depth)), ("c", .string(view.className)),
            ("f", numbers(view.frame)),
        ]
        func add(_ name: String, _ value: JSONText?) { if let value { fields.append((name, value)) } }
        func flag(_ name: String, _ value: Bool) { if value { fields.append((name, .bool(true))) } }
        if view.kind != view.className { add("k", .string(view.kind)) }
        add("id", view.identifier.map { .string($0) })
        add("t", view.text.map { .string($0) })
        add("q", view.corners.map { .array($0.flatMap { [.decimal($0.x), .decimal($0.y)] }) })
        if view.alpha != 1 { add("a", .decimal(view.alpha)) }
        flag("h", view.isHidden)
        flag("u", !view.isUserInteractionEnabled)
        flag("cl", view.clipsToBounds)
        flag("s", view.isSecure)
        flag("m", view.isTextCentered)
        add("bg", view.backgroundColor.map { .string($0.text) })
        add("tc", view.textColor.map { .string($0.text) })
        add("ti", view.tintColor.map { .string($0.text) })
        add("fs", view.fontSize.map { .decimal($0) })
        if view.cornerRadius != 0 { add("cr", .decimal(view.cornerRadius)) }
        if view.borderWidth != 0 { add("bw", .decimal(view.borderWidth)) }
        add("bc", view.borderColor.map { .string($0.text) })
        add(
            "sc",
            view.scroll.map {
                .array(
                    [$0.contentOffset.x, $0.contentOffset.y, $0.contentWidth, $0.contentHeight].map { .decimal($0) })
            })
        if let control = view.control {
            var state: [(String, JSONText)] = [
                ("e", .bool(control.isEnabled)), ("h", .bool(control.isHighlighted)), ("s", .bool(control.isSelected)),
            ]
            if let value = control.value { state.append(("v", .decimal(value))) }
            if let minimum = control.minimum { state.append(("lo", .decimal(minimum))) }
            if let maximum = control.maximum { state.append(("hi", .decimal(maximum))) }
            if let parts = control.parts { state.append(("n", .int(parts))) }
            add("ct", .object(state))
        }
        if !view.recognizers.isEmpty { add("g", .strings(view.recognizers.map(\.label))) }
        return .object(fields)
    }
}
