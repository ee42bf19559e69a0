// ErrorText.swift: error numbers as words, and the one thing to try.

import CZeroMQ
import Glibc

/// libzmq numbers errors of its own beside the system's, so it is the one to ask.
func zeroMQText(_ errno: Int32) -> String { String(cString: zmq_strerror(errno)) }

func systemText(_ errno: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        strerror_r(errno, buffer.baseAddress!, buffer.count) == 0
            ? String(cString: buffer.baseAddress!) : "error \(errno)"
    }
}

func hint(_ errno: Int32) -> String {
    switch errno {
    case EADDRINUSE: "; another process serves it: choose another --run-dir"
    case EACCES, EPERM: "; it belongs to another user, or its folder does: choose another --run-dir"
    case ENOENT: "; is the path right?"
    case ENOTDIR: "; a part of the path is no folder: choose another --run-dir"
    case ECONNREFUSED: "; nobody listens: start a group with `touchline up`"
    case EMFILE, ENFILE: "; too many open files: raise `ulimit -n`"
    case ENOSPC: "; the disk is full"
    case EROFS: "; the folder cannot be written: choose another --run-dir"
    case ENAMETOOLONG: "; choose a shorter --run-dir"
    default: ""
    }
}
