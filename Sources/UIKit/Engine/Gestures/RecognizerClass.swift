// RecognizerClass.swift: whether an app's code may override what a recognizer does and answers.
//
// Station   gesture
// Input     UIGestureRecognizer, when it is made; a scene's builder and the monkey
// Output    the environment, which leaves out questions and calls that only UIKit's own code would answer

struct RecognizerClass {
    /// Whether no code outside UIKit overrides a method of the recognizer: the class is one of UIKit's.
    let isOfUIKit: Bool
    /// Whether its answers count as an app's: the class is an app's, or represents one.
    var isAppDefined: Bool

    init(_ type: UIGestureRecognizer.Type) {
        isOfUIKit = Self.moduleName(of: type) == Self.module
        isAppDefined = !isOfUIKit
    }

    private static let module = moduleName(of: UIGestureRecognizer.self)
    private static func moduleName(of type: UIGestureRecognizer.Type) -> Substring {
        String(reflecting: type).prefix { $0 != "." }
    }
}
