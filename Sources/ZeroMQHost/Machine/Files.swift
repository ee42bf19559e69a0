// Files.swift: files that are read: recordings, devices, FIFOs.
//
// A FIFO without a writer yet is waited for; one whose writers have gone is at its end. Both read as nothing, and
// only the poller can tell them apart, so what it can watch is read when it says so. It refuses regular files:
// those are read in the next turn of the loop.
//
// A regular file that begins as gzip does answers what is in it. A device or a FIFO never does: its bytes are its own,
// and two of them may be those by chance.

import CSystem
import Glibc
import Hosting

struct Files: ~Copyable {
    private final class Open {
        let id: FileID
        let path: String
        let descriptor: Descriptor
        let isWatched: Bool
        /// Of a regular file, how far it has been read: one that was granted is opened once, and read as often as it is played.
        private var offset: Int?
        /// Reads asked for and not yet answered, as limits.
        var wanted: [Int] = []
        var isReady: Bool
        var compression: Compression

        init(_ id: FileID, _ path: String, _ descriptor: consuming Descriptor, isWatched: Bool, isRegular: Bool) {
            offset = isRegular ? 0 : nil
            (self.id, self.path, self.isWatched) = (id, path, isWatched)
            self.descriptor = descriptor
            isReady = !isWatched
            compression = isWatched ? .none : .notLookedFor
        }

        /// What a read answers; none at the end.
        func bytes(limit: Int) throws(Unreadable) -> [UInt8] {
            if compression == .notLookedFor { compression = looksLikeGzip ? .gzip : .none }
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
            guard count >= 0 else { throw errno == EAGAIN || errno == EINTR ? .notNow : .failed(systemText(errno)) }
            bytes.removeLast(limit - count)
            return bytes
        }

        private func inflated(limit: Int) throws(Unreadable) -> [UInt8] {
            while true {
                let bytes: [UInt8]
                do throws(GzipError) { bytes = try inflater.take(limit: limit) } catch { throw .failed("\(error)") }
                if !bytes.isEmpty || inflater.isAtEnd { return bytes }
                inflater.give(try stored(limit: Files.compressedPiece))
            }
        }

        private lazy var inflater = GzipInflater()
    }

    private enum Compression { case notLookedFor, none, gzip }
    private enum Unreadable: Error {
        /// The poller will say when.
        case notNow
        case failed(String)
    }

    /// No answer is longer, whatever was asked.
    private static let answerLimit = 1 << 20
    /// Of a gzip file, read at once.
    private static let compressedPiece = 1 << 16

    private var files: [Open] = []
    /// What is opened by these paths is what was granted: plays go through a file as often as they like.
    private var granted: [GrantedFile] = []
    private static let grantedLimit = 4

    init() {}

    /// As the poller knows a file.
    static func token(of id: FileID) -> UInt64 { 4 << 32 | UInt64(id.rawValue) }

    /// - Parameter file: What has been opened already under this path, for a process that may open none.
    /// - Returns: Why not, if not.
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
        // Watched only while a read waits: an end that nobody asks about must not wake us for ever.
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
        file.wanted.append(min(max(1, limit), Self.answerLimit))
        if file.isWatched, file.wanted.count == 1 {
            _ = try? poller.watch(file.descriptor.number, as: Self.token(of: id))
        }
    }

    mutating func close(_ id: FileID, with poller: borrowing Poller) {
        guard let index = files.firstIndex(where: { $0.id == id }) else { return }
        let file = files.remove(at: index)
        if file.isWatched, !file.wanted.isEmpty { poller.forget(file.descriptor.number) }
    }

    mutating func becameReady(_ id: FileID) { files.first { $0.id == id }?.isReady = true }

    /// Whether a read can be answered without waiting.
    var hasAnswers: Bool { files.contains { $0.isReady && !$0.wanted.isEmpty } }

    /// One answer for every file that has one.
    mutating func answers(with poller: borrowing Poller) -> [Input] {
        var answers: [Input] = []
        for file in files where file.isReady && !file.wanted.isEmpty {
            let answer: Input
            do throws(Unreadable) {
                answer = .fileBytes(file.id, try file.bytes(limit: file.wanted[0]))
            } catch {
                if file.isWatched { file.isReady = false }
                guard case .failed(let reason) = error else { continue }
                answer = .fileFailed(file.id, reason: "\(file.path): \(reason)")
            }
            if file.isWatched { file.isReady = false }
            answers.append(answer)
            file.wanted.removeFirst()
            if file.isWatched, file.wanted.isEmpty { poller.forget(file.descriptor.number) }
        }
        return answers
    }
}
