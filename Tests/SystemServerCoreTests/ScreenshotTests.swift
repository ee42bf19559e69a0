import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Test("ScreenshotChord's transitions match Docs/Reference/Machines/ScreenshotChord.md")
func screenshotMachine() {
    expectMachineTable(
        "ScreenshotChord", states: ScreenshotChord.State.allCases, inputs: ScreenshotChord.Input.allCases,
        transition: { ScreenshotChord.transition(from: $0, on: $1) })
}

@Suite("The screenshot chord")
struct ScreenshotTests {
    var stage = Stage()
    /// The device's clock, in milliseconds.
    private var clock = 5
    private let power = HIDUsage.power
    private let volumeUp = HIDUsage.volumeUp

    init() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
    }

    /// - Returns: The apps that receive a screenshot message.
    private mutating func says(
        _ phase: InputPhase, _ usage: HIDUsage, after milliseconds: Int = 0
    ) -> [UInt32] {
        clock += milliseconds
        let moment = Instant.boot.advanced(by: .milliseconds(clock))
        let event = DeviceEvent<DigitizerSpace>(timeStamp: moment, input: DeviceInput(phase, .key(usage)))
        _ = stage.handle(.frame(stage.inputKitFrame(.device(event)), from: .inputKit))
        return told
    }

    private var told: [UInt32] {
        stage.lastSent.compactMap { peer, frame in frame.message == .screenshot ? peer.instance : nil }
    }

    /// Presses one key, presses the other after `milliseconds`, and releases both.
    private mutating func chord(_ milliseconds: Int, isPowerFirst: Bool = true) -> [UInt32] {
        let (one, other) = isPowerFirst ? (power, volumeUp) : (volumeUp, power)
        return says(.began, one) + says(.began, other, after: milliseconds) + says(.ended, one, after: 80)
            + says(.ended, other, after: 10)
    }

    @Test("power and volume up pressed within the window make one screenshot")
    mutating func inTime() {
        for (gap, isPowerFirst) in [(0, true), (0, false), (200, true), (200, false)] {
            #expect(chord(gap, isPowerFirst: isPowerFirst) == [1], "\(gap) ms")
        }
    }

    @Test("the screenshot is taken when the chord's last key is released")
    mutating func released() {
        #expect(says(.began, power) == [])
        #expect(says(.began, volumeUp, after: 50) == [])
        #expect(says(.ended, power, after: 2000) == [])
        #expect(says(.ended, volumeUp, after: 10) == [1])
    }

    @Test("keys too far apart, alone or in sequence make no screenshot")
    mutating func mistimed() {
        #expect(chord(201) == [])
        #expect(says(.began, power) + says(.ended, power, after: 50) == [])
        #expect(says(.began, volumeUp, after: 20) + says(.ended, volumeUp, after: 50) == [])
        #expect(says(.began, power) + says(.began, volumeUp) + says(.ended, power, after: 50) == [])
        #expect(says(.began, power, after: 10) + says(.ended, power, after: 10) == [])
        #expect(says(.ended, volumeUp) == [])
        #expect(chord(50) == [1])
    }

    @Test("repeated key-downs and unmatched key-ups do not make a screenshot")
    mutating func repeated() {
        #expect(says(.ended, power) == [])
        #expect(says(.began, power) + says(.began, power, after: 500) == [])
        #expect(says(.began, volumeUp) == [], "the first word counts")
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
    }

    @Test("cancelled or lost keys make no screenshot")
    mutating func lost() {
        #expect(says(.began, power) + says(.began, volumeUp) + says(.cancelled, power) == [])
        #expect(says(.ended, volumeUp) == [])
        #expect(says(.began, power) + says(.began, volumeUp) == [])
        _ = stage.handle(.peerLost(.inputKit))
        _ = stage.inputKitSaysHello(generation: 2)
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
        #expect(says(.began, power) + says(.began, volumeUp) == [])
        _ = stage.inputKitFrame(.digitizer(scan()))
        #expect(says(.ended, power) + says(.ended, volumeUp) == [])
        #expect(chord(0) == [1])
    }

    @Test("chord keys reach the app as presses, and end no touch")
    mutating func presses() {
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(stage.inputKitSends(.began, .key(power)).map(\.message.kind) == [.input])
        #expect(stage.inputKitSends(.began, .key(volumeUp)).map(\.message.kind) == [.input])
        #expect(stage.inputKitSends(.ended, .key(volumeUp)).map(\.message.kind) == [.input])
        #expect(stage.inputKitSends(.ended, .key(power)).map(\.message.kind) == [.input, .screenshot])
        let lifts = stage.scans(lifted(1))
        guard case .touches(let frame)? = lifts.last?.message else { return #expect(Bool(false), "no touches") }
        #expect(frame.contacts.map(\.phase) == [.ended])
    }

    @Test("visible apps receive the screenshot, under an alert but not a lock")
    mutating func whoHears() {
        func act(_ act: SystemAct, _ stage: inout Stage) {
            _ = stage.handle(.frame(stage.order(.act(act)), from: .supervisor))
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

    @Test("an app with a full credit window still receives the screenshot")
    mutating func mute() throws {
        var settings = Settings()
        try settings.set(.serverCreditWindow, to: "1")
        stage = Stage(settings)
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(chord(0) == [1])
    }

    @Test("the screenshot chord uses the configured window")
    mutating func window() throws {
        var settings = Settings()
        try settings.set(.screenshotMaxInterval, to: "0.5")
        stage = Stage(settings)
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        #expect(chord(500) == [1])
        #expect(chord(501) == [])
    }
}
