// Credentials.swift: who is at the other end of a connection, in the kernel's word.

import CSystem
import Glibc
import Wire

struct Credentials: Hashable, Sendable {
    var pid: Int32
    var uid: UInt32

    init(pid: Int32, uid: UInt32) { (self.pid, self.uid) = (pid, uid) }

    /// The user of nobody: of those whom no kernel of ours knows.
    static let elsewhere = UInt32.max - 1

    /// A process of another machine, which is known by the key it holds, and has the number of that key's app where one
    /// of this machine has its pid.
    ///
    /// - Parameter keyHolder: As the gate has named it: `app9`.
    init?(keyHolder name: UnsafePointer<CChar>) {
        // Once a packet, so without making text of it.
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
        self.init(pid: number, uid: Self.elsewhere)
    }

    /// Which app's key it holds, if it is known by one.
    var heldKey: AppID? { uid == Self.elsewhere ? UInt32(exactly: pid).map { AppID($0) } : nil }

    /// - Parameter peerAddress: `localhost:uid:gid:pid`, as libzmq writes it for ipc connections.
    /// - Returns: Nil for anything else, such as the address of a tcp peer.
    init?(peerAddress: UnsafePointer<CChar>) {
        // Once a packet, so without making text of it.
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

/// When a process began, in the kernel's ticks since boot: with its pid the only name of it that no other ever has.
///
/// - Returns: Nil when there is no such process, or /proc does not say.
/// - Source: documented, proc_pid_stat(5), field 22.
func startOfProcess(_ pid: Int32) -> UInt64? { statOfProcess(pid, field: 22).flatMap { UInt64($0) } }

/// Whether a process has ended, or its first thread has. Other threads of it may hold its files for a moment still.
///
/// - Source: documented, proc_pid_stat(5), field 3.
func isEnded(_ pid: Int32) -> Bool { statOfProcess(pid, field: 3).map { $0 == "Z" || $0 == "X" } ?? true }

/// - Parameter field: As proc_pid_stat(5) numbers them, from 3 on.
private func statOfProcess(_ pid: Int32, field: Int) -> String? {
    let number = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file.number, &bytes, bytes.count)
    // The name of the program may hold anything, so fields are counted from its end.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    return fields.count > field - 3 ? String(decoding: fields[field - 3], as: UTF8.self) : nil
}

/// Ends a connection of this process's whose descriptor another part of the process owns, which notices by its end.
///
/// Nothing happens when the descriptor is another process's connection by now.
func endConnection(on descriptor: Int32, of sender: Credentials) {
    var found = Credentials(pid: 0, uid: 0)
    guard system_peer(descriptor, &found.pid, &found.uid) == 0, found == sender else { return }
    shutdown(descriptor, Int32(SHUT_RDWR))
}
