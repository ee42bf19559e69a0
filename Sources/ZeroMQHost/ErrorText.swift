// ErrorText.swift: the texts of error numbers, each with one remedy.

import CZeroMQ
import Glibc

/// The text of an error of libzmq, which adds its own numbers to the system's.
func zeroMQText(_ errno: Int32) -> String { String(cString: zmq_strerror(errno)) }

func systemText(_ errno: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        strerror_r(errno, buffer.baseAddress!, buffer.count) == 0
            ? String(cString: buffer.baseAddress!) : "error \(errno)"
    }
}

/// A remedy for an error, beginning with `; `, or an empty text.
///
/// - Parameter subject: The object of the call: a path below the run directory, the address of the listener for other
///   machines, or any other text.
func hint(_ errno: Int32, about subject: String) -> String {
    switch errno {
    case EMFILE, ENFILE: return "; too many open files: raise `ulimit -n`"
    case ENOSPC: return "; the disk is full"
    default: break
    }
    if subject.hasPrefix("tcp://") || TCPAddress(subject) != nil {
        switch errno {
        case EADDRINUSE: return "; another program listens there: choose another remote.listen"
        case EADDRNOTAVAIL: return "; it is no address of this machine: choose another remote.listen"
        case EACCES, EPERM: return "; this user may not listen there: choose another port for remote.listen"
        default: return ""
        }
    }
    guard subject.hasPrefix("/") || subject.hasPrefix("ipc://") else { return "" }
    return switch errno {
    case EADDRINUSE: "; another process serves it: choose another --run-dir"
    case EACCES, EPERM: "; it belongs to another user, or its folder does: choose another --run-dir"
    case ENOENT: "; is the path right?"
    case ENOTDIR: "; a part of the path is no folder: choose another --run-dir"
    case ECONNREFUSED: "; no process listens: start a group with `touchline up`"
    case EROFS: "; the folder cannot be written: choose another --run-dir"
    case ENAMETOOLONG: "; choose a shorter --run-dir"
    default: ""
    }
}
