// Keys.swift: the identity of a machine for others: a pair of CURVE keys, and the files that hold them.
//
//     NAME.key   secret <40 characters of Z85>      0600, its owner's
//     NAME.pub   public <40 characters of Z85>      readable by all
//
// The first word of a file says which key it holds, so that neither is given away as the other. Only the public key is
// ever printed.
//
// Sources   documented  libzmq zmq_curve(7), zmq_curve_keypair(3); ZeroMQ RFC 26 (CurveZMQ), RFC 32 (Z85)

import CSystem
import CZeroMQ
import Glibc

/// The public key of a machine, or of an app of another machine.
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    public static let size = 32
    static let textSize = 40

    /// - Parameter bytes: 32 bytes, as CURVE defines them; nil for any other number.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = [UInt8](bytes)
    }

    /// - Parameter text: 40 characters of Z85; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard let bytes = decoded(String(text)) else { return nil }
        self.bytes = bytes
    }

    /// The key as 40 characters of Z85.
    public var description: String {
        var text = [CChar](repeating: 0, count: Self.textSize + 1)
        guard zmq_z85_encode(&text, bytes, bytes.count) != nil else { preconditionFailure("32 bytes are 40 of Z85") }
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads `NAME.pub`.
    ///
    /// - Throws: `HostError` if the file cannot be read, holds no public key, or can be written by other users.
    public init(contentsOf path: String) throws(HostError) {
        bytes = try content(of: path, "public", isSecret: false)
    }
}

/// The secret key of a machine. Its description and its mirror do not contain the key.
public struct SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    public var description: String { "a secret key" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads `NAME.key`, which only this user may read.
    ///
    /// - Throws: `HostError` if the file cannot be read, holds no secret key, or is open to other users.
    public init(contentsOf path: String) throws(HostError) { bytes = try content(of: path, "secret", isSecret: true) }

    /// The public key that belongs to this secret.
    public var publicKey: PublicKey {
        var secret = [CChar](repeating: 0, count: PublicKey.textSize + 1)
        var found = [CChar](repeating: 0, count: PublicKey.textSize + 1)
        guard zmq_z85_encode(&secret, bytes, bytes.count) != nil, zmq_curve_public(&found, secret) == 0,
            let key = PublicKey(String(decoding: found.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        else { preconditionFailure("32 bytes are a secret key") }
        return key
    }

    /// Makes a new key from the system's random numbers.
    public static func new() throws(HostError) -> SecretKey {
        var (open, secret) = (
            [CChar](repeating: 0, count: PublicKey.textSize + 1), [CChar](repeating: 0, count: PublicKey.textSize + 1)
        )
        guard zmq_curve_keypair(&open, &secret) == 0,
            let bytes = decoded(String(decoding: secret.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        else { throw .zeroMQ(call: "zmq_curve_keypair", endpoint: "a new key", errno: zmq_errno()) }
        return SecretKey(bytes: bytes)
    }

    /// Writes `NAME.key` and `NAME.pub`; existing files stay unchanged.
    ///
    /// - Returns: The paths of the two files.
    /// - Throws: `HostError` if either file exists already, or if the folder takes no files.
    public func write(to folder: String, as name: String) throws(HostError) -> (secret: String, public: String) {
        let paths = (secret: "\(folder)/\(name).key", public: "\(folder)/\(name).pub")
        var text = [CChar](repeating: 0, count: PublicKey.textSize + 1)
        guard zmq_z85_encode(&text, bytes, bytes.count) != nil else { preconditionFailure("32 bytes are 40 of Z85") }
        let secret = String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The public key is first: if the disk fills up in between, no secret without its public key is left.
        try create(paths.public, mode: 0o644, "public \(publicKey)\n")
        do throws(HostError) {
            try create(paths.secret, mode: 0o600, "secret \(secret)\n")
        } catch {
            unlink(paths.public)
            throw error
        }
        return paths
    }
}

/// Creates a file that did not exist.
private func create(_ path: String, mode: mode_t, _ text: String) throws(HostError) {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else {
        if errno == EEXIST { throw .badKey(path: path, why: "is there already: a key that is in use is not replaced") }
        throw .badKey(path: path, why: "cannot be made: \(systemText(errno))")
    }
    defer { close(file) }
    let bytes = Array(text.utf8)
    // The mode must not depend on the umask.
    guard fchmod(file, mode) == 0, write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
        let failure = errno
        unlink(path)
        throw .system(call: "write", subject: path, errno: failure)
    }
}

/// Reads the one line of a key's file.
private func content(of path: String, _ word: String, isSecret: Bool) throws(HostError) -> [UInt8] {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw .badKey(path: path, why: "cannot be opened: \(systemText(errno))") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(call: "stat", subject: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .badKey(path: path, why: "is no file") }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw .system(call: "read", subject: path, errno: errno) }
    var line = bytes[..<count]
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, String(decoding: words[0], as: UTF8.self) == word,
        let key = decoded(String(decoding: words[1], as: UTF8.self))
    else { throw .badKey(path: path, why: "holds no \(word) key, which is `\(word)` and 40 characters of Z85") }
    try checkOwner(of: path, status, isSecret: isSecret)
    return key
}

/// Checks that no other user can change a key file or a folder of them, and for a secret also that none can read it.
///
/// - Throws: `HostError.badKey`, with the remedy. A file that is not secret may belong to root.
func checkOwner(of path: String, _ status: stat, isSecret: Bool) throws(HostError) {
    guard status.st_uid == geteuid() || (!isSecret && status.st_uid == 0) else {
        throw .badKey(path: path, why: "belongs to user \(status.st_uid)")
    }
    guard !isSecret || status.st_mode & 0o077 == 0 else {
        throw .badKey(path: path, why: "is open to other users: `chmod 600` it")
    }
    guard status.st_mode & 0o022 == 0 else {
        throw .badKey(path: path, why: "can be written by other users: `chmod go-w` it")
    }
}

/// Decodes 40 characters of Z85.
private func decoded(_ text: String) -> [UInt8]? {
    guard text.utf8.count == PublicKey.textSize, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        return nil
    }
    var bytes = [UInt8](repeating: 0, count: PublicKey.size)
    guard zmq_z85_decode(&bytes, text) != nil else { return nil }
    // Five characters beyond 32 bits wrap around and would decode as another key, so the bytes are encoded again and
    // compared.
    var again = [CChar](repeating: 0, count: PublicKey.textSize + 1)
    guard zmq_z85_encode(&again, bytes, bytes.count) != nil,
        String(decoding: again.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) == text
    else { return nil }
    return bytes
}
