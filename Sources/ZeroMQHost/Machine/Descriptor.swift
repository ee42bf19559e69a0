// Descriptor.swift: an open file, closed once.

import CSystem
import Glibc

struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// - Parameter call: What answered the number, for the error's text.
    init(_ number: Int32, from call: String, _ subject: String) throws(HostError) {
        guard number >= 0 else { throw .system(call: call, subject: subject, errno: errno) }
        self.number = number
    }

    deinit { close(number) }

    /// Gives the number away, to be closed by whoever takes it.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// The clock everything here is told by.
func clock() -> Int64 { system_clock() }
