// ExplainCommand.swift: `touchline explain`: the way of each touch of a run, step by step, and its one cause.

import ArgumentParser
import Basics
import Explain
import Foundation
import Runs
import Scenarios
import Trace

/// The command `touchline explain`.
struct ExplainCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain what became of each touch of a run, step by step, with its one cause.",
        discussion: """
            The run is a scenario (its file or id), a recording or a finger script on a scene, or the run directory of a \
            group. Without an argument it is the group that runs now, as far as its journals are written.

            Each finger or key is one interaction: where it landed, which scenes were passed over and why, which view was \
            hit and which were not, what each recognizer waited for and measured against which limit, which touches were \
            held or cancelled, what each object was told, and the action, or why there was none.

            An app that joined from another machine has its journals there: copy its run directory here and name it with \
            --also. Its times are converted to the group's clock.

            --why-not names a view or a recognizer (`card`, `card.tap`) and adds its answer below the cause. --what-if plays the run \
            again with one change at a time, and prints the smallest changes after which the outcome is another one.

            Exits 0 when every interaction was explained, 1 when the run has none, or none that the options name, 2 when \
            the run cannot be read.

            EXAMPLES
              touchline explain S14a
              touchline explain --last
              touchline explain --why-not card.open --what-if card.yaml
              touchline explain --locale ja S24
            """)

    @Flag(help: "Only the last interaction.")
    var last = false

    @Option(help: ArgumentHelp("Only the interaction of this touch, by its number in the server.", valueName: "number"))
    var touch: Int?

    @Option(help: ArgumentHelp("Only interactions that hit this view, or passed over it.", valueName: "view"))
    var view: String?

    @Option(
        help: ArgumentHelp("Why this view or recognizer (`V` or `V.g`) had no effect.", valueName: "subject"))
    var whyNot: String?

    @Flag(
        help: ArgumentHelp(
            "Play the run again with one change at a time, and print the smallest changes that flip the outcome."))
    var whatIf = false

    @Option(help: ArgumentHelp("The time for --what-if.", valueName: "seconds"))
    var seconds = 2.0

    @Flag(help: "Only the first line and the cause of each interaction.")
    var short = false

    @OptionGroup var locale: LocaleOption

    @OptionGroup var source: RunSource
    @OptionGroup var result: ResultOptions

    func validate() throws { try expect("--seconds", seconds, in: 0.1...3600, unit: "seconds") }

    func run() throws {
        let found = try source.found()
        let observed = try source.observed(found)
        let interactions = Array(observed.explained.interactions)
        for line in observed.gaps + source.absences(in: observed) { printError(line) }
        let chosen = choose(interactions)
        let subject = whyNot.map(AskedPart.init)
        if let subject, case .scenario(let scenario) = found { try check(subject, in: scenario, interactions) }
        let deadline = monotonicNow().advanced(by: Duration(seconds: seconds))
        let changes =
            whatIf ? chosen.map { search(for: $0, among: interactions, found, observed, subject, until: deadline) } : []
        if result.json {
            try printJSON([
                "interactions": chosen.enumerated().map {
                    json($1, subject, changes.isEmpty ? nil : changes[$0], since: observed.zero)
                }, "gaps": observed.gaps,
            ])
        } else {
            for (index, interaction) in chosen.enumerated() {
                for line in lines(interaction, subject, since: observed.zero) { printLine(line) }
                if !changes.isEmpty { for line in changes[index].lines(in: locale.language) { printLine(line) } }
            }
        }
        guard !chosen.isEmpty else {
            throw Failure.negativeResult(
                "\(source.name): \(interactions.isEmpty ? "no finger landed and no key went down" : "no interaction that the options name, of \(interactions.count)")"
            )
        }
    }

    /// Refuses a misspelt name. A run's facts do not name every view, so only a scenario can tell.
    private func check(_ subject: AskedPart, in scenario: Scenario, _ interactions: [Interaction]) throws {
        let isNoted = interactions.contains { $0.names(subject) }
        guard !isNoted, !scenario.partNames.isEmpty, !scenario.partNames.contains("\(subject)") else { return }
        let hint = nearestName(to: "\(subject)", among: scenario.partNames).map { "; did you mean \($0)?" } ?? ""
        throw Failure.badInput("--why-not: no view or recognizer of the scene is called \"\(subject)\"\(hint)")
    }

    /// Searches the changes that flip the outcome of one interaction.
    private func search(
        for interaction: Interaction, among all: [Interaction], _ found: RunSource.Found, _ observed: ObservedRun,
        _ part: AskedPart?, until deadline: Instant
    ) -> FoundChanges {
        guard case .finger = interaction.subject else { return .unavailable("only fingers are changed") }
        let (scenario, interactions, own): (Scenario, [Interaction], Int)
        do { (scenario, interactions, own) = try repeated(found, observed, all, interaction) } catch {
            return .unavailable("\(error)")
        }
        guard interactions.indices.contains(own), interactions[own].cause.code == interaction.cause.code else {
            return .unavailable("the simulator repeats the run with another outcome")
        }
        var search = WhatIf(scenario, interaction: interactions[own], at: own, part: part) { monotonicNow() > deadline }
        let answers = search.answers()
        return .found(
            answers, prevents: search.prevents, plays: search.plays, isComplete: monotonicNow() <= deadline)
    }

    /// Returns the scenario to change, its interactions, and the index of the one among them.
    private func repeated(
        _ found: RunSource.Found, _ observed: ObservedRun, _ all: [Interaction], _ interaction: Interaction
    ) throws -> (scenario: Scenario, interactions: [Interaction], index: Int) {
        let isSame: (Interaction) -> Bool = { $0.began == interaction.began && $0.subject == interaction.subject }
        if case .scenario(let scenario) = found, scenario.recording == nil {
            return (scenario, all, all.firstIndex(where: isSame) ?? 0)
        }
        let scenario =
            if case .scenario(let scenario) = found { try scenario.repeating(observed) } else {
                try Scenario(repeating: observed)
            }
        // Only touches that the app received are repeated.
        let fingers = all.filter { $0.hit.position != nil }
        return (
            scenario, Array(try ObservedRun(of: scenario).explained.interactions),
            fingers.firstIndex(where: isSame) ?? 0
        )
    }

    private func choose(_ interactions: [Interaction]) -> [Interaction] {
        var chosen = interactions
        if let touch {
            chosen = chosen.filter { if case .finger(_, Int64(touch)) = $0.subject { true } else { false } }
        }
        if let view {
            let subject = AskedPart(view)
            chosen = chosen.filter { interaction in
                interaction.hit.view.map(subject.isView) == true
                    || interaction.refusals.contains { subject.isView($0.name) }
            }
        }
        return last ? chosen.suffix(1) : chosen
    }

    private func lines(_ interaction: Interaction, _ subject: AskedPart?, since zero: Instant) -> [String] {
        let story = interaction.story(in: locale.language, since: zero)
        guard let subject else { return short ? [story[0], story[story.count - 1]] : story }
        let answer = interaction.whyNot(subject).text(of: subject, in: locale.language, since: zero)
        return (short ? [story[0]] : story) + ["  \(subject): \(answer)"]
    }

    private func json(
        _ interaction: Interaction, _ subject: AskedPart?, _ changes: FoundChanges?, since zero: Instant
    ) -> [String: Any] {
        var object = interaction.json
        object["because"] = interaction.cause.phrase.text(in: locale.language, since: zero)
        object["steps"] = interaction.steps.map { step in
            [
                "seconds": zero.duration(to: step.at).seconds, "process": step.process,
                "station": step.station.rawValue, "text": step.text(in: locale.language, since: zero),
                "count": step.count,
            ] as [String: Any]
        }
        object["passedOver"] = interaction.refusals.map {
            ["name": $0.name, "reason": $0.reason] as [String: Any]
        }
        object["chain"] = interaction.chain
        if let changes { object["whatIf"] = changes.json(in: locale.language) }
        if let subject {
            object["whyNot"] = [
                "subject": "\(subject)",
                "text": interaction.whyNot(subject).text(of: subject, in: locale.language, since: zero),
            ]
        }
        return object
    }
}
