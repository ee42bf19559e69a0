// DispatchSource.swift: names that have no counterpart here, and the way out.
//
// Sources   invented

@available(*, unavailable, message: "an app's loop has no dispatch sources: use Timer, or DispatchQueue.asyncAfter")
public enum DispatchSource {
    public static func makeTimerSource(queue: DispatchQueue? = nil) -> Never { fatalError() }
}

@available(*, unavailable, message: "an app's loop has no dispatch sources: use Timer, or DispatchQueue.asyncAfter")
public protocol DispatchSourceTimer: AnyObject {}
