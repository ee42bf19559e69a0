// Property.swift: a property of UIKit's views or recognizers that scene files and `set` lines set.
//
// Input     the value of a key (PropertyValue in its form), the text of a `set` line
// Output    the property of the object
// Knows     the conversion of a value to UIKit's type. ViewProperties and GestureProperties are the tables.

import Basics
import UIKit

/// The value of a property as a file contains it.
enum PropertyValue: Hashable, Sendable {
    case flag(Bool)
    case numbers([Double])
    case words([String])
}

/// The written form of a property's value.
enum PropertyKind: Sendable {
    case flag
    /// A number in a range; the range does not apply to `set` lines.
    case number(ClosedRange<Double>)
    case count(ClosedRange<Int>)
    /// Exactly one number for each name.
    case numbers([String])
    /// A form that `set` lines do not have.
    case words(Form<[String]>)

    var form: Form<PropertyValue> {
        switch self {
        case .flag: Form<Bool>.flag.map { .flag($0) }
        case .number(let range): Form<Double>.number(in: range).map { .numbers([$0]) }
        case .count(let range): Form<Int>.count(in: range).map { .numbers([Double($0)]) }
        case .numbers(let names): Form<[Double]>.numbers(names).map { .numbers($0) }
        case .words(let form): form.map { .words($0) }
        }
    }

    /// The description of the value that a `set` line must contain.
    var expected: String {
        switch self {
        case .flag: "yes or no"
        case .number, .count: "a number"
        case .numbers(let names): "\(names.count) numbers"
        case .words: "nothing"
        }
    }

    /// Parses the value of a `set` line: `yes`, `0.5`, `(10,20)`, `[0, 0, 10, 10]`; nil for a value of another kind.
    func value(of text: String) -> PropertyValue? {
        let numbers = text.split(whereSeparator: { "()[], ".contains($0) }).compactMap { Double($0) }
            .filter { $0.magnitude < 1e9 }
        switch self {
        case .flag: return parseFlag(text).map { .flag($0) }
        case .number, .count: return numbers.count == 1 ? .numbers(numbers) : nil
        case .numbers(let names): return numbers.count == names.count ? .numbers(numbers) : nil
        case .words: return nil
        }
    }
}

/// A property that scene files or `set` lines can set.
struct Property<Object: AnyObject>: Sendable {
    /// The places in which the property may be written.
    enum Use: Sendable { case key, set, keyAndSet }

    let name: String
    let kind: PropertyKind
    /// The classes that have the property, with their subclasses; empty for every class.
    let classes: [String]
    let use: Use
    let meaning: String
    let apply: @Sendable (Object, PropertyValue) -> Void

    /// Makes a property whose value is converted for UIKit by a closure.
    init(
        _ name: String, _ kind: PropertyKind, of classes: [String], for use: Use = .keyAndSet, _ meaning: String,
        apply: @escaping @Sendable (Object, PropertyValue) -> Void
    ) {
        (self.name, self.kind, self.classes, self.use) = (name, kind, classes, use)
        (self.meaning, self.apply) = (meaning, apply)
    }

    /// Makes a property whose value UIKit accepts as the file contains it.
    init<Owner: SendableMetatype, Value: PropertyType>(
        _ name: String, _ path: any ReferenceWritableKeyPath<Owner, Value> & Sendable, as kind: PropertyKind? = nil,
        for use: Use = .keyAndSet, _ meaning: String
    ) {
        let classes = Owner.self == Object.self ? [] : ["\(Owner.self)"]
        self.init(name, kind ?? Value.kind, of: classes, for: use, meaning) { object, value in
            if let owner = object as? Owner, let value = Value(value) { owner[keyPath: path] = value }
        }
    }

    /// Whether a `set` line accepts the property.
    var isSettable: Bool { use != .key }

    func isProperty(of className: String) -> Bool {
        classes.isEmpty || classes.contains { ClassNames.isKind(className, of: $0) }
    }
}

/// A type of UIKit's properties, with its form in a file.
protocol PropertyType: SendableMetatype {
    static var kind: PropertyKind { get }
    /// Nil for a value of another kind.
    init?(_ value: PropertyValue)
}

extension Bool: PropertyType {
    static var kind: PropertyKind { .flag }

    init?(_ value: PropertyValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
}

/// A type of UIKit's properties that is written as numbers.
protocol NumbersType: PropertyType {
    /// - Parameter numbers: The count of numbers is that of `kind`.
    init(numbers: [Double])
}

extension NumbersType {
    init?(_ value: PropertyValue) {
        guard case .numbers(let numbers) = value else { return nil }
        self.init(numbers: numbers)
    }
}

extension Int: NumbersType {
    static var kind: PropertyKind { .count(0...1_000_000) }
    init(numbers: [Double]) { self.init(numbers[0]) }
}

extension Double: NumbersType {
    static var kind: PropertyKind { .number(-1e9...1e9) }
    init(numbers: [Double]) { self = numbers[0] }
}

extension CGFloat: NumbersType {
    static var kind: PropertyKind { .number(-1e9...1e9) }
    init(numbers: [Double]) { self.init(numbers[0]) }
}

extension CGPoint: NumbersType {
    static var kind: PropertyKind { .numbers(["x", "y"]) }
    init(numbers: [Double]) { self.init(x: numbers[0], y: numbers[1]) }
}

extension CGSize: NumbersType {
    static var kind: PropertyKind { .numbers(["width", "height"]) }
    init(numbers: [Double]) { self.init(width: numbers[0], height: numbers[1]) }
}

extension CGRect: NumbersType {
    static var kind: PropertyKind { .numbers(["x", "y", "width", "height"]) }
    init(numbers: [Double]) { self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]) }
}
