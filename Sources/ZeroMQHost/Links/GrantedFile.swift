// GrantedFile.swift: a file that a supervisor opens for a child that may not open files.
//
//     controller ── play FILE ──▶ supervisor ── FILE, open ── play FILE ──▶ input-kit
//
// Its packet precedes the frame that names the path. The packet is a mark, with which no frame and no pass begins, and
// the path. When the child opens that path later, it receives this file, from its beginning.
//
// Sources   invented; documented  unix(7), SCM_RIGHTS

import CSystem
import Glibc

/// A descriptor that a supervisor gives to a child, with the packet that carries it.
protocol Granted: AnyObject {
    var descriptor: Int32 { get }
    var packet: [UInt8] { get }
}

/// An open file together with the path that it was opened by.
final class GrantedFile: Granted {
    let path: String
    private let file: Descriptor

    /// The first bytes of a packet that carries a file; the path follows.
    private static let mark = Array("TLFILE1\0".utf8)
    private static let pathLimit = 4096

    private init(_ path: String, _ file: consuming Descriptor) {
        self.path = path
        self.file = file
    }

    /// Opens the file without blocking. The result is nil on failure; the child then fails to open the path itself and
    /// reports why.
    convenience init?(opening path: String) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return nil }
        self.init(path, Descriptor(number))
    }

    /// Reads a packet that came with a descriptor, and owns the descriptor.
    ///
    /// - Returns: Nil if the packet carries no file.
    convenience init?(packet: UnsafeRawBufferPointer, carrying file: Int32) {
        guard file >= 0 else { return nil }
        let carried = Descriptor(file)
        guard packet.count > Self.mark.count, packet.count <= Self.mark.count + Self.pathLimit,
            packet.starts(with: Self.mark),
            let path = String(validating: packet.dropFirst(Self.mark.count), as: UTF8.self)
        else { return nil }
        self.init(path, carried)
    }

    var descriptor: Int32 { file.number }
    var packet: [UInt8] { Self.mark + Array(path.utf8) }
}
