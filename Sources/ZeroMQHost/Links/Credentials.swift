// Credentials.swift: the process at the other end of a connection, as the kernel reports it.

import CSystem
import Glibc
import Wire

/// A process by its pid and user, or a key holder of another machine.
struct Credentials: Hashable, Sendable {
    var pid: Int32
    var uid: UInt32

    init(pid: Int32, uid: UInt32) { (self.pid, self.uid) = (pid, uid) }

    /// The user of processes on another machine, which this kernel does not know.
    static let remoteUser = UInt32.max - 1

    /// The identity of a process on another machine: the key it holds. Its `pid` is the number of the key's app.
    ///
    /// - Parameter name: The user id that the gate set for the connection, such as `app9`.
    init?(keyHolder name: UnsafePointer<CChar>) {
        // This runs once for each packet, so it makes no `String`.
        var (rest, number) = (name, Int32(0))
        for letter in "app".utf8 {
            guard UInt8(bitPattern: rest.pointee) == letter else { return nil }
            rest += 1
        }
        while rest.pointee != 0 {
            guard (48...57).contains(rest.pointee), number < 1000 else { return nil }
            number = number * 10 + Int32(rest.pointee - 48)
            rest += 1
        }
        guard number > 0 else { return nil }
        self.init(pid: number, uid: Self.remoteUser)
    }

    /// The app that holds the key; nil for a process of this machine.
    var keyApp: AppID? { uid == Self.remoteUser ? UInt32(exactly: pid).map { AppID($0) } : nil }

    /// Parses the address of a peer.
    ///
    /// - Parameter peerAddress: `localhost:uid:gid:pid`, as libzmq writes it for ipc connections.
    /// - Returns: Nil for any other text, such as the address of a tcp peer.
    init?(peerAddress: UnsafePointer<CChar>) {
        // This runs once for each packet, so it makes no `String`.
        var numbers: (Int64, Int64, Int64) = (0, 0, 0)
        var field = 0
        var digits = 0
        var rest = peerAddress
        while rest.pointee != 0 {
            let character = UInt8(bitPattern: rest.pointee)
            rest += 1
            if character == UInt8(ascii: ":") {
                guard field == 0 || digits > 0 else { return nil }
                (field, digits) = (field + 1, 0)
            } else if field > 0 {
                guard (48...57).contains(character), digits < 10 else { return nil }
                let digit = Int64(character - 48)
                switch field {
                case 1: numbers.0 = numbers.0 * 10 + digit
                case 2: numbers.1 = numbers.1 * 10 + digit
                case 3: numbers.2 = numbers.2 * 10 + digit
                default: return nil
                }
                digits += 1
            }
        }
        guard field == 3, digits > 0, let pid = Int32(exactly: numbers.2), let uid = UInt32(exactly: numbers.0) else {
            return nil
        }
        self.init(pid: pid, uid: uid)
    }
}

/// The start time of a process, in the kernel's ticks since boot.
///
/// The pid together with this time identifies a process: no other process ever has both.
///
/// - Returns: Nil if there is no such process, or if /proc cannot be read.
/// - Source: documented, proc_pid_stat(5), field 22.
func startOfProcess(_ pid: Int32) -> UInt64? { statOfProcess(pid, field: 22).flatMap { UInt64($0) } }

/// Whether a process has ended, or its first thread has. Its other threads may hold its files for a moment longer.
///
/// - Source: documented, proc_pid_stat(5), field 3.
func isEnded(_ pid: Int32) -> Bool { statOfProcess(pid, field: 3).map { $0 == "Z" || $0 == "X" } ?? true }

/// Reads one field of `/proc/PID/stat`.
///
/// - Parameter field: The number of the field in proc_pid_stat(5), from 3 on.
private func statOfProcess(_ pid: Int32, field: Int) -> String? {
    let number = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file.number, &bytes, bytes.count)
    // The name of the program may contain any character, so fields are counted from its end.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    return fields.count > field - 3 ? String(decoding: fields[field - 3], as: UTF8.self) : nil
}

/// Shuts down a connection. Another part of this process owns its descriptor and then reads the end.
///
/// The call does nothing if the descriptor belongs to a connection of another process by now.
func endConnection(on descriptor: Int32, of sender: Credentials) {
    var found = Credentials(pid: 0, uid: 0)
    guard system_peer(descriptor, &found.pid, &found.uid) == 0, found == sender else { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
}
