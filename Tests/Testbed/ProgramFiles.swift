// ProgramFiles.swift: files that a test executes, made by a process of its own.
//
// If the test process wrote such a file, a child of another test could hold the descriptor for writing between its fork and
// its exec, and the file could not be executed until then (ETXTBSY).

import Glibc

/// The end of a command that a test needs.
public struct ShellFailure: Error, CustomStringConvertible {
    public let description: String
}

/// Writes a program that is a shell script.
///
/// - Parameters:
///   - script: The whole text, which begins with `#!`.
///   - path: The path of the program, which may not exist yet.
/// - Throws: `ShellFailure`.
public func writeProgram(_ script: String, at path: String) throws {
    try runShell(#"printf %s "$1" >"$2" && chmod 755 "$2""#, script, path)
}

/// Runs a command of `sh` to its end, without environment.
///
/// - Parameters:
///   - command: The text of the command.
///   - arguments: `$1` and the following.
/// - Throws: `ShellFailure` if the command does not exit with 0.
public func runShell(_ command: String, _ arguments: String...) throws {
    let words = ["/bin/sh", "-c", command, "sh"] + arguments
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, words[0], nil, nil, &pointers, &environment)
    guard failure == 0 else { throw ShellFailure(description: "\(words[0]): \(String(cString: strerror(failure)))") }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
        guard errno == EINTR else { throw ShellFailure(description: "waitpid: \(String(cString: strerror(errno)))") }
    }
    guard status == 0 else { throw ShellFailure(description: "\(words.dropFirst(2)): status \(status)") }
}
