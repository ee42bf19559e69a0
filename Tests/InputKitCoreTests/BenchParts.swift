import Basics
import HID
import Hosting
import Links
import Wire

/// The files of a bench.
struct BenchDisk {
    var files: [String: [UInt8]] = [:]
    private(set) var openFiles: [FileID: ArraySlice<UInt8>] = [:]
    private(set) var reads = 0

    /// - Returns: The failure to open a missing file; nil if the file is open now.
    mutating func open(_ id: FileID, _ path: String) -> Input? {
        guard let bytes = files[path] else { return .fileFailed(id, reason: "No such file or directory") }
        openFiles[id] = bytes[...]
        return nil
    }

    /// - Returns: The bytes that were read; nil for a file that is not open.
    mutating func read(_ id: FileID, limit: Int) -> Input? {
        guard let rest = openFiles[id] else { return nil }
        reads += 1
        openFiles[id] = rest.dropFirst(limit)
        return .fileBytes(id, Array(rest.prefix(limit)))
    }

    mutating func close(_ id: FileID) { openFiles[id] = nil }
}

/// The devices that can be plugged into a bench, and the orders that the core gave for them.
struct BenchPanels {
    /// The facts that `open` finds, by path. Any other path fails.
    var pluggable: [String: DeviceFacts] = [:]
    /// The contents of the slots in the answer to a resync request.
    var slots: DeviceSlots?
    /// Whether a resync request is answered at once.
    var answersResync = true
    private(set) var orders: [DeviceOrder] = []

    /// - Returns: The host's immediate answer; nil if there is none.
    mutating func handle(_ order: DeviceOrder) -> DeviceNotice? {
        orders.append(order)
        return switch order {
        case .open(let id, let path, _):
            pluggable[path].map { .opened(id, $0) } ?? .failed(id, reason: "\(path): unplugged")
        case .resync(let id): answersResync ? .slots(id, slots) : nil
        case .watch, .close: nil
        }
    }

    var openings: Int { orders.count { if case .open = $0 { true } else { false } } }

    /// The id of the last opening of `path`.
    func id(of path: String) -> DeviceID {
        for case .open(let id, path: path, grab: _) in orders.reversed() { return id }
        return DeviceID(0)
    }
}

/// The server at the other end of a bench's link.
struct BenchServer {
    /// The delay of the server's answer to a scan; nil if the server does not answer.
    var answersAfter: Duration? = .zero
    var credit: UInt32 = 256
    /// The core's last hello.
    private(set) var lastHello: Frame?
    private var answeredHello: SequenceNumber?
    /// The received frames that carry no input.
    private(set) var received: [Frame] = []
    private var link = LinkNumbers(epoch: 9, generation: 4)

    mutating func receive(_ frame: Frame) {
        if frame.message == .hello { lastHello = frame }
        received.append(frame)
    }

    mutating func accept(_ frame: Frame) { _ = link.accept(frame) }

    /// Answers the core's hello. On a link that is open already, the frame only brings a new credit.
    mutating func hello(epoch: UInt32, generation: UInt32) -> Frame {
        if lastHello?.sequence != answeredHello {
            link = LinkNumbers(epoch: epoch, generation: generation)
            if let lastHello { link.welcome(lastHello, epoch: epoch) }
            answeredHello = lastHello?.sequence
        }
        return frame(.hello)
    }

    /// Makes the server's next frame.
    mutating func frame(_ message: Message) -> Frame { link.frame(message, credit: credit) }

    /// Makes a receipt for `frame` with a complete ledger, as if an app had counted the fingers.
    mutating func receipt(for frame: Frame, _ fingers: [DigitizerEvent], at now: Instant) -> Frame {
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered)
        for finger in fingers {
            switch finger.phase {
            case .began: receipt.began += 1
            case .moved: receipt.moved += 1
            case .stationary, nil: receipt.stationary += 1
            case .ended: receipt.ended += 1
            case .cancelled: receipt.cancelled += 1
            }
        }
        var ledger = frame.ledger
        while !ledger.isComplete { ledger.append(now) }
        accept(frame)
        return link.frame(.handled(receipt), ledger: ledger, credit: credit)
    }
}

/// The core's timers and the inputs that are under way.
struct BenchAgenda {
    private var timers: [(id: TimerID, at: Instant)] = []
    private var due: [(input: Input, at: Instant)] = []

    mutating func add(_ input: Input, at moment: Instant) { due.append((input, moment)) }

    mutating func arm(_ timer: TimerID, at moment: Instant) {
        disarm(timer)
        timers.append((timer, moment))
    }

    mutating func disarm(_ timer: TimerID) { timers.removeAll { $0.id == timer } }

    /// - Returns: The next input or timer, an input first if both are due; nil if nothing is due by `limit`.
    mutating func removeNext(by limit: Instant) -> (input: Input, at: Instant)? {
        let input = due.indices.min { due[$0].at < due[$1].at }
        let timer = timers.indices.min { timers[$0].at < timers[$1].at }
        let inputAt = input.map { due[$0].at } ?? .never
        let timerAt = timer.map { timers[$0].at } ?? .never
        guard min(inputAt, timerAt) <= limit else { return nil }
        if let input, inputAt <= timerAt { return due.remove(at: input) }
        return timer.map { (.timerFired(timers.remove(at: $0).id), timerAt) }
    }
}
