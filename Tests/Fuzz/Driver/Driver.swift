// Driver.swift: the function that libFuzzer calls with every input.
//
// TOUCHLINE_FUZZ names the target. A target that traps, hangs or breaks a law ends the process, and libFuzzer keeps the
// input. There are several programs, because libFuzzer scans the counters of a whole program after every input.

import Glibc

/// The targets of a program, by the names that a user gives.
public protocol FuzzTarget: RawRepresentable<String>, CaseIterable {
    /// Ends the process when a law does not hold.
    func run(_ bytes: [UInt8])
}

nonisolated(unsafe) private var run: ([UInt8]) -> Void = { _ in }

/// The function that SwiftPM calls as the program's main. libFuzzer's own main is not linked.
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

/// Ends the process if a law does not hold. A precondition of an optimized build would not name the law.
public func expect(_ isTrue: Bool, _ law: @autoclosure () -> String = "a law", line: Int = #line) {
    if !isTrue { broken(law(), line: line) }
}

public func broken(_ law: String, line: Int = #line) -> Never {
    let text = Array("BROKEN (line \(line)): \(law)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    abort()
}
