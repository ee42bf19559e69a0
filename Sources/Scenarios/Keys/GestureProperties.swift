// GestureProperties.swift: the properties of recognizers that keys of a scene and `set` lines can set.
//
// Input     GestureSpec and Script, for names and forms; SceneBuilder and SceneActs, to set them
// Output    the recognizers of a scene
// Knows     UIKit's name of each property. A new property is one entry here.

import Foundation
import HID
import UIKit

/// The table of recognizers' properties.
enum GestureProperties {
    /// All properties, in the order in which a scene sets them.
    static let all: [Property<UIGestureRecognizer>] = [
        Property(
            "taps", .count(0...100), of: ["UITapGestureRecognizer", "UILongPressGestureRecognizer"], for: .key,
            "the number of taps; for a long press the taps before it"
        ) { recognizer, value in
            guard let count = Int(value) else { return }
            (recognizer as? UITapGestureRecognizer)?.numberOfTapsRequired = count
            (recognizer as? UILongPressGestureRecognizer)?.numberOfTapsRequired = count
        },
        Property(
            "touches", .count(1...100),
            of: ["UITapGestureRecognizer", "UILongPressGestureRecognizer", "UISwipeGestureRecognizer"], for: .key,
            "the number of fingers"
        ) { recognizer, value in
            guard let count = Int(value) else { return }
            (recognizer as? UITapGestureRecognizer)?.numberOfTouchesRequired = count
            (recognizer as? UILongPressGestureRecognizer)?.numberOfTouchesRequired = count
            (recognizer as? UISwipeGestureRecognizer)?.numberOfTouchesRequired = count
        },
        Property(
            "minimumPressDuration", \UILongPressGestureRecognizer.minimumPressDuration, as: .number(0...86_400),
            for: .key,
            "the duration of the press in seconds"),
        Property(
            "allowableMovement", \UILongPressGestureRecognizer.allowableMovement, as: .number(0...1e6), for: .key,
            "the distance that a finger may move, in points"),
        Property(
            "minimumTouches", \UIPanGestureRecognizer.minimumNumberOfTouches, as: .count(1...100), for: .key,
            "the smallest number of fingers"),
        Property(
            "maximumTouches", \UIPanGestureRecognizer.maximumNumberOfTouches, as: .count(1...Int.max), for: .key,
            "the largest number of fingers"),
        Property(
            "edges", .words(Form<[ScreenEdge]>.choices(ScreenEdge.self).map { $0.map(\.rawValue) }),
            of: ["UIScreenEdgePanGestureRecognizer"], for: .key, "edges at which the pan begins"
        ) { recognizer, value in
            (recognizer as? UIScreenEdgePanGestureRecognizer)?.edges = UIRectEdge(value.choices())
        },
        Property(
            "direction", .words(Form<[SwipeDirection]>.choices(SwipeDirection.self).map { $0.map(\.rawValue) }),
            of: ["UISwipeGestureRecognizer"], for: .key, "one direction or several"
        ) { recognizer, value in
            (recognizer as? UISwipeGestureRecognizer)?.direction =
                value.choices().reduce(into: []) { $0.insert(.init($1 as SwipeDirection)) }
        },
        Property("enabled", \UIGestureRecognizer.isEnabled, "whether the recognizer receives touches"),
        Property(
            "cancelsTouchesInView", \UIGestureRecognizer.cancelsTouchesInView,
            "whether the view's touches are cancelled when the recognizer succeeds"),
        Property(
            "delaysTouchesBegan", \UIGestureRecognizer.delaysTouchesBegan,
            "whether `touchesBegan` of the view waits until the recognizer has failed"),
        Property(
            "delaysTouchesEnded", \UIGestureRecognizer.delaysTouchesEnded,
            "whether `touchesEnded` of the view waits until the recognizer has failed"),
        Property("pressTypes", .words(buttons), of: [], for: .key, "`allowedPressTypes`: buttons of a remote") {
            recognizer, value in
            guard case .words(let names) = value else { return }
            recognizer.allowedPressTypes = names.map { NSNumber(value: UIPress.PressType(button: $0).rawValue) }
        },
    ]

    static let settable = all.filter(\.isSettable).map { (name: $0.name, kind: $0.kind) }

    /// The buttons of a remote, under UIPress's names.
    private static let buttons = Form<[String]>(
        text: "list of buttons",
        read: { (node, key) throws(ScenarioError) in
            let words = try node.words(for: key)
            for word in words where HIDUsage.button(named: word.value) == nil {
                let hint = suggestion(for: word.value, among: HIDUsage.buttons.map(\.name))
                throw ScenarioError(word.location, "\(key): unknown button \(word.value)\(hint)")
            }
            return words.map(\.value)
        }, write: { _ in "" })
}

enum SwipeDirection: String, CaseIterable, Sendable { case right, left, up, down }
enum ScreenEdge: String, CaseIterable, Sendable { case top, left, bottom, right, all }

extension PropertyValue {
    fileprivate func choices<T: RawRepresentable>() -> [T] where T.RawValue == String {
        guard case .words(let words) = self else { return [] }
        return words.compactMap(T.init)
    }
}

extension UISwipeGestureRecognizer.Direction {
    fileprivate init(_ word: SwipeDirection) {
        self =
            switch word {
            case .right: .right
            case .left: .left
            case .up: .up
            case .down: .down
            }
    }
}

extension UIRectEdge {
    init(_ words: [ScreenEdge]) {
        self = words.reduce(into: []) { edges, word in
            switch word {
            case .top: edges.insert(.top)
            case .left: edges.insert(.left)
            case .bottom: edges.insert(.bottom)
            case .right: edges.insert(.right)
            case .all: edges.insert(.all)
            }
        }
    }
}

extension UIPress.PressType {
    /// - Parameter button: A name in `HIDUsage.buttons`.
    fileprivate init(button: String) {
        self =
            switch button {
            case "upArrow": .upArrow
            case "downArrow": .downArrow
            case "leftArrow": .leftArrow
            case "rightArrow": .rightArrow
            case "select": .select
            case "menu": .menu
            case "playPause": .playPause
            case "pageUp": .pageUp
            case "pageDown": .pageDown
            default: preconditionFailure("\(button) was accepted as a button")
            }
    }
}
