// Manners.swift: what every program does before anything else.

import CSystem
import Glibc

/// Puts a process in order before it opens anything.
///
/// A standard stream that was closed becomes /dev/null: a file opened in its place would be written to by whoever
/// means the terminal, as the pid file once was. Crashes go back to the system: no stack trace reaches a person who
/// has not asked for one (SWIFT_BACKTRACE), and no crash handler keeps alive a process whose children wait for its
/// death. Without /proc there is nothing to begin with: what was typed is read from there, and so is where the programs are.
public func beginWithManners() {
    system_hold_standard_streams()
    guard access("/proc/self/exe", F_OK) == 0 else {
        complain("/proc is not mounted, and a group cannot be without it: mount -t proc proc /proc")
        exit(3)
    }
    // A limit of file sizes is an error to whoever writes one, and no reason to die.
    signal(SIGXFSZ, SIG_IGN)
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
}
