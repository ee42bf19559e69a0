// Driver.swift: what libFuzzer calls with every input it thinks of.
//
// TOUCHLINE_FUZZ names the target. A target that traps, hangs or breaks a law ends the process, and libFuzzer keeps
// the input. Programs are several, because libFuzzer walks the counters of all the code there is after every input.

import Glibc

/// A program's targets, each called as a person calls it.
public protocol FuzzTarget: RawRepresentable<String>, CaseIterable {
    /// Ends the process when a law does not hold.
    func run(_ bytes: [UInt8])
}

nonisolated(unsafe) private var run: ([UInt8]) -> Void = { _ in }

/// For the function that SwiftPM makes a program begin with; libFuzzer's own main is not linked.
public func fuzz(
    _ targets: (some FuzzTarget).Type, _ count: Int32,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    let name = getenv("TOUCHLINE_FUZZ").map { String(cString: $0) } ?? ""
    guard let target = targets.init(rawValue: name) else {
        let names = targets.allCases.map(\.rawValue).joined(separator: " ")
        print("TOUCHLINE_FUZZ: expected one of \(names), found \"\(name)\"")
        return 2
    }
    run = target.run
    var (count, arguments) = (count, arguments)
    return drive(&count, &arguments) { start, count in
        run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// A law that does not hold ends the process; an optimised build's preconditions would not say which.
public func expect(_ isTrue: Bool, _ law: @autoclosure () -> String = "a law", line: Int = #line) {
    if !isTrue { broken(law(), line: line) }
}

public func broken(_ law: String, line: Int = #line) -> Never {
    let text = Array("BROKEN (line \(line)): \(law)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    abort()
}
