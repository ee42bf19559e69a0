// StandardStreams.swift: the first call of every program.

import CSystem
import Glibc

/// Sets up the standard streams and signals of a process before it opens anything.
///
/// A closed standard stream is opened as /dev/null. Otherwise the next opened file would receive the text for the
/// terminal, as the pid file once did. Fatal signals get their default action: no stack trace is printed unless
/// SWIFT_BACKTRACE requests it. A crash handler would also keep a process alive while its supervisor waits for its end.
/// Without /proc the program exits: it reads the arguments and the folder of the programs from there.
public func setUpStandardStreams() {
    system_hold_standard_streams()
    guard access("/proc/self/exe", F_OK) == 0 else {
        printError("/proc is not mounted, and a group cannot be without it: mount -t proc proc /proc")
        exit(3)
    }
    // A limit on file sizes is an error for the writer and must not end the process.
    signal(SIGXFSZ, SIG_IGN)
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
}
