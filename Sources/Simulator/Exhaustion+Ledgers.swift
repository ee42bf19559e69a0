// Exhaustion+Ledgers.swift: a record of what one process received and sent, kept without knowledge of any core.
//
// Input     Histories: each input with all its effects
// Knows     the laws: I1 a touch begins once and ends once; I3 legal contact lists; I4 one answer to each question; I6
//           windows; I7 no effect from an older epoch or generation

import Basics
import HID
import Hosting
import Wire

/// The ledger of one process: open questions, live touches and open links, as its inputs and effects imply them.
struct Ledgers {
    private let order: LaunchOrder
    private let window: Int
    private let limit: Int
    private(set) var inputs = 0

    /// A client: the link is up and the server has answered the hello.
    private(set) var isOpen = false
    /// A client: the host has announced a connection, and the server has not answered the hello yet.
    private var awaitsWelcome = false
    /// A client: the epoch of the server it is linked to.
    private var epoch: UInt32 = 0
    /// Input-kit: the file that it waits for.
    private(set) var reading: FileID?
    /// The newest report of this process.
    private(set) var report: Report?

    /// The open questions. Input-kit: frames of scans that it sent. An app: frames that it received. The server: frames
    /// of scans that it received.
    private var outstanding = Questions()
    /// An app: the touches that it received.
    private var touches = Touches()

    /// The clients that the server's host has announced so far.
    private var clients: [Client] = []

    private struct Client {
        let peer: Peer
        /// The host has announced it.
        var isAnnounced = true
        var isOpen = false
        var generation: UInt32 = 0
        /// An app: the frames that the server sent and that are not answered yet.
        var outstanding = Questions()
        var touches = Touches()
    }

    init(_ order: LaunchOrder, window: Int, limit: Int) {
        (self.order, self.window, self.limit) = (order, window, limit)
    }

    private var peer: Peer { order.peer }

    /// The slot of a peer in the search; nil for the supervisor.
    func slot(of peer: Peer) -> Int? {
        switch peer.role {
        case .inputKit: 0
        case .systemServer: 1
        case .app: Int(peer.instance) + 1
        case .supervisor, .controller: nil
        }
    }

    /// Whether the server's host has announced this client.
    func hasAnnounced(_ peer: Peer) -> Bool { clients.contains { $0.peer == peer && $0.isAnnounced } }

    // MARK: Inputs and effects

    /// - Parameter liveTouches: An app's own count of live touches after the step.
    mutating func record(_ input: Input, _ effects: [Effect], liveTouches: Int?, faults: inout [Breach]) {
        inputs += 1
        let isStale = self.isStale(input)
        recordInput(input, faults: &faults)
        for effect in effects {
            switch effect {
            case .send(let frame, let receiver):
                if case .report(let report) = frame.message { self.report = report }
                guard slot(of: receiver) != nil else { continue }
                if isStale {
                    faults.append(Breach("I7", "\(peer) answered \(frame.message.kind) to a frame of an older epoch"))
                }
                recordSent(frame, to: receiver, faults: &faults)
            case .read(let file, _): reading = file
            case .close: reading = nil
            default: break
            }
        }
        if let liveTouches, liveTouches != touches.live.count {
            faults.append(
                Breach("I1", "\(peer) shows \(liveTouches) touches, expected \(touches.live.count)"))
        }
        if peer.role == .app, let first = outstanding.first {
            faults.append(Breach("I4", "\(peer) did not answer frame \(first) in the step that brought it"))
            outstanding.removeAll()
        }
        if peer == .systemServer, outstanding.count > limit {
            faults.append(Breach("I6", "\(outstanding.count) frames of scans in flight, limit \(limit)"))
        }
    }

    /// Whether a frame is stale: from an older server than the linked one, or from an older life of a client.
    private func isStale(_ input: Input) -> Bool {
        guard case .frame(let frame, let sender) = input, slot(of: sender) != nil else { return false }
        if peer == .systemServer {
            guard let client = clients.first(where: { $0.peer == sender }), client.isOpen else { return false }
            return frame.generation < client.generation
        }
        return frame.epoch < epoch
    }

    private mutating func recordInput(_ input: Input, faults: inout [Breach]) {
        switch input {
        case .connected(let other):
            if peer == .systemServer {
                if let clientIndex = clients.firstIndex(where: { $0.peer == other }) {
                    clients[clientIndex].isAnnounced = true
                } else {
                    clients.append(Client(peer: other))
                }
            } else {
                (isOpen, awaitsWelcome) = (false, true)
                clearLink()
            }
        case .peerLost(let other):
            if peer == .systemServer {
                guard let clientIndex = clients.firstIndex(where: { $0.peer == other }) else { return }
                closeClient(clientIndex)
                clients[clientIndex].isAnnounced = false
            } else {
                (isOpen, awaitsWelcome) = (false, false)
                clearLink()
            }
        case .frame(let frame, let sender):
            if peer == .systemServer { serverReceived(frame, sender) } else { clientReceived(frame, sender, &faults) }
        case .fileBytes: reading = nil
        default: break
        }
    }

    /// Drops all open questions and touches: the other side of the link is gone.
    private mutating func clearLink() {
        outstanding.removeAll()
        touches.live.removeAll()
        if peer == .inputKit { reading = nil }
    }

    /// Closes the link of a client. Its open questions are dropped, and for input-kit the open scans as well.
    private mutating func closeClient(_ place: Int) {
        clients[place].isOpen = false
        clients[place].outstanding.removeAll()
        clients[place].touches = Touches()
        if clients[place].peer == .inputKit { outstanding.removeAll() }
    }

    private mutating func serverReceived(_ frame: Frame, _ sender: Peer) {
        guard let clientIndex = clients.firstIndex(where: { $0.peer == sender }) else { return }
        if frame.message == .hello {
            guard frame.generation >= clients[clientIndex].generation else { return }
            closeClient(clientIndex)
            clients[clientIndex].generation = frame.generation
            return
        }
        guard clients[clientIndex].isOpen, frame.epoch == order.epoch,
            frame.generation == clients[clientIndex].generation
        else {
            return
        }
        switch frame.message {
        case .digitizer, .scans, .device: outstanding.append(frame)
        case .handled(let receipt): _ = clients[clientIndex].outstanding.remove(receipt.frame)
        default: break
        }
    }

    private mutating func clientReceived(_ frame: Frame, _ sender: Peer, _ faults: inout [Breach]) {
        guard sender == .systemServer else { return }
        if frame.message == .hello {
            guard awaitsWelcome || isOpen && frame.epoch > epoch, frame.epoch >= epoch else { return }
            clearLink()
            (isOpen, awaitsWelcome, epoch) = (true, false, frame.epoch)
            touches = Touches()
            return
        }
        guard isOpen, frame.epoch == epoch else { return }
        switch frame.message {
        case .touches, .severalTouches:
            outstanding.append(frame)
            for list in frame.message.touchFrames {
                if let wrong = touches.apply(list) { faults.append(Breach("I3", "\(peer) received \(wrong)")) }
            }
        case .handled(let receipt):
            if !outstanding.remove(receipt.frame) {
                faults.append(Breach("I4", "\(peer) received a receipt for a frame that was not open"))
            }
        default: break
        }
    }

    private mutating func recordSent(_ frame: Frame, to receiver: Peer, faults: inout [Breach]) {
        guard peer == .systemServer else { return clientSent(frame, &faults) }
        guard let clientIndex = clients.firstIndex(where: { $0.peer == receiver }) else {
            return faults.append(Breach("I7", "system-server sent to \(receiver) before its hello"))
        }
        switch frame.message {
        case .hello: clients[clientIndex].isOpen = true
        case .handled(let receipt):
            if !outstanding.remove(receipt.frame) {
                faults.append(Breach("I4", "system-server answered a scan that was not open, or answered it twice"))
            }
        case .touches, .severalTouches:
            let lists = frame.message.touchFrames
            guard clients[clientIndex].isOpen else {
                return faults.append(Breach("I7", "system-server sent touches to \(receiver), which had ended"))
            }
            for list in lists {
                if let wrong = clients[clientIndex].touches.apply(list) {
                    faults.append(Breach("I1", "system-server sent \(receiver) \(wrong)"))
                }
            }
            clients[clientIndex].outstanding.append(frame)
            // Queued moves are sent before a cancel that ends them, whatever the window.
            let cancels = lists.contains { $0.contacts.contains { $0.phase == .cancelled } }
            let isFlush = clients[clientIndex].touches.live.isEmpty || cancels
            if clients[clientIndex].outstanding.scans > window, !isFlush {
                faults.append(Breach("I6", "\(receiver) was sent a frame beyond its window of \(window)"))
            }
        default: break
        }
    }

    private mutating func clientSent(_ frame: Frame, _ faults: inout [Breach]) {
        switch frame.message {
        case .digitizer, .scans, .device:
            if !isOpen { faults.append(Breach("I3", "\(peer) sent a scan on a link that was not open")) }
            outstanding.append(frame)
        case .handled(let receipt):
            if !outstanding.remove(receipt.frame) {
                faults.append(Breach("I4", "\(peer) answered a frame that was not open, or answered it twice"))
            }
        default: break
        }
    }

    /// Returns every question and touch that is still open when no frame is in transit.
    var faultsAtRest: [Breach] {
        var faults: [Breach] = []
        if outstanding.count > 0 {
            faults.append(Breach("I4", "\(peer) at rest: \(outstanding.count) frames unanswered"))
        }
        if !touches.live.isEmpty {
            faults.append(Breach("I1", "\(peer) at rest: \(touches.live.count) touches never ended"))
        }
        for client in clients where client.isOpen {
            if client.outstanding.count > 0 {
                faults.append(Breach("I4", "\(client.peer) at rest: \(client.outstanding.count) frames unanswered"))
            }
            if !client.touches.live.isEmpty {
                faults.append(Breach("I1", "\(client.peer) at rest: \(client.touches.live.count) touches never ended"))
            }
        }
        return faults
    }
}

/// The frames that wait for an answer, in the order in which they were sent.
private struct Questions {
    private var open: [(frame: SequenceNumber, scans: Int)] = []

    var count: Int { open.count }
    /// Scans in these frames, and 1 for each frame without scans. An app's window counts them.
    var scans: Int { open.reduce(0) { $0 + $1.scans } }
    var first: SequenceNumber? { open.first?.frame }

    mutating func append(_ frame: Frame) { open.append((frame.sequence, frame.message.scanCount)) }

    /// - Returns: False if the frame does not wait for an answer.
    mutating func remove(_ frame: SequenceNumber) -> Bool {
        guard let index = open.firstIndex(where: { $0.frame == frame }) else { return false }
        open.remove(at: index)
        return true
    }

    mutating func removeAll() { open.removeAll() }
}

extension Message {
    /// The scans that the frame brings an app, oldest first.
    fileprivate var touchFrames: [TouchFrame] {
        switch self {
        case .touches(let frame): [frame]
        case .severalTouches(let several): Array(several)
        default: []
        }
    }
}

/// The touches that one app has received on one link.
private struct Touches {
    var live: [TouchID] = []
    /// The highest touch number that has begun: each number is used once.
    private var newest: TouchID?

    /// - Returns: The error in the list; nil when it is legal.
    mutating func apply(_ frame: TouchFrame) -> String? {
        var wrong: String?
        for contact in frame.contacts {
            let index = live.firstIndex(of: contact.touch)
            switch contact.phase {
            case .began:
                if index != nil { wrong = "a touch began twice" }
                if let newest, !(newest < contact.touch) { wrong = "a touch began that had ended" }
                newest = contact.touch
                if index == nil { live.append(contact.touch) }
            case .moved, .stationary:
                if index == nil { wrong = "a touch \(contact.phase) that was not down" }
            case .ended, .cancelled:
                if let index { live.remove(at: index) } else { wrong = "a touch \(contact.phase) that was not down" }
            }
        }
        return wrong
    }
}
