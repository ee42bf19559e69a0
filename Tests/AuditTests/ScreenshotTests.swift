import Audit
import Basics
import HID
import Hosting
import Links
import Testing
import Wire

@Suite("The audit of screenshots")
struct ScreenshotTests {
    private func run() -> TinyRun {
        let run = TinyRun(.live)
        run.serverReceives(.foreground(app: 1))
        return run
    }

    /// The server receives a key and sends the app `times` screenshot messages.
    private func says(
        _ run: TinyRun, _ phase: InputPhase, _ usage: HIDUsage, telling times: Int = 0
    ) {
        let event = DeviceEvent<DigitizerSpace>(timeStamp: run.now, input: DeviceInput(phase, .key(usage)))
        let frame = run.fromInputKit.frame(.device(event), ledger: Ledger(device: run.now))
        run.step(run.inputKit, .timerFired(TimerID(2)), [.send(frame, to: .systemServer)])
        _ = run.toInputKit.accept(frame)
        let effects = (0..<times).map { _ in Effect.send(run.toApp.frame(.screenshot), to: .app(1)) }
        run.step(run.server, .frame(run.arrived(frame), from: .inputKit), effects)
    }

    private func chord(_ run: TinyRun, apart milliseconds: Int64 = 50, telling times: Int) {
        says(run, .began, .power)
        run.now = run.now.advanced(by: .milliseconds(milliseconds))
        says(run, .began, .volumeUp)
        says(run, .ended, .power)
        says(run, .ended, .volumeUp, telling: times)
    }

    private func findings(_ run: TinyRun) -> [String] {
        run.finish().violations.map(\.text).filter { $0.contains("screenshot") }
    }

    @Test("the audit expects exactly one screenshot message per chord and visible app")
    func once() {
        for times in 0...2 {
            let run = run()
            chord(run, telling: times)
            #expect(findings(run).count == (times == 1 ? 0 : 1), "\(times) times")
        }
    }

    @Test("the audit finds a screenshot message without a valid chord")
    func none() {
        for times in 0...1 {
            let late = run()
            chord(late, apart: 201, telling: times)
            let alone = run()
            says(alone, .began, .power)
            says(alone, .ended, .power, telling: times)
            let locked = run()
            locked.serverReceives(.lock)
            chord(locked, telling: times)
            for run in [late, alone, locked] { #expect(findings(run).count == times) }
        }
    }
}
