// Shadows.swift: the file with which a target sees UIKit's clock, whatever else it imports.
//
// Input     the names that UIKit and Foundation both declare
// Output    a Swift file of the target: type aliases, and tasks that may capture anything
// Knows     a module's own declaration hides those of the modules that it imports (Docs/Decisions/OneClock.md).
//
// Sources   documented  The Swift Programming Language, Import Declaration

extension Rewriter {
    /// The text of a file that makes UIKit's `Timer`, `DispatchQueue` and their kin the target's own.
    ///
    /// A name that the target declares itself is left out.
    public var shadows: String {
        let lines = UIKitNames.shadows.filter { !module.declaredNames.contains($0) }.map {
            "public typealias \($0) = UIKit.\($0)"
        }
        return "import UIKit\n\n" + lines.joined(separator: "\n") + "\n\n" + Self.sources
            + InheritedDelegateRule.defaults
            + (module.declaredNames.contains("Task") ? "" : Self.tasks)
    }

    /// An alias of an unavailable type does not compile, so the target has an unavailable type of its own.
    private static let sources = """
        @available(*, unavailable, message: "a dispatch source does not follow the app's clock: use a Timer")
        public enum DispatchSource {}


        """

    /// Tasks that may capture what is not sendable: all of an app's code runs on one thread at a time.
    private static let tasks = """
        extension Task where Failure == Never {
            @discardableResult static func capturing(
                name: String? = nil, priority: TaskPriority? = nil,
                @_implicitSelfCapture _ operation: @escaping () async -> Success
            ) -> Self {
                nonisolated(unsafe) let operation = operation
                return Self(priority: priority) { await operation() }
            }
        }
        extension Task where Failure == any Error {
            @discardableResult static func capturing(
                name: String? = nil, priority: TaskPriority? = nil,
                @_implicitSelfCapture _ operation: @escaping () async throws -> Success
            ) -> Self {
                nonisolated(unsafe) let operation = operation
                return Self(priority: priority) { try await operation() }
            }
        }

        """
}
