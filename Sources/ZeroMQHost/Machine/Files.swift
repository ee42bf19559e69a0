// Files.swift: files that a core reads: recordings, devices, FIFOs.
//
// A FIFO without a writer yet is waited for; a FIFO that has lost its writers is at its end. Both return no bytes, and
// only the poller can distinguish them. So files that epoll can watch are read when it reports them. epoll refuses
// regular files, which are read in the next turn of the loop.
//
// A regular file with the magic bytes of gzip is inflated. Bytes of a device or a FIFO are never inflated, because two
// of them may equal the magic by chance.

import CSystem
import Glibc
import Hosting

/// The open files of a core and the reads that wait.
struct Files: ~Copyable {
    private final class Open {
        let id: FileID
        let path: String
        let descriptor: Descriptor
        let isWatched: Bool
        /// For a regular file, the offset of the next read. A granted file is opened once and read each time it is
        /// played.
        private var offset: Int?
        /// The limits of reads that are not answered yet.
        var pendingReads: [Int] = []
        var isReady: Bool
        var compression: Compression

        init(_ id: FileID, _ path: String, _ descriptor: consuming Descriptor, isWatched: Bool, isRegular: Bool) {
            offset = isRegular ? 0 : nil
            (self.id, self.path, self.isWatched) = (id, path, isWatched)
            self.descriptor = descriptor
            isReady = !isWatched
            compression = isWatched ? .none : .undetermined
        }

        /// The next bytes of the file; empty at the end.
        func bytes(limit: Int) throws(Unreadable) -> [UInt8] {
            if compression == .undetermined { compression = looksLikeGzip ? .gzip : .none }
            return compression == .gzip ? try inflated(limit: limit) : try stored(limit: limit)
        }

        private var looksLikeGzip: Bool {
            var beginning = [UInt8](repeating: 0, count: GzipInflater.magic.count)
            return pread(descriptor.number, &beginning, beginning.count, 0) == beginning.count
                && beginning == GzipInflater.magic
        }

        private func stored(limit: Int) throws(Unreadable) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: limit)
            let count =
                if let offset {
                    pread(descriptor.number, &bytes, limit, offset)
                } else {
                    Glibc.read(descriptor.number, &bytes, limit)
                }
            if count > 0 { offset? += count }
            guard count >= 0 else { throw errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed(systemText(errno)) }
            bytes.removeLast(limit - count)
            return bytes
        }

        private func inflated(limit: Int) throws(Unreadable) -> [UInt8] {
            while true {
                let bytes: [UInt8]
                do throws(GzipError) { bytes = try inflater.nextBytes(limit: limit) } catch {
                    throw .failed("\(error)")
                }
                if !bytes.isEmpty || inflater.isAtEnd { return bytes }
                inflater.addInput(try stored(limit: Files.compressedPiece))
            }
        }

        private lazy var inflater = GzipInflater()
    }

    private enum Compression { case undetermined, none, gzip }
    private enum Unreadable: Error {
        /// Nothing can be read now; the poller reports when there is.
        case wouldBlock
        case failed(String)
    }

    /// The longest answer, whatever limit was requested.
    private static let answerLimit = 1 << 20
    /// Bytes of a gzip file that are read at once.
    private static let compressedPiece = 1 << 16

    private var files: [Open] = []
    /// Granted files by path. Opening such a path uses the granted file, as often as it is played.
    private var granted: [GrantedFile] = []
    private static let grantedLimit = 4

    init() {}

    /// The number by which the poller identifies a file.
    static func token(of id: FileID) -> UInt64 { 4 << 32 | UInt64(id.rawValue) }

    /// Opens a file.
    ///
    /// - Parameter file: A file that is already open under this path, for a process that may not open files.
    /// - Returns: The failure; nil on success.
    mutating func open(
        _ id: FileID, path: String, granted file: GrantedFile? = nil, with poller: borrowing Poller
    ) -> Input? {
        close(id, with: poller)
        if let file {
            granted.removeAll { $0.path == path }
            granted.append(file)
            if granted.count > Self.grantedLimit { granted.removeFirst() }
        }
        let number =
            granted.first { $0.path == path }.map { system_duplicate_above($0.descriptor, 3) }
            ?? Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return .fileFailed(id, reason: "\(path): \(systemText(errno))") }
        let descriptor = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            return .fileFailed(id, reason: "\(path): is a folder")
        }
        // The poller watches a file only while a read waits: an end without a reader would wake the process forever.
        var isWatched = false
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        if !isRegular, (try? poller.watch(number, as: Self.token(of: id))) == true {
            poller.forget(number)
            isWatched = true
        }
        files.append(Open(id, path, descriptor, isWatched: isWatched, isRegular: isRegular))
        return nil
    }

    mutating func read(_ id: FileID, limit: Int, with poller: borrowing Poller) {
        guard let file = files.first(where: { $0.id == id }) else { return }
        file.pendingReads.append(min(max(1, limit), Self.answerLimit))
        if file.isWatched, file.pendingReads.count == 1 {
            _ = try? poller.watch(file.descriptor.number, as: Self.token(of: id))
        }
    }

    mutating func close(_ id: FileID, with poller: borrowing Poller) {
        guard let index = files.firstIndex(where: { $0.id == id }) else { return }
        let file = files.remove(at: index)
        if file.isWatched, !file.pendingReads.isEmpty { poller.forget(file.descriptor.number) }
    }

    mutating func markReady(_ id: FileID) { files.first { $0.id == id }?.isReady = true }

    /// Whether a read can be answered without waiting.
    var hasAnswers: Bool { files.contains { $0.isReady && !$0.pendingReads.isEmpty } }

    /// One answer for each file that has one.
    mutating func answers(with poller: borrowing Poller) -> [Input] {
        var answers: [Input] = []
        for file in files where file.isReady && !file.pendingReads.isEmpty {
            let answer: Input
            do throws(Unreadable) {
                answer = .fileBytes(file.id, try file.bytes(limit: file.pendingReads[0]))
            } catch {
                if file.isWatched { file.isReady = false }
                guard case .failed(let reason) = error else { continue }
                answer = .fileFailed(file.id, reason: "\(file.path): \(reason)")
            }
            if file.isWatched { file.isReady = false }
            answers.append(answer)
            file.pendingReads.removeFirst()
            if file.isWatched, file.pendingReads.isEmpty { poller.forget(file.descriptor.number) }
        }
        return answers
    }
}
