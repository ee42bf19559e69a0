// ChangeField.swift: everything about one interaction that a what-if changes: the finger, the views it met, their
// recognizers, the settings of those.
//
// Only views and recognizers that the interaction's facts name are changed: the hit view, those around it, and those that
// were passed over or did not receive the touch.
//
// Input     WhatIf
// Output    switches: changes of one kind each; dials: numbers
//
// Sources   invented

import Basics
import Explain
import Recordings
import Settings
import Wire

/// The changes of one interaction.
struct ChangeField {
    private(set) var switches: [Change] = []
    private(set) var dials: [Dial] = []
    private let scenario: Scenario
    private let interaction: Interaction

    init(_ scenario: Scenario, _ interaction: Interaction) {
        (self.scenario, self.interaction) = (scenario, interaction)
        if let finger = FingerWay(scenario.script.lines, interaction) {
            addDials(of: finger)
            // Positions of touches on secret content are secret, and so is what lies near them.
            if interaction.hit.position != nil { addLandings(of: finger) }
        }
        for path in ViewPath.all(in: scenario.scene) {
            let spec = path.spec(in: scenario.scene)
            guard isMet(spec) else { continue }
            addViewChanges(spec, at: path)
            for place in spec.gestures.indices { addGestureChanges(spec.gestures[place], of: spec, at: path, place) }
        }
        addRequirements()
        addSettings()
    }

    /// Whether the interaction's facts name the view.
    private func isMet(_ spec: ViewSpec) -> Bool {
        let part = AskedPart(spec.name)
        return interaction.hit.view.map(part.isView) == true || interaction.chain.contains(where: part.isView)
            || interaction.refusals.contains { part.isView($0.name) || $0.name.hasSuffix(" \"\(spec.name)\"") }
            || interaction.recognizers.contains { $0.name.contains("\"\(spec.name)\"") }
    }

    // MARK: Landings

    /// The nearest point of each view with an action or a recognizer, in the places that the scene gives them: transforms,
    /// scrolling and later changes are not considered, and the play decides.
    private mutating func addLandings(of finger: FingerWay) {
        var count = 0
        for path in ViewPath.all(in: scenario.scene) {
            let spec = path.spec(in: scenario.scene)
            guard !spec.on.isEmpty || !spec.gestures.isEmpty, count < Self.landingLimit,
                let frame = path.frame(in: scenario.scene)
            else { continue }
            count += 1
            let (x, y) = (nearest(finger.start.x, frame.x, frame.width), nearest(finger.start.y, frame.y, frame.height))
            let (dx, dy) = (x - finger.start.x, y - finger.start.y)
            let distance = (dx * dx + dy * dy).squareRoot()
            guard distance > 0 else { continue }
            addSwitch(Phrase(.landsOn, .length(distance), .name(spec.name)), cost: distance / 20) {
                finger.move(by: (dx, dy), in: &$0)
            }
        }
    }

    private static let landingLimit = 16

    private func nearest(_ value: Double, _ start: Double, _ length: Double) -> Double {
        // Devices round positions, and the far edge is outside.
        let inset = min(0.5, length / 2)
        return min(max(value, start + inset), start + length - inset)
    }

    // MARK: Views

    private mutating func addViewChanges(_ spec: ViewSpec, at path: ViewPath) {
        let flags = [
            "hidden", "userInteractionEnabled", "multipleTouchEnabled", "exclusiveTouch", "enabled",
            "delaysContentTouches", "canCancelContentTouches", "scrollEnabled",
        ]
        for name in flags {
            guard ViewProperties.all.first(where: { $0.name == name })?.isProperty(of: spec.className) == true else {
                continue
            }
            addFlag(name, spec.properties[name], subject: spec.name) { scene, value in
                path.change(&scene) { $0.properties[name] = value }
            }
        }
        if case .numbers(let numbers)? = spec.properties["alpha"], numbers[0] < 0.01 {
            addSwitch(Phrase(.propertyIs, .name(spec.name), .name("alpha"), .name("0.01"), .name("\(numbers[0])"))) {
                path.change(&$0.scene) { $0.properties["alpha"] = .numbers([0.01]) }
            }
        }
        let answers: [(String, any WritableKeyPath<ViewAnswers, Bool?> & Sendable)] = [
            ("gestureRecognizerShouldBegin", \.shouldBegin), ("beginTracking", \.beginTracking),
            ("continueTracking", \.continueTracking),
        ]
        for (name, key) in answers where spec.answers[keyPath: key] == false {
            addSwitch(Phrase(.answers, .name(name), .name(spec.name), .name("true"))) {
                path.change(&$0.scene) { $0.answers[keyPath: key] = true }
            }
        }
        if spec.answers.passThrough {
            addSwitch(Phrase(.answers, .name("hitTest"), .name(spec.name), .name("super"))) {
                path.change(&$0.scene) { $0.answers.passThrough = false }
            }
        }
    }

    private mutating func addFlag(
        _ name: String, _ written: PropertyValue?, subject: String,
        set: @escaping @Sendable (inout Scene, PropertyValue) -> Void
    ) {
        for value in [true, false] where written != .flag(value) {
            // Whatever is hidden or off does nothing: true, and of no use to a person.
            let isBlunt = name == "hidden" ? value : ["enabled", "userInteractionEnabled"].contains(name) && !value
            let phrase = Phrase(.propertyBecomes, .name(subject), .name(name), .name(value ? "yes" : "no"))
            addSwitch(phrase, isBlunt: isBlunt) {
                set(&$0.scene, .flag(value))
            }
        }
    }

    private mutating func addSwitch(
        _ phrase: Phrase, cost: Double = 1, isBlunt: Bool = false, apply: @escaping @Sendable (inout Scenario) -> Void
    ) { switches.append(Change(phrase: phrase, cost: cost, isBlunt: isBlunt, apply: apply)) }

    // MARK: Recognizers

    private mutating func addGestureChanges(_ gesture: GestureSpec, of view: ViewSpec, at path: ViewPath, _ place: Int)
    {
        let subject = "\(view.name).\(gesture.name)"
        for name in ["enabled", "cancelsTouchesInView", "delaysTouchesBegan", "delaysTouchesEnded"] {
            addFlag(name, gesture.properties[name], subject: subject) { scene, value in
                path.change(&scene) { $0.gestures[place].properties[name] = value }
            }
        }
        for number in SceneNumber.numbers(of: gesture, of: view, at: path, place, in: scenario) { addDial(of: number) }
        for (index, other) in gesture.requireToFail.enumerated() {
            addSwitch(Phrase(.requiresNot, .name(subject), .name(other.value)), cost: 1.1) {
                path.change(&$0.scene) { $0.gestures[place].requireToFail.remove(at: index) }
            }
        }
        addSwitch(Phrase(.simultaneous, .name(subject)), cost: 1.2) {
            path.change(&$0.scene) { view in
                var delegate = view.gestures[place].delegate ?? GestureDelegateSpec(name: view.name)
                delegate.simultaneous = .always(true)
                view.gestures[place].delegate = delegate
            }
        }
        guard let delegate = gesture.delegate else { return }
        if delegate.shouldReceive == false {
            addSwitch(Phrase(.answers, .name("shouldReceive"), .reason("the delegate of \(subject)"), .name("true"))) {
                path.change(&$0.scene) { $0.gestures[place].delegate?.shouldReceive = true }
            }
        }
        if delegate.shouldBegin == false {
            addSwitch(Phrase(.answers, .name("shouldBegin"), .reason("the delegate of \(subject)"), .name("true"))) {
                path.change(&$0.scene) { $0.gestures[place].delegate?.shouldBegin = true }
            }
        }
    }

    /// A failure requirement between each two recognizers that the touch met.
    private mutating func addRequirements() {
        var met: [(path: ViewPath, place: Int, name: String, required: [String])] = []
        for path in ViewPath.all(in: scenario.scene) {
            let spec = path.spec(in: scenario.scene)
            guard isMet(spec) else { continue }
            for (place, gesture) in spec.gestures.enumerated() {
                met.append((path, place, "\(spec.name).\(gesture.name)", gesture.requireToFail.map(\.value)))
            }
        }
        for one in met.prefix(Self.requirementLimit) {
            for other in met.prefix(Self.requirementLimit)
            where one.name != other.name && !one.required.contains(other.name) && !other.required.contains(one.name) {
                let (path, place, name) = (one.path, one.place, other.name)
                addSwitch(Phrase(.requires, .name(one.name), .name(name)), cost: 1.1) {
                    path.change(&$0.scene) {
                        $0.gestures[place].requireToFail.append(Located(name, .nowhere))
                    }
                }
            }
        }
    }

    private static let requirementLimit = 6

    /// A dial of a recognizer's number.
    private mutating func addDial(of number: SceneNumber) {
        let isSeconds = number.unit == .seconds
        dials.append(
            Dial(
                from: number.value, range: number.range, resolution: number.resolution, isWavy: false,
                unit: isSeconds ? .seconds : number.unit == .points ? .points : .count
            ) { value in
                let texts = [value, number.value].map {
                    isSeconds ? "\(Duration(seconds: $0).milliseconds)" : formatNumber($0)
                }
                let phrase = Phrase(
                    .propertyIs, .name(number.subject), .name(number.name), .name(texts[0]), .name(texts[1]))
                return (phrase, { number.set(value, in: &$0) })
            })
    }

    // MARK: Settings

    /// The thresholds of the recognizers that received the touch, by the kinds of their names.
    private mutating func addSettings() {
        var groups: [String] = []
        for path in ViewPath.all(in: scenario.scene) {
            let spec = path.spec(in: scenario.scene)
            guard isMet(spec) else { continue }
            groups += SceneNumber.thresholdGroups(of: spec)
        }
        if interaction.cancelledBy?.code == "takenBySystem" { groups.append("systemGesture") }
        for number in SceneNumber.thresholds(of: groups, in: scenario) {
            dials.append(
                Dial(
                    from: number.value, range: number.range, resolution: number.resolution, isWavy: false, unit: .factor
                ) { value in
                    let texts = [value, number.value].map { text(of: $0, unit: number.unit) }
                    return (
                        Phrase(.settingIs, .name(number.subject), .name(texts[0]), .name(texts[1])),
                        { number.set(value, in: &$0) }
                    )
                })
        }
    }

    // MARK: The finger

    private mutating func addDials(of finger: FingerWay) {
        let length = finger.lift - finger.landing
        dials.append(
            Dial(
                from: 0, range: -max(0, length - 0.001)...min(10, finger.room), resolution: 0.001, isWavy: true,
                unit: .seconds
            ) {
                value in
                let size = Phrase.Value.duration(Duration(seconds: value.magnitude))
                return (Phrase(value < 0 ? .liftsEarlier : .liftsLater, size), { finger.lift(by: value, in: &$0) })
            })
        if finger.hasEarlier {
            dials.append(
                Dial(from: 0, range: -finger.roomBefore...finger.room, resolution: 0.001, isWavy: true, unit: .seconds)
                {
                    value in
                    let size = Phrase.Value.duration(Duration(seconds: value.magnitude))
                    return (Phrase(value < 0 ? .comesEarlier : .comesLater, size), { finger.shift(by: value, in: &$0) })
                })
        }
        for (x, y, words) in [
            (1.0, 0.0, ("farther right", "farther left")), (0.0, 1.0, ("farther down", "farther up")),
        ] {
            dials.append(
                Dial(from: 0, range: -400...400, resolution: 0.5, isWavy: true, unit: .points) { value in
                    (
                        Phrase(
                            .landsAway, .length(value.magnitude), .reason(value < 0 ? words.1 : words.0)),
                        { finger.move(by: (x * value, y * value), in: &$0) }
                    )
                })
        }
        let farthest = finger.farthest
        if farthest > 0 {
            dials.append(
                Dial(from: farthest, range: 0...max(600, farthest * 2), resolution: 0.5, isWavy: true, unit: .points) {
                    value in
                    (
                        Phrase(.travels, .length(value), .length(farthest)),
                        { finger.stretch(by: value / farthest, in: &$0) }
                    )
                })
        } else {
            let ways: [(Double, Double, (String, String))] = [
                (1, 0, ("to the right", "to the left")), (0, 1, ("down", "up")),
            ]
            for (x, y, words) in ways {
                dials.append(
                    Dial(from: 0, range: -300...300, resolution: 0.5, isWavy: true, unit: .points) { value in
                        (
                            Phrase(.drags, .length(value.magnitude), .reason(value < 0 ? words.1 : words.0)),
                            { finger.drag(by: (x * value, y * value), in: &$0) }
                        )
                    })
            }
        }
    }
}

private func text(of value: Double, unit: SceneNumber.Unit) -> String {
    switch unit {
    case .seconds: Duration(seconds: value).milliseconds
    case .points: "\(fixedText(value, digits: 1)) pt"
    case .count, .number: fixedText(value, digits: 3)
    }
}

extension Scenario {
    /// The names of the views and recognizers of the scene: `card`, `card.tap`. Empty for a sample app.
    package var partNames: [String] {
        ViewPath.all(in: scene).flatMap { path in
            let spec = path.spec(in: scene)
            return [spec.name] + spec.gestures.map { "\(spec.name).\($0.name)" }
        }
    }
}

/// The place of a view in a scene: the window, and the indices of subviews.
struct ViewPath: Sendable {
    private let window: Int
    /// Nil for the window itself.
    private let indices: [Int]?

    static func all(in scene: Scene) -> [ViewPath] {
        var paths: [ViewPath] = []
        func add(_ spec: ViewSpec, _ window: Int, _ indices: [Int]?) {
            paths.append(ViewPath(window: window, indices: indices))
            for (index, child) in spec.subviews.enumerated() {
                // Subviews of a window itself have no root.
                add(child, window, (indices ?? [-1]) + [index])
            }
        }
        for (index, window) in scene.windows.enumerated() {
            add(window.view, index, nil)
            if let root = window.root { add(root, index, []) }
        }
        return paths
    }

    /// The frame on the screen, from the frames of the views around it; nil if one has none.
    func frame(in scene: Scene) -> (x: Double, y: Double, width: Double, height: Double)? {
        let window = scene.windows[window]
        var frames = [window.view.frame ?? [0, 0, scene.screen.width, scene.screen.height]]
        var (view, rest) = (window.view, indices?[...] ?? [])
        if indices != nil {
            if rest.first == -1 {
                rest = rest.dropFirst()
            } else if let root = window.root {
                view = root
                frames.append(root.frame ?? [0, 0, frames[0][2], frames[0][3]])
            }
        }
        for index in rest {
            view = view.subviews[index]
            guard let frame = view.frame else { return nil }
            frames.append(frame)
        }
        let last = frames[frames.count - 1]
        return (frames.reduce(0) { $0 + $1[0] }, frames.reduce(0) { $0 + $1[1] }, last[2], last[3])
    }

    func spec(in scene: Scene) -> ViewSpec {
        var scene = scene
        var found = ViewSpec(className: "UIView", location: .nowhere)
        change(&scene) { found = $0 }
        return found
    }

    func change(_ scene: inout Scene, _ body: (inout ViewSpec) -> Void) {
        guard let indices else { return body(&scene.windows[window].view) }
        if indices.first == -1 {
            Self.change(&scene.windows[window].view, indices.dropFirst(), body)
        } else if scene.windows[window].root != nil {
            Self.change(&scene.windows[window].root!, indices[...], body)
        }
    }

    private static func change(_ spec: inout ViewSpec, _ indices: ArraySlice<Int>, _ body: (inout ViewSpec) -> Void) {
        guard let first = indices.first else { return body(&spec) }
        change(&spec.subviews[first], indices.dropFirst(), body)
    }
}
