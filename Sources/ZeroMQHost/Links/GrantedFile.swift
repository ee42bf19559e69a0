// GrantedFile.swift: a file that a supervisor opens for a child that may open nothing itself.
//
//     controller ── play FILE ──▶ supervisor ── FILE, open ── play FILE ──▶ input-kit
//
// Its packet stands in front of the frame that names the path: a mark that no frame and no pass begins with, then the path.
// What the child opens by that path afterwards is this file, from its beginning.
//
// Sources   invented; documented  unix(7), SCM_RIGHTS

import CSystem
import Glibc

final class GrantedFile {
    let path: String
    private let file: Descriptor

    /// Ahead of a path.
    private static let mark = Array("TLFILE1\0".utf8)
    private static let pathLimit = 4096

    private init(_ path: String, _ file: consuming Descriptor) {
        self.path = path
        self.file = file
    }

    /// Opens it without waiting for anybody; nil where it cannot be, which whoever wants it is told when it tries itself.
    convenience init?(opening path: String) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return nil }
        self.init(path, Descriptor(number))
    }

    /// - Returns: Nil when the packet is another.
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
