// Manners.swift: what every program does before anything else.

import CSystem
import Glibc

/// Puts a process in order before it opens anything.
///
/// A standard stream that was closed becomes /dev/null: a file opened in its place would be written to by whoever
/// means the terminal, as the pid file once was. Crashes go back to the system: no stack trace reaches a person who
/// has not asked for one (SWIFT_BACKTRACE), and no crash handler keeps alive a process whose children wait for its
/// death.
public func beginWithManners() {
    system_hold_standard_streams()
    // A limit of file sizes is an error to whoever writes one, and no reason to die.
    signal(SIGXFSZ, SIG_IGN)
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
}
