// PortReport.swift: what in sources written for Apple's UIKit does not work on Linux, and why.
//
//     files ─▶ tokens, declarations ─▶ findings: modules, names, Objective-C's runtime
//
// Input     `touchline port-report`
// Output    PortFinding, sorted by kind and number of uses
// Knows     the names of types. A missing member of a type that exists is found by the compiler only.
//
// Sources   documented  Apple's prefixes for names; modules of the Swift toolchain for Linux

/// Something that does not work on Linux.
public struct PortFinding: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A module that Linux does not have.
        case module
        /// A name that UIKit does not have here.
        case name
        /// A service of Objective-C's runtime.
        case runtime
    }
    /// One use.
    public struct Use: Equatable, Sendable {
        public var path: String
        /// From 1.
        public var line: Int
    }

    public var kind: Kind
    /// The word in the source.
    public var name: String
    /// One sentence: why it does not work, and what does.
    public var reason: String
    /// In the order of the files and their lines. Never empty.
    public var uses: [Use]
}

extension Rewriter {
    /// Returns what the rewritten target will not compile with, or what will not do what it does on iOS.
    public var findings: [PortFinding] {
        var findings: [PortFinding] = []
        func add(_ kind: PortFinding.Kind, _ name: String, _ reason: String, _ file: SourceFile, _ token: Int) {
            let use = PortFinding.Use(path: file.path, line: file.tokens[token].line)
            if let index = findings.firstIndex(where: { $0.kind == kind && $0.name == name }) {
                findings[index].uses.append(use)
            } else {
                findings.append(PortFinding(kind: kind, name: name, reason: reason, uses: [use]))
            }
        }
        let own = Set(
            module.files.flatMap { $0.outline.types.compactMap(\.path.last) } + module.files.flatMap(\.aliases))
        for file in module.files {
            let inactive = PortRules.inactiveTokens(of: file)
            for index in file.tokens.indices where !inactive.contains(index) {
                if let (name, reason) = PortRules.module(at: index, in: file) {
                    add(.module, name, reason, file, index)
                }
                if let (name, reason) = PortRules.runtime(at: index, in: file) {
                    add(.runtime, name, reason, file, index)
                }
                if PortRules.isMissing(index, in: file), !own.contains(file.tokens[index].text) {
                    let name = file.tokens[index].text
                    add(.name, name, "UIKit has no \(name) here", file, index)
                }
            }
            for member in file.outline.members where member.modifiers.contains("override") {
                guard let owner = member.owner, let name = PortRules.foreignClass(file.outline.types[owner], in: module)
                else {
                    continue
                }
                add(
                    .runtime, "override in an extension of \(name)",
                    "only Objective-C overrides members of a class of another module in an extension: use a subclass",
                    file,
                    member.tokens.lowerBound)
            }
        }
        return findings.sorted {
            let kinds = PortFinding.Kind.allCases
            let (a, b) = (kinds.firstIndex(of: $0.kind)!, kinds.firstIndex(of: $1.kind)!)
            return (a, -$0.uses.count, $0.name) < (b, -$1.uses.count, $1.name)
        }
    }
}

extension SourceFile {
    /// The names of type aliases and generic parameters.
    fileprivate var aliases: [String] {
        tokens.indices.filter { $0 > 0 && ["typealias", "associatedtype"].contains(tokens[$0 - 1].text) }.map {
            tokens[$0].text
        }
    }
}

private enum PortRules {
    /// Modules that compile on Linux: those of the toolchain, and those that UIKit stands for.
    static let known = PlatformRule.modules.union([
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch",
        "Synchronization",
        "Observation", "RegexBuilder", "_Concurrency", "_StringProcessing", "Distributed", "Glibc", "XCTest", "Testing",
        "TouchlineTesting", "TouchlineApp", "Cxx",
    ])
    /// Apple's modules that people use beside UIKit. Another name can be a package's.
    static let apple: Set<String> = [
        "AVFoundation", "AVKit", "Accelerate", "AppKit", "AudioToolbox", "Combine", "Contacts", "CoreAudio", "CoreData",
        "CoreHaptics", "CoreImage", "CoreLocation", "CoreMedia", "CoreMotion", "CoreText", "CoreVideo", "CryptoKit",
        "GLKit", "GameplayKit", "ImageIO", "IntentsUI", "MapKit", "MediaPlayer", "MessageUI", "Metal", "MetalKit",
        "MobileCoreServices", "OSLog", "PDFKit", "PencilKit", "Photos", "PhotosUI", "QuickLook", "SafariServices",
        "SceneKit", "Security", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "SystemConfiguration",
        "UniformTypeIdentifiers", "UserNotifications", "Vision", "VisionKit", "WebKit", "WidgetKit", "os",
    ]
    private static let prefixes = [
        "UI", "CA", "CG", "CI", "AV", "WK", "MK", "PK", "SCN", "SK", "PH", "CT", "MTL", "kCA",
    ]
    /// Names of Core Graphics that Foundation has on Linux.
    private static let foundation: Set<String> = ["CGFloat", "CGPoint", "CGSize", "CGRect", "CGRectEdge"]
    /// Names with Foundation's prefix that belong to UIKit.
    private static let textNames: Set<String> = [
        "NSLayoutConstraint", "NSLayoutAnchor", "NSLayoutXAxisAnchor", "NSLayoutYAxisAnchor", "NSLayoutDimension",
        "NSDirectionalEdgeInsets", "NSParagraphStyle", "NSMutableParagraphStyle", "NSTextAlignment", "NSLineBreakMode",
        "NSShadow", "NSUnderlineStyle", "NSTextAttachment", "NSTextStorage", "NSLayoutManager", "NSTextContainer",
        "NSFetchedResultsController", "NSManagedObject", "NSManagedObjectContext", "NSStringDrawingOptions",
        "NSDataAsset",
    ]

    static func module(at index: Int, in file: SourceFile) -> (String, String)? {
        guard index > 0, file.tokens[index].kind == .word, !known.contains(file.tokens[index].text) else { return nil }
        let kinds = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
        let isImported =
            file.isWord("import", at: index - 1) && !(kinds.contains(file.tokens[index].text))
            || index > 1 && file.isWord("import", at: index - 2) && kinds.contains(file.tokens[index - 1].text)
        guard isImported else { return nil }
        let name = file.tokens[index].text
        return (
            name,
            apple.contains(name)
                ? "Linux has no module \(name): put the code that needs it in #if canImport(\(name))"
                : "not a module of Linux: the target needs a package that has it"
        )
    }

    /// The tokens between `#if canImport(SwiftUI)` and its `#else` or `#endif`, for modules that Linux does not have.
    static func inactiveTokens(of file: SourceFile) -> Set<Int> {
        var (found, depth, hidden) = (Set<Int>(), 0, [Int]())
        for (index, token) in file.tokens.enumerated() {
            if token.beginsLine, token.kind == .pound {
                switch token.text {
                case "#if":
                    depth += 1
                    if file.isWord("canImport", at: index + 1), index + 3 < file.tokens.count,
                        apple.contains(file.tokens[index + 3].text), !file.isSign("&", at: index + 5),
                        !file.isSign("|", at: index + 5)
                    {
                        hidden.append(depth)
                    }
                case "#else", "#elseif": hidden.removeAll { $0 == depth }
                case "#endif":
                    hidden.removeAll { $0 == depth }
                    depth -= 1
                default: break
                }
            }
            if !hidden.isEmpty { found.insert(index) }
        }
        return found
    }

    /// Whether a token is one of Apple's names that UIKit does not have here.
    static func isMissing(_ index: Int, in file: SourceFile) -> Bool {
        let token = file.tokens[index]
        guard token.kind == .word,
            index == 0 || !file.isSign(".", at: index - 1) || file.isWord("UIKit", at: index - 2),
            !UIKitNames.types.contains(token.text), !foundation.contains(token.text),
            !PlatformRule.modules.contains(token.text),
            index == 0
                || !["import", "class", "struct", "enum", "protocol", "typealias"].contains(file.tokens[index - 1].text)
        else { return false }
        if textNames.contains(token.text) { return true }
        return prefixes.contains { prefix in
            guard token.text.hasPrefix(prefix) else { return false }
            let rest = token.text.dropFirst(prefix.count)
            return rest.first?.isUppercase == true && rest.contains(where: \.isLowercase)
        }
    }

    static func runtime(at index: Int, in file: SourceFile) -> (String, String)? {
        let token = file.tokens[index]
        guard token.kind == .word || token.kind == .pound else { return nil }
        let isCalled = file.isSign("(", at: index + 1)
        switch token.text {
        case "observe" where isCalled && file.isSign("\\", at: index + 2),
            "addObserver" where isCalled && hasLabel("forKeyPath", at: index + 1, in: file):
            return ("key-value observing", "Linux has no key-value observing: use didSet, a delegate or a closure")
        case "value" where isCalled && file.isWord("forKey", at: index + 2),
            "value" where isCalled && file.isWord("forKeyPath", at: index + 2),
            "setValue"
        where isCalled
            && (hasLabel("forKey", at: index + 1, in: file) || hasLabel("forKeyPath", at: index + 1, in: file)):
            return ("key-value coding", "Linux has no key-value coding: use the property itself")
        case "method_exchangeImplementations", "class_addMethod", "class_replaceMethod", "class_getInstanceMethod",
            "method_setImplementation", "object_setClass":
            return (token.text, "methods of a class cannot be exchanged without Objective-C's runtime")
        case "NSClassFromString":
            return (token.text, "finds Swift classes by their full names only")
        case "#imageLiteral", "#fileLiteral":
            return (token.text, "Linux has no resources of Xcode: use UIImage(named:)")
        case "NSKeyedArchiver", "NSKeyedUnarchiver":
            return (
                token.text,
                "archives have colors, fonts, paths, plain views, labels and controls of the app; no images, and none of Apple's files"
            )
        case "UIStoryboard", "UINib", "instantiateViewController":
            return (token.text, "there are no storyboards here: make views in code")
        case "DispatchSemaphore":
            return (token.text, "a wait that would block stops the program: all of an app's code runs on one thread")
        default: return nil
        }
    }

    private static func hasLabel(_ label: String, at open: Int, in file: SourceFile) -> Bool {
        guard let close = file.match(open), open < close else { return false }
        return (open..<close).contains { file.isWord(label, at: $0) && file.isSign(":", at: $0 + 1) }
    }

    /// The class of another module that an extension extends.
    static func foreignClass(_ type: TypeDeclaration, in module: Module) -> String? {
        type.keyword == "extension" && module.index(ofClass: type.name) == nil ? type.name : nil
    }
}
