// HostileController.swift: a process of the same user that attacks a group's sockets in every way of the threat page.
//
// Used by   KillingMonkey, which starts it as a process of its own, because a group counts refusals by pid
// Does      RawConnection, RawController: rounds of one attack each, from a seed, until stdin asks for the counts
//
// No attack may end a process, delay a touch for long, or reach an app. The attacker does nothing that a controller may
// do. It orders no play, no act that is carried out in time, and no shutdown.
//
// Sources   invented, after Docs/Internals/Threats.md: T2, T4, T6

import ArgumentParser
import Basics
import Glibc
import Wire
import ZeroMQHost

/// The hidden worker of `touchline monkey kills --hostile`.
struct HostileControllerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hostile-controller", shouldDisplay: false)

    @Option(name: .customLong("run-dir")) var runDirectory: String
    @Option var seed: UInt64

    func run() throws {
        var controller = HostileController(runDirectory: runDirectory, seed: seed)
        while !hasInput { controller.attack() }
        // Prints the counts when the parent has asked; ends without them when the parent is gone.
        guard readLine() != nil else { return }
        printLine(controller.tally.line)
    }

    /// Whether the parent has written a line, or is gone. Waits 50 ms for it, which leaves CPU time to the group.
    private var hasInput: Bool {
        var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 50) > 0
    }
}

/// The attacker.
struct HostileController {
    /// One kind of attack.
    enum Attack: Int, CaseIterable, Sendable {
        /// Connections that send nothing or half a greeting, held for some rounds.
        case halfOpen
        /// Handshakes with a routing id that the attacker chooses.
        case claimedID
        /// A message with an endless number of parts.
        case endlessMessage
        /// Ten times as many questions as a controller may ask in a second.
        case flood
        /// Fewer questions, and no answer read.
        case unread
        /// Bytes that are no ZMTP, and packets that are no frames.
        case noise
        /// Frames of input-kit and of an app, without a pass.
        case impostor
    }

    /// The number of attacks of each kind, and the number that the group refused: it closed the connection, or took no
    /// more.
    struct Tally {
        var rounds = [Int](repeating: 0, count: Attack.allCases.count)
        var refused = [Int](repeating: 0, count: Attack.allCases.count)

        /// The counts in the order of the cases, for `init(line:)`.
        var line: String { (rounds + refused).map { "\($0)" }.joined(separator: " ") }

        init() {}

        /// - Returns: Nil when the line is no tally.
        init?(line: String) {
            let counts = line.split(separator: " ").compactMap { Int($0) }
            guard counts.count == 2 * Attack.allCases.count else { return nil }
            rounds = Array(counts.prefix(Attack.allCases.count))
            refused = Array(counts.suffix(Attack.allCases.count))
        }
    }

    private static let questionsOfPacket = 400
    private static let packetsOfFlood = 250
    private static let partsOfMessage = 200
    private static let connectionsHeld = 32
    private static let impostorFrames = 50

    private let runDirectory: String
    private let paths: RunPaths
    private var chance: SeededGenerator
    private(set) var tally = Tally()
    /// Half-open connections, and controllers that do not read.
    private var heldConnections: [RawConnection] = []

    init(runDirectory: String, seed: UInt64) {
        self.runDirectory = runDirectory
        paths = RunPaths(runDirectory)
        chance = SeededGenerator(seed: seed)
    }

    /// Makes one attack. A socket that takes no connection at the moment counts as a refusal.
    mutating func attack() {
        let attack = Attack.allCases.randomElement(using: &chance) ?? .noise
        tally.rounds[attack.rawValue] += 1
        let path = [paths.control, paths.input, paths.app].randomElement(using: &chance) ?? paths.control
        let isRefused: Bool
        do throws(HostError) { isRefused = try make(attack, on: path) } catch { isRefused = true }
        if isRefused { tally.refused[attack.rawValue] += 1 }
        if heldConnections.count > Self.connectionsHeld {
            heldConnections.removeFirst(heldConnections.count - Self.connectionsHeld / 2)
        }
    }

    private mutating func make(_ attack: Attack, on path: String) throws(HostError) -> Bool {
        switch attack {
        case .halfOpen:
            for _ in 0..<8 {
                let connection = try connect(to: path)
                connection.send(Array(RawConnection.greeting().prefix(Int.random(in: 0...64, using: &chance))))
                heldConnections.append(connection)
            }
            return false
        case .claimedID:
            let connection = try connect(to: path)
            let id = bytes(Int.random(in: 1...255, using: &chance))
            connection.send(
                RawConnection.greeting() + RawConnection.ready([RawConnection.dealer, RawConnection.identity(id)]))
            return connection.waitForClose()
        case .endlessMessage:
            let connection = try connect(to: path)
            guard connection.performHandshake() else { return true }
            let part = RawConnection.part([UInt8](repeating: 0, count: 60_000), more: true)
            for _ in 0..<Self.partsOfMessage { guard connection.send(part) else { return true } }
            return connection.waitForClose()
        case .flood:
            let question = Message.detailRequest(DetailRequest(id: 0))
            return try ask([question], packets: Self.packetsOfFlood).waitForClose()
        case .unread:
            heldConnections.append(try ask(Self.questions, packets: 2))
            return false
        case .noise:
            let connection = try connect(to: path)
            if Bool.random(using: &chance) { guard connection.performHandshake() else { return true } }
            let noise = bytes(Int.random(in: 1...2000, using: &chance))
            connection.send(Bool.random(using: &chance) ? noise : RawConnection.part(noise, more: false))
            heldConnections.append(connection)
            return false
        case .impostor:
            let connection = try connect(to: Bool.random(using: &chance) ? paths.app : paths.input)
            guard connection.performHandshake() else { return true }
            for number in 1...UInt64(Self.impostorFrames) {
                let frame = Frame(
                    epoch: 1, generation: 1, sequence: SequenceNumber(number), credit: 256, message: .hello)
                guard connection.send(RawConnection.part(frame.encoded(), more: false)) else { return true }
            }
            heldConnections.append(connection)
            return false
        }
    }

    private static let questions: [Message] = [
        .detailRequest(DetailRequest(id: 0)), .reportRequest, .observe(Observation(id: 0, kind: .begin)),
        .observe(Observation(id: 0, kind: .page, of: .systemServer)), .observe(Observation(id: 0, kind: .end)),
    ]

    /// - Returns: The connection on which the questions were sent.
    private func ask(_ questions: [Message], packets: Int) throws(HostError) -> RawConnection {
        let controller = try RawController(runDirectory, within: .seconds(3))
        let packet = (0..<Self.questionsOfPacket).map { questions[$0 % questions.count] }
        for _ in 0..<packets { guard controller.send(packet) else { break } }
        return controller.connection
    }

    private func connect(to path: String) throws(HostError) -> RawConnection {
        try RawConnection(path, within: .seconds(3))
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
    }
}
