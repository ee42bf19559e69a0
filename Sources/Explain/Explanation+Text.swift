// Explanation+Text.swift: an interaction as text for a person.
//
//    finger 1 at 10.0,20.0, down for 80.000 ms: app1, UIButton "plus" in UIWindow "window"
//      held for the display frame 4 times, at most 14.200 ms
//      tap on UIView "panel"  failed: excluded by pan on UIView "root"
//      touchUpInside of UIButton "plus" → Counter.add
//      so: touchUpInside of UIButton "plus" called Counter.add
//
// Sources   invented

public import Basics
import Trace

extension Interaction {
    /// The whole way of the interaction: a line with what it is, one for each step with its time, process and station,
    /// and last the cause.
    ///
    /// - Parameters:
    ///   - language: The language of the lines.
    ///   - zero: The moment from which times count.
    public func story(in language: Language, since zero: Instant) -> [String] {
        var lines = [head(in: language)]
        let processWidth = steps.map(\.process.count).max() ?? 0
        for step in steps {
            let time = zero.duration(to: step.at).milliseconds
            let left = String(repeating: " ", count: max(0, 14 - time.count)) + time + "  "
            let process = step.process + String(repeating: " ", count: processWidth - step.process.count) + "  "
            let station = step.station.rawValue
            let space = String(repeating: " ", count: max(1, 11 - station.count))
            lines.append(left + process + station + space + step.text(in: language, since: zero))
        }
        lines.append(conclusion(in: language, since: zero))
        return lines
    }

    /// The cause, with a word before it that says whether anything acted.
    public func conclusion(in language: Language, since zero: Instant) -> String {
        let words =
            if case .elsewhere = cause { Sentence.unknown.words } else {
                cause.isAction ? Sentence.so.words : Sentence.nothing.words
            }
        return "  \(words[language]): \(cause.phrase.text(in: language, since: zero))"
    }

    /// A line for the interaction, one for each recognizer and each action, and last the cause.
    public var lines: [String] {
        var lines = [head]
        if let held {
            lines.append("  held for the display frame \(held.frames) times, at most \(held.longest.milliseconds)")
        }
        let width = recognizers.map(\.name.count).max() ?? 0
        for recognizer in recognizers {
            let space = String(repeating: " ", count: width - recognizer.name.count)
            lines.append("  \(recognizer.name)\(space)  \(recognizer.sentence)")
        }
        for (name, methods) in told { lines.append("  told: \(name)  \(methods.joined(separator: ", "))") }
        var shown: [Action] = []
        for action in actions where !shown.contains(action) {
            shown.append(action)
            let count = actions.count { $0 == action }
            lines.append("  \(action.trigger) → \(action.target)" + (count > 1 ? ", \(count) times" : ""))
        }
        if let cancelledBy, cause != .cancelled(by: cancelledBy) { lines.append("  cancelled: \(cancelledBy)") }
        lines.append("  \(cause.isAction ? "so" : "nothing"): \(cause)")
        return lines
    }

    /// What each object was told, in order: its name and the methods, each once.
    public var told: [(name: String, methods: [String])] {
        var told: [(name: String, methods: [String])] = []
        for receiver in receivers {
            guard let space = receiver.lastIndex(of: " ") else { continue }
            let (name, method) = (String(receiver[..<space]), String(receiver[receiver.index(after: space)...]))
            if let index = told.firstIndex(where: { $0.name == name }) {
                told[index].methods.append(method)
            } else {
                told.append((name, [method]))
            }
        }
        return told
    }

    private var head: String { head(in: .english) }

    /// What the interaction was and where it went, in one line.
    func head(in language: Language) -> String {
        let name =
            switch subject {
            case .finger(let contact, _): Sentence.finger.words.filled(["\(contact)"], language)
            case .input(let word): word
            }
        let spot = hit.position.map { " at \(fixedText($0.x, digits: 1)),\(fixedText($0.y, digits: 1))" } ?? ""
        let time =
            if let ended {
                Sentence.downFor.words.filled([began.duration(to: ended).milliseconds], language)
            } else { Sentence.stillDown.words[language] }
        let owner = process ?? recipient ?? Sentence.noRecipient.words[language]
        let target = hit.view.map { view in
            guard let window = hit.window else { return ", \(view)" }
            return Sentence.inWindow.words.filled([view, window], language)
        }
        let place =
            language == .english ? spot : spot.isEmpty ? "" : " (\(spot.dropFirst(" at ".count)))"
        return name + place + time + ": " + owner + (target ?? "")
    }
}

extension Interaction.Recognizer {
    /// `acted: began, changed, ended` · `failed: moved 50.0 pt, limit 10.0 pt`
    public var sentence: String {
        acted.isEmpty ? "\(verdict)" : "acted: \(acted.joined(separator: ", "))"
    }
}
