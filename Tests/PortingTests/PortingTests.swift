import Porting
import Testing

/// The text of a file after the rewriter, without the two lines that come before the source's first.
private func ported(_ source: String, beside others: [String] = []) -> String {
    let files = ([source] + others).enumerated().map { PortedFile(path: "File\($0).swift", bytes: Array($1.utf8)) }
    let text = String(decoding: Rewriter(files).rewritten()[0].bytes, as: UTF8.self)
    if text.hasPrefix("#sourceLocation(file: \"File0.swift\", line: 2)") { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n")
}

@Suite("rewriting sources for Linux")
struct PortingTests {
    @Test("a comment in the first line makes room for the file's name")
    func beginning() {
        #expect(
            ported("// A card.\n\nimport Foundation\nlet a = 1\n") == """
                #sourceLocation(file: "File0.swift", line: 2)

                import UIKit; import Foundation
                let a = 1

                """)
        #expect(ported("// A card.\n#if os(iOS)\n#endif") == "// A card.\n#if os(Linux)\n#endif")
    }

    @Test("attributes of Objective-C are removed from declarations")
    func attributes() {
        let source = """
            @objcMembers @IBDesignable final class Card: UIView {
                @IBOutlet private weak var label: UILabel!
                @IBInspectable public dynamic var radius: CGFloat = 4
                @objc(goTo:) func go(to place: Int) {}
                @IBAction func tapped(_ sender: Any) {}
                @discardableResult @nonobjc func keep() -> Bool { true }
            }
            """
        #expect(
            ported(source) == """
                  final class Card: UIView, @unchecked Sendable {
                     private weak var label: UILabel!
                     public  var radius: CGFloat = 4
                     func go(to place: Int) {}
                     func tapped(_ sender: Any) {}
                    @discardableResult  func keep() -> Bool { true }
                }
                """)
    }

    @Test("a protocol for Objective-C has only classes")
    func protocols() {
        #expect(ported("@objc protocol A { }") == " protocol A: AnyObject { }")
        #expect(ported("@objc protocol A: NSObjectProtocol { }") == " protocol A: NSObjectProtocol, AnyObject { }")
        #expect(ported("@objc protocol A: class { }") == " protocol A: class { }")
        #expect(ported("protocol A { }") == "protocol A { }")
    }

    @Test(
        "a selector carries its method",
        arguments: [
            ("#selector(tapped)", "Selector(\"tapped:\", Card.tapped)"),
            ("#selector(self.move(_:by:))", "Selector(\"move:by:\", Card.move(_:by:))"),
            ("#selector(Card.reset)", "Selector(\"reset\", Card.reset)"),
            (
                "#selector(UIResponder.becomeFirstResponder)",
                "Selector(\"becomeFirstResponder\", UIResponder.becomeFirstResponder)"
            ),
            ("#selector(model.reset)", "Selector(\"reset\", of: model, { $0.reset })"),
            ("#selector(getter: title)", "Selector(\"title\")"),
            ("#selector(setter: title)", "Selector(\"setTitle:\")"),
            (
                "#selector(Card.tapped(_:) as (Card) -> (Any) -> Void)",
                "Selector(\"tapped:\", Card.tapped(_:) as (Card) -> (Any) -> Void)"
            ),
            ("#selector(tapped as (Any) -> Void)", "Selector(\"tapped:\", Card.tapped as (Card) -> (Any) -> Void)"),
            ("#selector(go(to:))", "Selector(\"goTo:\", Card.go(to:))"),
            ("#selector(fill(color:))", "Selector(\"fillWithColor:\", Card.fill(color:))"),
            ("#keyPath(Card.title)", "\"title\""),
            ("#keyPath(layer.bounds)", "\"layer.bounds\""),
        ])
    func selectors(written: String, becomes: String) {
        func source(_ expression: String, _ clause: String) -> String {
            """
            class Card: UIView\(clause) {
                let action = \(expression)
                func tapped(_ sender: Any) {}
                func reset() {}
            }
            """
        }
        #expect(ported(source(written, "")) == source(becomes, ", @unchecked Sendable"))
    }

    @Test("in an extension and in a nested type, a selector's method belongs to that type")
    func selectorOwners() {
        #expect(
            ported("extension Deck.Card { func f() { g(#selector(tap)) } }")
                == "extension Deck.Card { func f() { g(Selector(\"tap\", Deck.Card.tap)) } }")
        #expect(
            ported("enum Deck { class Card { func f() { g(#selector(tap)) } } }")
                == "enum Deck { class Card: @unchecked Sendable { func f() { g(Selector(\"tap\", Deck.Card.tap)) } } }")
    }

    @Test("text in strings and comments stays as it is")
    func texts() {
        let source = """
            let z = 1  // @objc #selector(a)
            /* @IBAction /* nested */ #if os(iOS) */
            let a = "@objc \\(b("#selector(c)")) import QuartzCore"
            let d = #"\\(@objc) " quoted"#
            let e = \"\"\"
                @objc "x" #selector(f)
                \"\"\"
            """
        #expect(ported(source) == source)
    }

    @Test("a method of a protocol that may be left out has a body, and calls follow")
    func optionalMethods() {
        let source = """
            @objc protocol CardDelegate {
                @objc optional func moved(_ card: Card)
                @objc optional func limit(of card: Card, at place: Int) -> CGFloat
            }
            class Owner: CardDelegate {
                func limit(of card: Card, at place: Int) -> CGFloat { 3 }
            }
            class Heir: Owner {
                override func limit(of card: Card, at place: Int) -> CGFloat { 4 }
            }
            class Silent: CardDelegate {}
            func f(_ d: CardDelegate?) {
                d?.moved?(card)
                let a = d?.limit?(of: card, at: 1) ?? 7
                d?.gestureRecognizerShouldBegin?(g)
                d?.onTap?(card)
            }
            """
        let twin = "func _optional_limit(of card: Card, at place: Int) -> (CGFloat)?"
        let call = "{ limit(of: card, at: place) }"
        #expect(
            ported(source) == """
                 protocol CardDelegate: AnyObject {
                      func moved(_ card: Card); @discardableResult func _optional_moved(_ card: Card) -> (Void)?
                      func limit(of card: Card, at place: Int) -> CGFloat; @discardableResult \(twin)
                }; extension CardDelegate { func moved(_ card: Card) {}; @discardableResult func _optional_moved(_ card: Card) \
                -> (Void)? { moved(card) }; func limit(of card: Card, at place: Int) -> CGFloat \
                { preconditionFailure("CardDelegate.limit is optional, and \\(type(of: self)) has none: its class needs the plugin \
                UIKitOnLinux") }; @discardableResult \(twin) \(call) }
                class Owner: CardDelegate, @unchecked Sendable { @discardableResult func _optional_moved(_ card: Card) -> (Void)? \
                { nil };
                    func limit(of card: Card, at place: Int) -> CGFloat { 3 }; @discardableResult \(twin) \(call)
                }
                class Heir: Owner, @unchecked Sendable {
                    override func limit(of card: Card, at place: Int) -> CGFloat { 4 }; @discardableResult override \(twin) \(call)
                }
                class Silent: CardDelegate, @unchecked Sendable { @discardableResult func _optional_moved(_ card: Card) -> (Void)? \
                { nil }; @discardableResult \(twin) { nil };}
                func f(_ d: CardDelegate?) {
                    d?._optional_moved(card)
                    let a = d?._optional_limit(of: card, at: 1) ?? 7
                    d?.gestureRecognizerShouldBegin(g)
                    d?.onTap?(card)
                }
                """)
    }

    @Test("a subclass of UIKit's delegate implements the delegate's methods")
    func inheritedDelegates() {
        let source = """
            public class Base: UIViewController, UITableViewDelegate {}
            class Middle: Base {}
            class Feed: Middle {
                func scrollViewDidScroll(_ scrollView: UIScrollView) { DispatchQueue.main.async {} }
                func helper() {}
            }
            class Own: UIViewController, UIScrollViewDelegate { func scrollViewDidScroll(_ s: UIScrollView) {} }
            """
        let lines = ported(source).split(separator: "\n")
        #expect(
            lines[0] == """
                public class Base: UIViewController, UITableViewDelegate, @unchecked Sendable { public func \
                scrollViewDidScroll(_ scrollView: UIScrollView) { _delegateDefaults.scrollViewDidScroll(scrollView) };}
                """)
        #expect(
            lines[3]
                == "    override func scrollViewDidScroll(_ scrollView: UIScrollView) { DispatchQueue.main.async {} }")
        #expect(lines[4] == "    func helper() {}")
        #expect(lines[6].hasSuffix("{ func scrollViewDidScroll(_ s: UIScrollView) {} }"))
    }

    @Test("twins of a public protocol are public")
    func publicTwins() {
        let lines = ported(
            "@objc public protocol P { @objc optional func f() }\npublic class A: P { public func f() {} }\npublic class B: P {}"
        ).split(separator: "\n")
        #expect(
            lines[0].contains("public func f() {}; @discardableResult public func _optional_f() -> (Void)? { f() } }"))
        #expect(
            lines[1].contains("public func f() {}; @discardableResult public func _optional_f() -> (Void)? { f() } }"))
        #expect(lines[2].contains("{ @discardableResult public func _optional_f() -> (Void)? { nil };}"))
    }

    @Test("twins of optional methods in other shapes")
    func twins() {
        let source = """
            @objc protocol P { @objc optional func view(for id: String /* a */, // b
                `in` c: Int) throws -> UIView? }
            typealias Both = P & Q
            class A: NSObject, Both {}
            class B: A { func view(for id: String, in c: Int) throws -> UIView? { nil } }
            struct S { var moved: ((Int) -> Void)? }
            @objc protocol R { @objc optional func moved(_ a: Int) }
            func f() { try d.view!(for: "", in: 1); s.moved?(1) }
            """
        let result = ported(source)
        let signature = "func _optional_view(for id: String , `in` c: Int) throws -> UIView?"
        #expect(
            result.contains("class A: NSObject, Both, @unchecked Sendable { @discardableResult \(signature) { nil };}"))
        #expect(result.contains("@discardableResult override \(signature) { try view(for: id, in: c) }"))
        #expect(result.contains("try d._optional_view(for: \"\", in: 1)!; s.moved?(1)"))
    }

    @Test("an override in an extension moves into the class and keeps its line")
    func overrides() {
        let card = "class Card: UIView {\n}\n"
        let source = """
            public extension Card {
                @objc override func layoutSubviews() {
                    action = #selector(tap)
                }
                func tap() {}
            }
            """
        let blank = "public extension Card {\n    \n\n\n    func tap() {}\n}"
        #expect(ported(source, beside: [card]) == blank)
        #expect(
            ported(card, beside: [source]) == """
                class Card: UIView, @unchecked Sendable {

                #sourceLocation(file: "File1.swift", line: 2)
                public  override func layoutSubviews() {
                        action = Selector("tap", Card.tap)
                    }
                #sourceLocation(file: "File0.swift", line: 2)
                }

                """)
    }

    @Test("a moved override keeps its condition, and goes to the first class of its name")
    func conditions() {
        let source = """
            #if os(iOS)
            class V: UIView {}
            #else
            class V: NSView {}
            #endif
            extension V {
                #if DEBUG
                override func a() {}
                #elseif os(iOS)
                override func b() {}
                #else
                override func c() {}
                #endif
            }
            """
        let lines = ported(source).split(separator: "\n").filter {
            $0.hasPrefix("#if") || $0.contains("func") || $0.hasPrefix("#endif")
        }
        #expect(
            lines.prefix(11) == [
                "#if os(Linux)", "#if (DEBUG)", "override func a() {}", "#endif", "#if !(DEBUG) && (os(Linux))",
                "override func b() {}", "#endif", "#if !(DEBUG) && !(os(Linux))", "override func c() {}", "#endif",
                "#endif",

            ], "\(lines)")
        #expect(ported(source).contains("class V: NSView, @unchecked Sendable {}"))
    }

    @Test("names that are words of declarations elsewhere stay")
    func words() {
        let source = """
            enum Sizing { case fixed
                case dynamic
                var isDynamic: Bool { self == .dynamic }
            }
            func path(extension ext: String, protocol p: Int) -> Task<Int, Never> { Task<Int, Never>.detached { 1 } }
            let a = /^https?:\\/\\/x{2}/, b = #/http://(.*)/#, c = d / e / f
            """
        #expect(ported(source) == source)
        #expect(ported("\u{FEFF}let a = 1") == "let a = 1")
        #expect(ported("struct Task {}\nlet t = Task { 1 }") == "struct Task {}\nlet t = Task { 1 }")
    }

    @Test("a selector over several lines keeps the lines")
    func selectorLines() {
        #expect(
            ported("class A { let s = #selector(\n  self.model\n  .reset(_:\n  by:))\nlet n = 1 }")
                == "class A: @unchecked Sendable { let s = Selector(\"reset:by:\", of: self.model, { $0.reset(_: by:) })\n\n\n\nlet n = 1 }"
        )
    }

    @Test("what the main actor guards is not checked")
    func guarded() {
        #expect(ported("@MainActor var a = 1\nvar b = 1") == " nonisolated(unsafe) var a = 1\nvar b = 1")
        #expect(
            ported("@MainActor enum E { static let v = UIView() }")
                == " enum E { nonisolated(unsafe) static let v = UIView() }")
        #expect(
            ported("class A { static var b: Int? { didSet {} }; static var c: Int { 1 } }")
                == "class A: @unchecked Sendable { nonisolated(unsafe) static var b: Int? { didSet {} }; static var c: Int { 1 } }"
        )
    }

    @Test("what a moved override may name is visible in the file of its class")
    func privateNames() {
        let card = "class Card: UIView {\n    private var a = 1\n    private(set) var b = 2\n}\nprivate let other = 1\n"
        let source =
            "private let c = 3\nextension Card {\n    override func f() { a + b + c + d() }\n    fileprivate func d() {}\n}"
        #expect(ported(card, beside: [source]).contains("     var a = 1\n     var b = 2\n"))
        #expect(ported(card, beside: [source]).hasSuffix("\nprivate let other = 1\n"))
        #expect(ported(source, beside: [card]) == " let c = 3\nextension Card {\n    \n     func d() {}\n}")
    }

    @Test("a property that Core Animation keeps begins with zero")
    func managed() {
        #expect(
            ported("class A: CALayer { @NSManaged var b: CGFloat }")
                == "class A: CALayer, @unchecked Sendable {  var b: CGFloat { get { value(forKey: \"b\") as? CGFloat ?? .init() } "
                + "set { setValue(newValue, forKey: \"b\") } } }")
        #expect(
            ported("class A: CALayer { @NSManaged var b: UIColor? }")
                == "class A: CALayer, @unchecked Sendable {  var b: UIColor? { get { value(forKey: \"b\") as? UIColor } "
                + "set { setValue(newValue, forKey: \"b\") } } }")
    }

    @Test("a member of an extension that a subclass overrides moves into the class")
    func overridden() {
        let source = """
            class A: UIView {}
            extension A { func f() {}; func g() {} }
            class B: A { override func f() {} }
            """
        let lines = ported(source).split(separator: "\n")
        #expect(lines.contains("func f() {};"))
        #expect(lines.contains("extension A {  func g() {} }"))
    }

    @Test("Apple's modules and platforms become those of Linux")
    func modules() {
        let source = """
            import UIKit
            import Foundation
            import UIKit.UIGestureRecognizerSubclass
            import struct CoreGraphics.CGFloat
            @testable import QuartzCore
            import Combine
            #if os(iOS) && !targetEnvironment(macCatalyst) || canImport(CoreGraphics)
            #elseif canImport(UIKit.UIGestureRecognizerSubclass)
            #endif
            """
        #expect(
            ported(source) == """
                import UIKit
                import Foundation
                import UIKit
                import UIKit
                @testable import UIKit
                import Combine
                #if os(Linux) && !targetEnvironment(macCatalyst) || canImport(UIKit)
                #elseif canImport(UIKit)
                #endif
                """)
    }

    @Test("the main actor is removed, and classes may be captured")
    func mainActor() {
        let source = """
            @MainActor final class Model: NSObject {
                static var count = 0
                static var twice: Int { 2 * count }
                static let one = 1
                func load() { Task { @MainActor in done() }; run { @MainActor [weak self] in self?.done() } }
            }
            """
        #expect(
            ported(source) == """
                 final class Model: NSObject, @unchecked Sendable {
                    nonisolated(unsafe) static var count = 0
                    static var twice: Int { 2 * count }
                    static let one = 1
                    func load() { Task.capturing {  done() }; run {  [weak self] in self?.done() } }
                }
                """)
    }

    @Test("methods that a string or another class's selector names are listed in their classes")
    func selectorTables() {
        let source = """
            class A: UIView { @objc private func go() {}; let s = Selector(("go")) }
            class B: A { @objc func shout(_ x: Any) {} }
            class C: UIView { @objc func shout(_ x: Any) {} }
            """
        #expect(
            ported(source) == """
                class A: UIView, SelectorMethods, @unchecked Sendable { class var selectorMethods: [Selector] { [Selector("go", \
                { (target: A) in { _ = target.go() } })] };  private func go() {}; let s = Selector(("go")) }
                class B: A, @unchecked Sendable { override class var selectorMethods: [Selector] { [Selector("shout:", B.shout(_:))] \
                + super.selectorMethods };  func shout(_ x: Any) {} }
                class C: UIView, SelectorMethods, @unchecked Sendable { class var selectorMethods: [Selector] { [Selector("shout:", \
                C.shout(_:))] };  func shout(_ x: Any) {} }
                """)
    }

    @Test("a task may capture anything")
    func tasks() {
        let source = """
            func f() { let t = Task { 1 }; Task(priority: .low) { 2 }; Task<Int, Never> { 3 }; Task.detached { 4 } }
            actor A { func f() { Task { 5 } } }
            let type: Task<Void, Never>?
            """
        #expect(
            ported(source) == """
                func f() { let t = Task.capturing { 1 }; Task.capturing(priority: .low) { 2 }; Task<Int, Never>.capturing { 3 }; \
                Task.detached { 4 } }
                actor A { func f() { Task.capturing { 5 } } }
                let type: Task<Void, Never>?
                """)
    }

    @Test("a colour literal is a colour")
    func literals() {
        #expect(
            ported("let c = #colorLiteral(red: 1, green: 0, blue: 0, alpha: 1)")
                == "let c = UIColor(red: 1, green: 0, blue: 0, alpha: 1)")
    }
}
