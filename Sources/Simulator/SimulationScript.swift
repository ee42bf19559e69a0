// SimulationScript.swift: the person of a simulated run: its script, cut into pieces as `touchline input` orders them.
//
//     seed ─▶ gestures of the monkey, acts of the system ─▶ lines ─▶ pieces (plays) and acts, by time
//
// A piece ends where nothing is held. So a failed play loses one gesture and not the rest of the run.
//
// Sources   invented

import Basics
package import Recordings
import Synthesis
package import Wire

/// A script as plays and system acts, by time.
struct SimulationScript {
    enum Act {
        /// One play. Times count from the piece's own moment. A play may fail, so a piece need not reach an app.
        case play(script: String, length: Duration)
        case system(SystemAct)
    }

    struct Entry {
        let at: Duration
        let act: Act
    }

    let entries: [Entry]

    init(_ lines: [FingerScript.Line]) {
        var entries: [Entry] = []
        var piece: [FingerScript.Line] = []
        var held: [String] = []
        func closePiece() {
            guard let first = piece.first, let last = piece.last else { return }
            for index in piece.indices { piece[index].time -= first.time }
            // A person plays a longer script from a file. Here half of the moves are removed until the piece fits.
            var text = piece.text
            while text.utf8.count > PlayOrder.scriptLimit {
                var moves = 0
                let before = piece.count
                piece.removeAll { line in
                    guard case .move = line.act else { return false }
                    moves += 1
                    return moves % 2 == 0
                }
                if piece.count == before { return piece = [] }
                text = piece.text
            }
            entries.append(Entry(at: first.time, act: .play(script: text, length: last.time - first.time)))
            piece.removeAll(keepingCapacity: true)
        }
        for line in lines {
            if let act = SystemAct(line.act) {
                entries.append(Entry(at: line.time, act: .system(act)))
                continue
            }
            guard line.act.isInput else { continue }
            if held.isEmpty, let last = piece.last, last.time < line.time { closePiece() }
            piece.append(line)
            line.act.updateHeldInputs(&held)
        }
        closePiece()
        self.entries = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// Draws a script from a seed: the gestures of a monkey, and the acts of the system.
    static func drawn(
        seed: UInt64, length: Duration, apps: UInt32, profile: MonkeyProfile, screen: Rect<ScreenSpace>,
        swipes: Bool = false, turns: Bool = false, chords: Bool = false
    ) -> [FingerScript.Line] {
        var chance = SeededGenerator(seed: seed ^ 0x5C21_B75C_21B7_5C21)
        var monkey = MonkeyScript(seed: chance.next(), profile: profile, screen: screen)
        var lines: [FingerScript.Line] = []
        var zero = Duration.zero
        // A gesture that begins before the end is completed.
        while let step = monkey.next(), zero + step.pause < length {
            zero += step.pause
            for line in step.lines {
                lines.append(FingerScript.Line(time: zero + line.time, act: line.act, number: lines.count + 1))
            }
            zero += step.length
        }
        for (time, act) in acts(length: length, apps: apps, screen: screen, &chance) {
            lines.append(FingerScript.Line(time: time, act: act, number: lines.count + 1))
        }
        if swipes { addSwipes(to: &lines, length: length, screen: screen, &chance) }
        if turns { addTurns(to: &lines, length: length, apps: apps, &chance) }
        if chords { addChords(to: &lines, length: length, &chance) }
        return lines.byTime
    }

    /// Adds presses of power and volume up every one or two seconds, independent of the fingers. They come together,
    /// too far apart, one alone, or one again before the other is up. Some last 2 s, so that their device can be lost
    /// meanwhile.
    private static func addChords(
        to lines: inout [FingerScript.Line], length: Duration, _ chance: inout SeededGenerator
    ) {
        var at = Duration.zero
        func add(_ name: String, isDown: Bool, after milliseconds: Int = 0) {
            at += .milliseconds(milliseconds)
            let act = FingerScript.Act.device(.press(name, isDown: isDown))
            lines.append(FingerScript.Line(time: at, act: act, number: lines.count + 1))
        }
        while true {
            at += .milliseconds(chance.number(1...3000))
            guard at + .seconds(6) < length else { return }
            let isPowerFirst = chance.happens(0.5)
            let (one, other) = isPowerFirst ? ("power", "volumeUp") : ("volumeUp", "power")
            let hold = chance.one(of: [1, 80, 80, 300, 2000])
            add(one, isDown: true)
            guard chance.happens(0.85) else {
                add(one, isDown: false, after: hold)
                continue
            }
            add(other, isDown: true, after: chance.one(of: [0, 0, 5, 40, 120, 199, 200, 201, 600]))
            let (lifted, kept) = chance.happens(0.5) ? (one, other) : (other, one)
            add(lifted, isDown: false, after: hold)
            if chance.happens(0.15) {
                add(lifted, isDown: true, after: chance.number(1...150))
                add(lifted, isDown: false, after: chance.number(1...150))
            }
            add(kept, isDown: false, after: chance.number(0...100))
        }
    }

    /// Adds a separate finger that enters over an edge every second or two, independent of the others. It moves fast,
    /// slowly, along the edge, back, or rests. Its swipes last from less than a scan to seconds.
    private static func addSwipes(
        to lines: inout [FingerScript.Line], length: Duration, screen: Rect<ScreenSpace>,
        _ chance: inout SeededGenerator
    ) {
        let finger = 9
        var at = Duration.zero
        func advance(_ milliseconds: Int) { at += .milliseconds(chance.number(0...milliseconds)) }
        func add(_ act: FingerScript.Act) {
            lines.append(FingerScript.Line(time: at, act: act, number: lines.count + 1))
        }
        while true {
            advance(2000)
            guard at + .seconds(4) < length else { return }
            let isFromBelow = chance.happens(0.6)
            var (x, depth) = (Double(chance.number(0...Int(screen.width) - 1)), Double(chance.number(0...24)))
            func point() -> Point<ScreenSpace> {
                let y = isFromBelow ? screen.height - 1 - depth : depth
                return Point(x, min(max(y, 0), screen.height - 1))
            }
            add(.down(finger: finger, point()))
            let step = chance.one(of: [3, 8, 20, 60])
            let (inward, along) = (chance.number(-1...8), chance.happens(0.2) ? chance.number(-12...12) : 0)
            for _ in 0..<chance.number(0...12) {
                at += .milliseconds(step)
                depth += Double(inward)
                x = min(max(x + Double(along), 0), screen.width - 1)
                add(.move(finger: finger, point()))
            }
            if chance.happens(0.3) { advance(1200) }
            if chance.happens(0.2) {
                depth = 0
                at += .milliseconds(step)
                add(.move(finger: finger, point()))
            }
            at += .milliseconds(1)
            add(chance.happens(0.95) ? .up(finger: finger) : .cancel(finger: finger))
        }
    }

    /// Adds turns of apps, independent of the fingers on them.
    private static func addTurns(
        to lines: inout [FingerScript.Line], length: Duration, apps: UInt32, _ chance: inout SeededGenerator
    ) {
        guard apps > 0 else { return }
        var at = Duration.milliseconds(chance.number(0...3000))
        while at < length {
            let app = 1 + UInt32(chance.number(0...Int(apps) - 1))
            let act = ScreenAct.orientation(app: app, chance.one(of: InterfaceOrientation.allCases))
            lines.append(FingerScript.Line(time: at, act: .screen(act), number: lines.count + 1))
            at += .milliseconds(chance.number(1...3000))
        }
    }

    /// Draws acts of the system. A quarter of the seeds has none. The others have one every few seconds, or several a
    /// second.
    private static func acts(
        length: Duration, apps: UInt32, screen: Rect<ScreenSpace>, _ chance: inout SeededGenerator
    ) -> [(Duration, FingerScript.Act)] {
        guard chance.next() % 4 != 0 else { return [] }
        let share = Double(chance.next() % 1000) / 1000
        let mean = 300 + Int64(8000 * share * share)  // ms
        var acts: [(Duration, FingerScript.Act)] = []
        var (isLocked, isInterrupted, isDark) = (false, false, false)
        func app() -> UInt32 { 1 + UInt32(chance.next() % UInt64(apps)) }
        var at = Duration.zero
        while true {
            at += .milliseconds(1 + Int64(chance.next() % UInt64(2 * mean)))
            guard at < length else { return acts }
            let dice = chance.next() % 20
            if isDark {
                (isDark, _) = (false, acts.append((at, .screen(.display(isOn: true)))))
            } else if isLocked {
                (isLocked, _) = (false, acts.append((at, .unlock)))
            } else if isInterrupted {
                (isInterrupted, _) = (false, acts.append((at, .resume)))
            } else if dice < 5, apps > 0 {
                acts.append((at, .foreground(app: app())))
            } else if dice < 9, apps > 0 {
                acts.append((at, .screen(.split(app: app(), with: app()))))
            } else if dice < 11, apps > 0 {
                let frame = drawFrame(on: screen, &chance)
                acts.append((at, .screen(.overlay(app: app(), frame))))
            } else if dice < 12, apps > 0 {
                let (kind, one) = (chance.next(), app())
                acts.append((at, .screen(kind % 3 > 0 ? .suspend(app: one) : .terminate(app: one))))
                // The app is wanted again, before it has ended or soon after.
                let again = at + .milliseconds(Int64(kind / 6 % 40))
                if kind % 6 == 0, again < length { acts.append((again, .foreground(app: one))) }
            } else if dice < 13 {
                acts.append((at, .screen(.keyboard(chance.next() % 2 == 0 ? 0 : (screen.height * 0.4).rounded()))))
            } else if dice < 15 {
                acts.append((at, .home))
            } else if dice < 16 {
                (isLocked, _) = (true, acts.append((at, .lock)))
            } else if dice < 17 {
                (isDark, _) = (true, acts.append((at, .screen(.display(isOn: false)))))
            } else if dice < 18 {
                (isInterrupted, _) = (true, acts.append((at, .screen(.alert))))
            } else {
                (isInterrupted, _) = (true, acts.append((at, .interrupt("call"))))
            }
        }
    }

    /// Draws a frame on the screen, at times beyond an edge.
    private static func drawFrame(
        on screen: Rect<ScreenSpace>, _ chance: inout SeededGenerator
    ) -> Rect<ScreenSpace> {
        func share() -> Double { Double(chance.next() % 65) / 64 }
        return Rect(
            x: (screen.width * (share() - 0.125)).rounded(), y: (screen.height * (share() - 0.125)).rounded(),
            width: max(1, (screen.width * share()).rounded()), height: max(1, (screen.height * share()).rounded()))
    }
}

extension SystemAct {
    /// The system act of a script's screen act.
    package init(_ act: ScreenAct) {
        self =
            switch act {
            case .split(let app, let other): .split(app: AppID(app), with: AppID(other))
            case .overlay(let app, let frame):
                .overlay(
                    app: AppID(app), frame: Rect(x: frame.x, y: frame.y, width: frame.width, height: frame.height))
            case .suspend(let app): .suspend(app: AppID(app))
            case .terminate(let app): .terminate(app: AppID(app))
            case .alert: .alert
            case .keyboard(let height): .keyboard(height: Fixed(height))
            case .display(let isOn): .display(isOn: isOn)
            case .orientation(let app, let orientation): .orientation(app: AppID(app), orientation)
            }
    }

    /// Nil for an act that no supervisor passes on.
    init?(_ act: FingerScript.Act) {
        switch act {
        case .interrupt: self = .interrupt
        case .resume: self = .resume
        case .home: self = .home
        case .foreground(let app): self = .foreground(app: AppID(app))
        case .lock: self = .lock
        case .unlock: self = .unlock
        case .screen(let act): self.init(act)
        case .down, .move, .up, .cancel, .scan, .launch, .crash, .open, .set, .remove, .disable, .device: return nil
        }
    }
}

extension FingerScript.Act {
    /// Updates the list of held inputs: fingers, keys and pointers.
    fileprivate func updateHeldInputs(_ held: inout [String]) {
        func set(_ name: String, _ isHeld: Bool) {
            held.removeAll { $0 == name }
            if isHeld { held.append(name) }
        }
        switch self {
        case .down(let finger, _): set("f\(finger)", true)
        case .up(let finger), .cancel(let finger): set("f\(finger)", false)
        case .device(.press(let name, let isDown)): set("press \(name)", isDown)
        case .device(.key(let name, let isDown)): set("key \(name)", isDown)
        case .device(.scroll): set("scroll", true)
        case .device(.hover): set("hover", true)
        case .device(.transform): set("transform", true)
        case .device(.end(let pointer)): set(pointer.rawValue, false)
        case .device(.shake), .device(.remote), .device(.wheel), .move, .scan, .interrupt, .resume, .launch,
            .foreground,
            .home, .crash, .lock, .unlock, .screen, .open, .set, .remove, .disable:
            return
        }
    }
}
