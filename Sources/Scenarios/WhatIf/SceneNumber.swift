// SceneNumber.swift: the numbers of a scenario that can be changed, with their ranges.
//
// Input     ViewProperties, GestureProperties and Settings, which own names, kinds and units
// Output    ChangeField: dials of a what-if; SceneText: dials of a person
// Knows     which number belongs to which view, recognizer or threshold, and how far it is sensible to change it
//
// Sources   invented

import Basics
import Settings
import Wire

/// One number of a scenario.
struct SceneNumber: Sendable {
    /// Where a scenario has the number.
    enum Place: Sendable {
        /// - index: The number in the list of the property's numbers.
        case view(ViewPath, property: String, index: Int)
        /// - index: The recognizer in the list of the view's recognizers.
        case gesture(ViewPath, index: Int, property: String)
        case setting(String)
    }

    /// The measure of a number.
    enum Unit: String, Sendable { case seconds, points, count, number }

    var place: Place
    /// The view (`card`), the recognizer (`card.tap`) or the setting that has the number.
    var subject: String
    /// The property and the name of the number in its list: `frame width`. Empty for a setting.
    var name: String
    /// The present value: the written one, or the default.
    var value: Double
    var range: ClosedRange<Double>
    /// The step between two values that make a difference.
    var resolution: Double
    var unit: Unit

    /// Writes a value with at most three digits after the point, as a scene contains it.
    static func text(of value: Double) -> String {
        var text = fixedText(value, digits: 3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Sets the number in a scenario.
    func set(_ value: Double, in scenario: inout Scenario) {
        switch place {
        case .view(let path, let property, let index):
            path.change(&scenario.scene) { spec in
                guard case .numbers(var numbers)? = spec.properties[property], numbers.indices.contains(index) else {
                    return
                }
                numbers[index] = value
                spec.properties[property] = .numbers(numbers)
            }
        case .gesture(let path, let index, let property):
            path.change(&scenario.scene) { $0.gestures[index].properties[property] = .numbers([value]) }
        case .setting(let key):
            scenario.config.removeAll { $0.key == key }
            scenario.config.append(Setting(key: key, value: Self.text(of: value)))
        }
    }

    // MARK: Recognizers

    /// The numbers of one recognizer.
    ///
    /// - Parameter index: The recognizer in the list of its view's recognizers.
    static func numbers(
        of gesture: GestureSpec, of view: ViewSpec, at path: ViewPath, _ index: Int, in scenario: Scenario
    ) -> [SceneNumber] {
        [
            "taps", "touches", "minimumTouches", "maximumTouches", "minimumPressDuration", "allowableMovement",
        ].compactMap { number(name: $0, of: gesture, of: view, at: path, index, in: scenario) }
    }

    private static func number(
        name: String, of gesture: GestureSpec, of view: ViewSpec, at path: ViewPath, _ index: Int, in scenario: Scenario
    ) -> SceneNumber? {
        guard let property = GestureProperties.all.first(where: { $0.name == name }),
            property.isProperty(of: gesture.className)
        else { return nil }
        let isPress = name == "minimumPressDuration"
        let isDistance = name == "allowableMovement"
        let standard: Double =
            switch name {
            case "minimumPressDuration": value(of: "longPress.minDuration", in: scenario)
            case "allowableMovement": value(of: "longPress.allowableMovement", in: scenario)
            case "maximumTouches": 100
            default: name == "taps" && gesture.className.contains("Press") ? 0 : 1
            }
        let from: Double
        if case .numbers(let numbers)? = gesture.properties[name] { from = numbers[0] } else { from = standard }
        let lowest: Double =
            isPress || isDistance || (name == "taps" && gesture.className.contains("Press")) ? 0 : 1
        return SceneNumber(
            place: .gesture(path, index: index, property: name), subject: "\(view.name).\(gesture.name)", name: name,
            value: from, range: min(from, lowest)...(isPress ? 60 : isDistance ? 2000 : max(from, standard, 10)),
            resolution: isPress ? 0.001 : isDistance ? 0.5 : 1,
            unit: isPress ? .seconds : isDistance ? .points : .count)
    }

    // MARK: Thresholds

    /// The kinds of thresholds of a recognizer class, by the first words of their names.
    static func thresholdGroups(of className: String) -> [String] {
        switch className {
        case "UITapGestureRecognizer": ["tap"]
        case "UILongPressGestureRecognizer": ["longPress"]
        case "UIPanGestureRecognizer": ["pan"]
        case "UISwipeGestureRecognizer": ["swipe"]
        case "UIPinchGestureRecognizer": ["pinch"]
        case "UIRotationGestureRecognizer": ["rotation"]
        case "UIScreenEdgePanGestureRecognizer": ["edgePan", "pan"]
        case "UIShortTapGestureRecognizer": ["shortDoubleTap", "tap"]
        default: []
        }
    }

    /// The kinds of thresholds of a view and its recognizers.
    static func thresholdGroups(of spec: ViewSpec) -> [String] {
        let isScrolling = ["UIScrollView", "UITableView"].contains { ClassNames.isKind(spec.className, of: $0) }
        return spec.gestures.flatMap { thresholdGroups(of: $0.className) } + (isScrolling ? ["pan", "scroll"] : [])
    }

    /// The kinds of thresholds of all recognizers.
    static let allThresholdGroups =
        ["tap", "longPress", "pan", "swipe", "pinch", "rotation", "edgePan", "scroll"]

    /// The thresholds of these kinds, in the order of the settings.
    static func thresholds(of groups: [String], in scenario: Scenario) -> [SceneNumber] {
        Settings.keys.compactMap { declaration in
            guard let group = declaration.name.split(separator: ".").first.map(String.init), groups.contains(group),
                case .number(let range) = declaration.kind,
                group != "scroll" || declaration.name == "scroll.contentTouchDelay"
            else { return nil }
            let from = value(of: declaration.name, in: scenario)
            let isPoints = declaration.unit == "points"
            let most = min(range.upperBound, max(from * 16, isPoints ? 2000 : 60))
            return SceneNumber(
                place: .setting(declaration.name), subject: declaration.name, name: "", value: from,
                range: range.lowerBound...max(range.lowerBound, most), resolution: isPoints ? 0.5 : 0.001,
                unit: isPoints ? .points : declaration.unit == "seconds" ? .seconds : .number)
        }
    }

    /// The value of a setting in a scenario.
    static func value(of key: String, in scenario: Scenario) -> Double {
        let standard = Settings.keys.first { $0.name == key }?.standard ?? "0"
        return Double(scenario.config.last { $0.key == key }?.value ?? standard) ?? 0
    }

    // MARK: Views

    /// The numbers that a view's keys have. A number that is not written is not among them.
    static func numbers(of view: ViewSpec, at path: ViewPath, in scene: Scene) -> [SceneNumber] {
        let className = SceneClasses.base(of: view.className)
        return ViewProperties.all.flatMap { property -> [SceneNumber] in
            guard property.use != .set, property.isProperty(of: className),
                case .numbers(let numbers)? = view.properties[property.name]
            else { return [] }
            let names: [String]
            let allowed: ClosedRange<Double>
            var isWhole = false
            switch property.kind {
            case .number(let range): (names, allowed) = ([""], range)
            case .count(let range):
                (names, allowed, isWhole) = ([""], Double(range.lowerBound)...Double(range.upperBound), true)
            case .numbers(let list): (names, allowed) = (list, -1e9...1e9)
            case .flag, .words: return []
            }
            guard names.count == numbers.count else { return [] }
            return numbers.indices.map { index in
                number(
                    property.name, names[index], numbers[index], allowed, isWhole: isWhole, screen: scene.screen,
                    subject: view.name, place: .view(path, property: property.name, index: index))
            }
        }
    }

    private static func number(
        _ property: String, _ part: String, _ value: Double, _ allowed: ClosedRange<Double>, isWhole: Bool,
        screen: (width: Double, height: Double), subject: String, place: Place
    ) -> SceneNumber {
        // A person moves a view across the screen, or makes it as large as two screens.
        let length = ["y", "height"].contains(part) ? screen.height : screen.width
        var range = allowed
        var (unit, resolution) = (Unit.number, isWhole ? 1 : 0.01)
        switch part {
        case "x", "y": (range, unit, resolution) = (-length...(length * 2), .points, 0.5)
        case "width", "height": (range, unit, resolution) = (0...(length * 2), .points, 0.5)
        default:
            // An unlimited number is changed by at most three times its size.
            let reach = max(100, value.magnitude * 3)
            range = max(allowed.lowerBound, value - reach)...min(allowed.upperBound, value + reach)
            if isWhole { unit = .count }
        }
        range = min(range.lowerBound, value)...max(range.upperBound, value)
        return SceneNumber(
            place: place, subject: subject, name: part.isEmpty ? property : "\(property) \(part)", value: value,
            range: range, resolution: resolution, unit: unit)
    }
}
