// SharedFingers.swift: whether a page learns where the fingers of other pages are.
//
// Input     the thread of the group: what each app shows; nil before its first tree
// Output    yes or no
// Knows     trees. No finger.
//
// Sources   invented, after threat T5

public import ViewTrees

/// The rule for fingers of other pages.
public enum SharedFingers {
    /// No page learns where a finger of another one is while an app shows a secure window, or has not shown anything yet.
    public static func areShown(over trees: [ViewTree?]) -> Bool {
        trees.allSatisfy { $0.map { $0.secureWindow == nil } ?? false }
    }
}
