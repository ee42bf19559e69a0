import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Test("the chord of the screenshot is in the table")
func screenshotMachine() {
    expectMachineTable(
        "ScreenshotChord", states: ScreenshotChord.State.allCases, inputs: ScreenshotChord.Input.allCases,
        transition: { ScreenshotChord.transition(from: $0, on: $1) })
}

@Suite("Power and volume up")
struct ScreenshotTests {
    var stage = Stage()
    /// The device's, in milliseconds.
    private var clock = 5
    private let power = HIDUsage.power
    private let volumeUp = HIDUsage.volumeUp

    init() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
    }

    /// - Returns: Apps that are told of a screenshot.
    private mutating func says(
        _ phase: InputPhase, _ usage: HIDUsage, after milliseconds: Int = 0
    ) -> [UInt32] {
        clock += milliseconds
        let moment = Instant.boot.advanced(by: .milliseconds(clock))
        let event = DeviceEvent<DigitizerSpace>(timeStamp: moment, input: DeviceInput(phase, .key(usage)))
        _ = stage.give(.frame(stage.inputKitFrame(.device(event)), from: .inputKit))
        return told
    }

    private var told: [UInt32] {
        stage.lastSent.compactMap { peer, frame in frame.message == .screenshot ? peer.instance : nil }
    }

    /// One goes down, the other so much later, and both go up.
    private mutating func chord(_ milliseconds: Int, isPowerFirst: Bool = true) -> [UInt32] {
        let (one, other) = isPowerFirst ? (power, volumeUp) : (volumeUp, power)
        return says(.began, one) + says(.began, other, after: milliseconds) + says(.ended, one, after: 80)
            + says(.ended, other, after: 10)
    }

    @Test("down within the window, whichever first, and both up again, are a screenshot of which the app hears once")
    mutating func inTime() {
        for (gap, isPowerFirst) in [(0, true), (0, false), (200, true), (200, false)] {
            #expect(chord(gap, isPowerFirst: isPowerFirst) == [1], "\(gap) ms")
        }
    }

    @Test("is taken when the last of them is up, and not before")
    mutating func released() {
        #expect(says(.began, power) == [])
        #expect(says(.began, volumeUp, after: 50) == [])
        #expect(says(.ended, power, after: 2000) == [])
        #expect(says(.ended, volumeUp, after: 10) == [1])
    }

    @Test("too far apart, alone, one after the other, or one of them twice are none; the next chord is one again")
    mutating func mistimed() {
        #expect(chord(201) == [])
        #expect(says(.began, power) + says(.ended, power, after: 50) == [])
        #expect(says(.began, volumeUp, after: 20) + says(.ended, volumeUp, after: 50) == [])
        #expect(says(.began, power) + says(.began, volumeUp) + says(.ended, power, after: 50) == [])
        #expect(says(.began, power, after: 10) + says(.ended, power, after: 10) == [])
        #expect(says(.ended, volumeUp) == [])
        #expect(chord(50) == [1])
    }

    @Test("said twice go down once, and what was never down does not come up")
    mutating func repeated() {
        #expect(says(.ended, power) == [])
        #expect(says(.began, power) + says(.began, power, after: 500) == [])
        #expect(says(.began, volumeUp) == [], "the first word counts")
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
    }

    @Test("whose device is gone, or that may have been lost, are forgotten")
    mutating func lost() {
        #expect(says(.began, power) + says(.began, volumeUp) + says(.cancelled, power) == [])
        #expect(says(.ended, volumeUp) == [])
        #expect(says(.began, power) + says(.began, volumeUp) == [])
        _ = stage.give(.peerLost(.inputKit))
        _ = stage.inputKitSaysHello(generation: 2)
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
        #expect(says(.began, power) + says(.began, volumeUp) == [])
        _ = stage.inputKitFrame(.digitizer(scan()))
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
        #expect(chord(0) == [1])
    }

    @Test("are the app's presses as before, with receipts, and end no touch")
    mutating func presses() {
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(stage.says(.began, .key(power)).map(\.message.kind) == [.input])
        #expect(stage.says(.began, .key(volumeUp)).map(\.message.kind) == [.input])
        #expect(stage.says(.ended, .key(volumeUp)).map(\.message.kind) == [.input])
        #expect(stage.says(.ended, .key(power)).map(\.message.kind) == [.input, .screenshot])
        let lifts = stage.scans(lifted(1))
        guard case .touches(let frame)? = lifts.last?.message else { return #expect(Bool(false), "no touches") }
        #expect(frame.contacts.map(\.phase) == [.ended])
    }

    @Test("tell each app on the screen, under an alert too, and none behind a lock or on the home screen")
    mutating func whoHears() {
        func act(_ act: SystemAct, _ stage: inout Stage) {
            _ = stage.give(.frame(stage.order(.act(act)), from: .supervisor))
        }
        _ = stage.appSaysHello(2)
        #expect(chord(0) == [1])
        act(.split(app: 1, with: 2), &stage)
        #expect(chord(0) == [1, 2])
        act(.alert, &stage)
        #expect(chord(0) == [1, 2])
        act(.resume, &stage)
        act(.lock, &stage)
        #expect(chord(0) == [])
        act(.unlock, &stage)
        act(.home, &stage)
        #expect(chord(0) == [])
    }

    @Test("tell an app that answers nothing, whose window is full, without waiting for it")
    mutating func mute() throws {
        var settings = Settings()
        try settings.set(.serverWindow, to: "1")
        stage = Stage(settings)
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(chord(0) == [1])
    }

    @Test("have the window that is set")
    mutating func window() throws {
        var settings = Settings()
        try settings.set(.screenshotWindow, to: "0.5")
        stage = Stage(settings)
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        #expect(chord(500) == [1])
        #expect(chord(501) == [])
    }
}
