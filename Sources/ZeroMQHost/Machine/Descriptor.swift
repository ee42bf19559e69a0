// Descriptor.swift: a file descriptor that is closed exactly once.

import CSystem
import Glibc

/// An open file descriptor.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// - Parameter call: The system call that returned the number, for the error text.
    init(_ number: Int32, from call: String, _ subject: String) throws(HostError) {
        guard number >= 0 else { throw .system(call: call, subject: subject, errno: errno) }
        self.number = number
    }

    deinit { close(number) }

    /// Returns the number without closing it; the caller closes it.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// The clock of the whole host: nanoseconds since boot.
func clock() -> Int64 { system_clock() }
