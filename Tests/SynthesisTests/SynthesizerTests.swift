import Basics
import HID
import Recordings
import Synthesis
import Testbed
import Testing

@Suite("Synthesized scripts")
struct SynthesizerTests {
    private func text(_ gesture: Gesture, rate: Int = 60, human: UInt64? = nil) throws -> String {
        var synthesizer = Synthesizer(on: phone, rate: rate, human: human)
        try synthesizer.play(gesture)
        return synthesizer.text
    }

    @Test("a synthesized script without a seed is exact")
    func exact() throws {
        #expect(
            try text(.tap(Point(100, 200), taps: 2)) == """
                down f1 (100.0,200.0) @0.000000000
                up f1 @0.080000000
                down f1 (100.0,200.0) @0.200000000
                up f1 @0.280000000

                """)
        let stroke = Gesture.Stroke(from: Point(300, 200), to: Point(100, 200), duration: .milliseconds(100))
        #expect(
            try text(.swipe(stroke), rate: 40) == """
                down f1 (300.0,200.0) @0.000000000
                move f1 (250.0,200.0) @0.025000000
                move f1 (200.0,200.0) @0.050000000
                move f1 (150.0,200.0) @0.075000000
                move f1 (100.0,200.0) @0.100000000
                up f1 @0.125000000

                """)
        let pair = Gesture.Pair(center: Point(200, 300), from: 50, to: 100, duration: .milliseconds(100))
        #expect(
            try text(.pinch(pair), rate: 20) == """
                down f1 (179.5,300.0) @0.000000000
                down f2 (220.5,300.0) @0.000000000
                move f1 (175.0,300.0) @0.050000000
                move f2 (225.0,300.0) @0.050000000
                move f1 (162.5,300.0) @0.100000000
                move f2 (237.5,300.0) @0.100000000
                move f1 (150.0,300.0) @0.150000000
                move f2 (250.0,300.0) @0.150000000
                up f1 @0.200000000
                up f2 @0.200000000

                """)
    }

    @Test("a synthesized script with a seed is the same everywhere")
    func sameBytes() throws {
        #expect(
            try text(.tap(Point(100, 200)), human: 7) == """
                down f1 (101.71875,200.4375) @0.362040000
                move f1 (101.640625,200.4375) @0.377913000
                move f1 (102.234375,200.515625) @0.394580000
                move f1 (102.0,200.09375) @0.413218000
                move f1 (101.5625,200.125) @0.428937000
                move f1 (101.109375,199.828125) @0.443635000
                up f1 @0.459934000

                """)
        var synthesizer = Synthesizer(on: phone, human: 4711)
        for word in GestureKind.allCases { try synthesizer.play(Gesture(word, on: phone)) }
        // FNV-1a.
        let hash = synthesizer.text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        #expect(hash == 9_615_194_703_013_216_608)
    }

    @Test("a human script is legal, on screen and at rising times", arguments: GestureKind.allCases)
    func legal(word: GestureKind) throws {
        for seed in 0..<50 as Range<UInt64> {
            for rate in [[60], [20], [120], [240]][Int(seed % 4)] {
                var synthesizer = Synthesizer(on: phone, rate: rate, human: seed)
                var options = GestureOptions()
                // At a corner a trembling hand could leave the screen.
                if [.tap, .doubleTap, .longPress, .twoFingerTap].contains(word) { options.at = Point(374, 0) }
                if [.pan, .drag].contains(word) { (options.at, options.to) = (Point(0, 666.5), Point(374.5, 666.5)) }
                if word != .swipe || rate < 240 { try synthesizer.play(Gesture(word, options, on: phone)) }
                try expectLegal(synthesizer)
            }
        }
    }

    private func expectLegal(_ synthesizer: Synthesizer) throws {
        let script = try FingerScript(parsing: synthesizer.text)
        #expect(script.lines.map(\.act) == synthesizer.lines.map(\.act))
        #expect(script.lines.map(\.time) == synthesizer.lines.map(\.time))
        var down: Set<Int> = []
        for line in script.lines {
            switch line.act {
            case .down(let finger, let point):
                down.insert(finger)
                #expect(phone.contains(point))
            case .move(_, let point): #expect(phone.contains(point))
            case .up(let finger): down.remove(finger)
            default: Issue.record("\(line)")
            }
        }
        #expect(down.isEmpty)
        // Every position survives the panel's steps and the server's rounding.
        let geometry = ScreenGeometry(width: phone.width, height: phone.height, rotation: 0)
        for line in script.lines {
            guard case .move(_, let point) = line.act else { continue }
            #expect(geometry.screenPoint(geometry.panelPosition(point)) == point)
        }
    }

    @Test("human scripts differ by seed within a hand's limits")
    func human() throws {
        var texts: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            var synthesizer = Synthesizer(on: phone, human: seed)
            try synthesizer.play(Gesture(.longPress, on: phone))
            texts.insert(synthesizer.text)
            var start = Point<ScreenSpace>(0, 0)
            var times: [Duration] = []
            for line in synthesizer.lines {
                times.append(line.time)
                if case .down(_, let point) = line.act { start = point }
                if case .move(_, let point) = line.act { #expect(point.distance(to: start) <= 3) }
            }
            #expect(start.distance(to: phone.center) < 4)
            let held = times[times.count - 1] - times[0]
            #expect(held >= .milliseconds(800) && held <= .milliseconds(1100))
            // A reaction time, then samples at uneven intervals.
            #expect(times[0] >= .milliseconds(120) && times[0] <= .milliseconds(700))
            let gaps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
            #expect(gaps.count > 10)
        }
        #expect(texts.count == 200)
    }

    @Test("a human's second finger lands 5 to 25 ms later")
    func secondFinger() throws {
        for seed in 0..<200 as Range<UInt64> {
            var synthesizer = Synthesizer(on: phone, human: seed)
            try synthesizer.play(Gesture(.twoFingerTap, on: phone))
            var (downs, ups): ([Duration], [Duration]) = ([], [])
            for line in synthesizer.lines {
                if case .down = line.act { downs.append(line.time) }
                if case .up = line.act { ups.append(line.time) }
            }
            #expect((Duration.milliseconds(5) ... .milliseconds(25)).contains(downs[1] - downs[0]))
            #expect(ups[0] > downs[1])
        }
    }

    @Test("a human pan is fastest in the middle")
    func jerk() throws {
        var synthesizer = Synthesizer(on: phone, human: 3)
        try synthesizer.play(Gesture(.pan, on: phone))
        var points: [Point<ScreenSpace>] = []
        for line in synthesizer.lines {
            switch line.act {
            case .down(_, let point), .move(_, let point): points.append(point)
            default: break
            }
        }
        let steps = zip(points, points.dropFirst()).map { $0.distance(to: $1) }
        let fastest = steps.indices.max { steps[$0] < steps[$1] } ?? 0
        #expect(steps[fastest] > 3 * steps[1])
        #expect(fastest > steps.count / 5 && fastest < steps.count * 2 / 3)
        #expect(points.last == Point(187.5, 166.75))
    }

    @Test("a synthesized gesture does not depend on the gesture before it")
    func independence() throws {
        func last(after first: GestureKind) throws -> [FingerScript.Act] {
            var synthesizer = Synthesizer(on: phone, human: 5)
            try synthesizer.play(Gesture(first, on: phone))
            let count = synthesizer.lines.count
            try synthesizer.play(Gesture(.pan, on: phone))
            return synthesizer.lines[count...].map(\.act)
        }
        #expect(try last(after: .tap) == last(after: .pinch))
    }
}
