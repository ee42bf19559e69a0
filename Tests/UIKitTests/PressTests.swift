import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import Trace
import UIKit

/// A view that logs presses, shakes and remote commands, and can be first responder.
private final class KeyView: ProbeView, UIKeyInput {
    var text = ""
    var hasText: Bool { !text.isEmpty }
    var commands: [UIKeyCommand] = []

    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [UIKeyCommand]? { commands }
    func insertText(_ text: String) { self.text += text }
    func deleteBackward() { text.removeLast() }

    private func heard(_ word: String, _ presses: Set<UIPress>) {
        log.add("\(word) \(name)\(presses.first?.key.map { " \($0.characters)" } ?? "")")
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        heard("began", presses)
        if forwards { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        heard("ended", presses)
        if forwards { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        heard("cancelled", presses)
        if forwards { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        log.add("motionBegan \(name)")
        if forwards { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        log.add("motionEnded \(name)")
        if forwards { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        log.add("motionCancelled \(name)")
        if forwards { super.motionCancelled(motion, with: event) }
    }
    override func remoteControlReceived(with event: UIEvent?) {
        log.add("remote \(name) \(event?.subtype.rawValue ?? -1)")
        if forwards { super.remoteControlReceived(with: event) }
    }
}

/// A recognizer that logs its presses and changes its state as the test says.
private final class PressRecognizer: UIGestureRecognizer {
    let log: Log
    var decides: [UIPress.Phase: State] = [.ended: .failed]
    var logs = true

    init(_ name: String, _ types: [UIPress.PressType], _ log: Log) {
        self.log = log
        super.init(target: nil, action: nil)
        self.name = name
        allowedPressTypes = types.map { NSNumber(value: $0.rawValue) }
        addAction(UIAction { _ in log.add("action \(name)") })
    }

    private func hear(_ presses: Set<UIPress>, _ word: String) {
        if logs { log.add("\(name!) \(word)") }
        if let phase = presses.first?.phase, let next = decides[phase] { state = next }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) { hear(presses, "began") }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) { hear(presses, "ended") }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        if logs { log.add("\(name!) cancelled") }
        state = .cancelled
    }
}

private final class Editor: NSObject, UITextFieldDelegate {
    let log: Log
    var says = true
    init(_ log: Log) { self.log = log }
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool {
        log.add("\(range.location)+\(range.length) by \(string)")
        return says
    }
    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        log.add("return?")
        return says
    }
}

private final class Asked: NSObject, UIGestureRecognizerDelegate {
    let log: Log
    var takesPress = true
    init(_ log: Log) { self.log = log }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        log.add("event?")
        return true
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool {
        log.add("press?")
        return takesPress
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        log.add("touch?")
        return true
    }
}

@Suite("Presses, keys, shakes and remotes")
struct PressTests {
    private let stage = Stage()
    private let outer: KeyView
    private let inner: KeyView
    private var log: Log { stage.log }

    init() {
        let frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        (outer, inner) = (KeyView("outer", frame, stage.log), KeyView("inner", frame, stage.log))
        stage.window.addSubview(outer)
        outer.addSubview(inner)
        inner.becomeFirstResponder()
    }

    private func deliver(_ phase: InputPhase, _ content: DeviceInput<SceneSpace>.Content, at seconds: Double = 0) {
        stage.input(phase, content, at: seconds)
    }

    private func press(_ name: String, _ phase: InputPhase, at seconds: Double = 0) {
        deliver(phase, .key(HIDUsage.button(named: name)!), at: seconds)
    }

    private func key(_ name: String, _ phase: InputPhase, at seconds: Double = 0) {
        deliver(phase, .key(HIDUsage.key(named: name)!), at: seconds)
    }

    private func type(_ names: String...) {
        for name in names {
            key(name, .began)
            key(name, .ended)
        }
    }

    // MARK: Presses

    @Test("S98: a press goes to recognizers, the first responder, then the chain")
    func order() {
        let (wants, other) = (PressRecognizer("g", [.menu], log), PressRecognizer("h", [.select], log))
        wants.delaysTouchesEnded = false
        stage.window.addGestureRecognizer(wants)
        inner.addGestureRecognizer(other)
        press("menu", .began, at: 1)
        #expect(log.drain() == ["g began", "began inner", "began outer"])
        press("menu", .ended, at: 2)
        #expect(log.drain() == ["g ended", "ended inner", "ended outer"])
    }

    @Test("a press keeps its responder, and the event lists pressed buttons")
    func staysWithResponder() {
        press("menu", .began)
        #expect(stage.app.devices.presses.event.allPresses.map(\.type) == [.menu])
        outer.becomeFirstResponder()
        press("select", .began)
        #expect(stage.app.devices.presses.event.allPresses.count == 2)
        #expect(log.drain() == ["began inner", "began outer", "began outer"])
        press("menu", .ended)
        press("select", .cancelled)
        #expect(log.drain() == ["ended inner", "ended outer", "cancelled outer"])
        #expect(stage.app.devices.presses.event.allPresses.isEmpty == true)
        press("select", .ended)
        #expect(log.drain().isEmpty, "it never began")
    }

    @Test("without a first responder a press goes to the window's recognizers")
    func windowWithoutFirstResponder() {
        inner.resignFirstResponder()
        let recognizer = PressRecognizer("g", [.menu], log)
        let delegate = Asked(log)
        recognizer.delegate = delegate
        stage.window.addGestureRecognizer(recognizer)
        press("menu", .began)
        #expect(log.drain() == ["event?", "press?", "g began"])
        press("menu", .ended)
        delegate.takesPress = false
        log.lines = []
        press("menu", .began)
        #expect(log.drain() == ["event?", "press?"])
    }

    @Test("a recognizer that recognizes a press cancels it for responders")
    func recognised() {
        let recognizer = PressRecognizer("g", [.menu], log)
        recognizer.decides = [.ended: .ended]
        inner.addGestureRecognizer(recognizer)
        press("menu", .began)
        press("menu", .ended)
        #expect(
            log.drain() == [
                "g began", "began inner", "began outer", "g ended", "action g", "cancelled inner", "cancelled outer",
            ])
    }

    @Test("delaysTouchesBegan holds a press until its recognizer fails or recognizes")
    func delayed() {
        let recognizer = PressRecognizer("g", [.menu], log)
        (recognizer.delaysTouchesBegan, recognizer.logs) = (true, false)
        inner.addGestureRecognizer(recognizer)
        press("menu", .began)
        #expect(log.drain().isEmpty)
        press("menu", .ended)
        #expect(log.drain() == ["began inner", "began outer", "ended inner", "ended outer"])
        recognizer.decides = [.ended: .ended]
        press("menu", .began)
        press("menu", .ended)
        #expect(log.drain() == ["action g"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("delaysTouchesEnded holds a press's end until its recognizer decides")
    func delayedEnd() {
        let recognizer = PressRecognizer("g", [.menu], log)
        (recognizer.decides, recognizer.logs) = ([:], false)
        inner.addGestureRecognizer(recognizer)
        press("menu", .began)
        press("menu", .ended)
        #expect(log.drain() == ["began inner", "began outer"])
        stage.run(at: 1) {
            recognizer.state = .failed
        }
        #expect(log.drain() == ["ended inner", "ended outer"])
    }

    @Test("a press that the system takes is cancelled for recognizers and responder")
    func cancelled() {
        let recognizer = PressRecognizer("g", [.menu], log)
        inner.addGestureRecognizer(recognizer)
        press("menu", .began)
        _ = log.drain()
        press("menu", .cancelled)
        #expect(log.drain() == ["g cancelled", "cancelled inner", "cancelled outer"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a tap recognizer takes a button press that it allows")
    func builtIn() {
        let tap = UITapGestureRecognizer()
        tap.allowedPressTypes = [NSNumber(value: UIPress.PressType.select.rawValue)]
        tap.addAction(UIAction { [log] _ in log.add("tap") })
        inner.addGestureRecognizer(tap)
        press("select", .began, at: 1)
        press("select", .ended, at: 1.1)
        #expect(log.drain() == ["began inner", "began outer", "tap", "cancelled inner", "cancelled outer"])
        press("menu", .began, at: 2)
        press("menu", .ended, at: 2.1)
        #expect(log.drain() == ["began inner", "began outer", "ended inner", "ended outer"])
    }

    // MARK: Keys

    @Test("a key's characters follow the held modifiers")
    func characters() {
        inner.forwards = false
        key("shift", .began)
        type("a", "1")
        key("shift", .ended)
        type("a")
        let began = log.drain().filter { $0.hasPrefix("began") }
        #expect(began == ["began inner ", "began inner A", "began inner !", "began inner a"])
    }

    @Test("unhandled keys are inserted as text into the first responder")
    func typing() {
        type("h", "i", "space", "delete", "return", "escape", "upArrow")
        #expect(inner.text == "hi\n")
        key("command", .began)
        type("c")
        key("command", .ended)
        #expect(inner.text == "hi\n", "a command is no text")
        outer.forwards = false
        type("x")
        #expect(inner.text == "hi\n", "a responder handled the key")
    }

    @Test("caps lock stays on, and shift reverses it for letters")
    func capsLock() {
        type("capsLock", "a", "1")
        key("shift", .began)
        type("a")
        key("shift", .ended)
        type("capsLock", "a")
        #expect(inner.text == "A1aa")
    }

    @Test("a text field inserts letters, reports changes and ends on return")
    func textField() {
        let field = UITextField(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
        stage.window.addSubview(field)
        field.becomeFirstResponder()
        for (event, word) in [(UIControl.Event.editingChanged, "changed"), (.editingDidEndOnExit, "exit")] {
            field.addAction(UIAction { [log] _ in log.add(word) }, for: event)
        }
        type("o", "k", "delete", "return")
        #expect(field.text == "o")
        #expect(log.drain() == ["changed", "changed", "changed", "exit"])
    }

    @Test("a text field's delegate may refuse changes and the return key")
    func textFieldDelegate() {
        let field = UITextField(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
        let delegate = Editor(log)
        stage.window.addSubview(field)
        field.delegate = delegate
        field.becomeFirstResponder()
        let events: [(UIControl.Event, String)] = [
            (.editingChanged, "changed"), (.editingDidEndOnExit, "exit"), (.primaryActionTriggered, "primary"),
        ]
        for (event, word) in events { field.addAction(UIAction { [log] _ in log.add(word) }, for: event) }
        field.text = "👍🏽"
        type("o", "delete", "delete", "return")
        #expect(
            log.drain() == [
                "4+0 by o", "changed", "4+1 by ", "changed", "0+4 by ", "changed", "return?", "exit", "primary",
            ])
        #expect(field.text == "")
        field.text = "a"
        delegate.says = false
        type("o", "delete", "return")
        #expect(log.drain() == ["1+0 by o", "0+1 by ", "return?"])
        #expect(field.text == "a")
    }

    @Test("a touch event carries the held modifier flags")
    func modifiersOfTouches() {
        var flags: [UIKeyModifierFlags] = []
        inner.logsTouches = false
        outer.logsTouches = false
        inner.onTouches = { _, event in if let event { flags.append(event.modifierFlags) } }
        key("shift", .began)
        stage.frame(.down(1, 50, 50), at: 1)
        key("shift", .ended)
        stage.frame(.up(1), at: 1.1)
        #expect(flags == [.shift, []])
    }

    @Test("a key command takes the key before any responder")
    func keyCommand() {
        let action = Selector("save", KeyView.save)
        outer.commands = [UIKeyCommand(input: "s", modifierFlags: .command, action: action)]
        type("s")
        #expect(log.drain().first == "began inner s", "without its modifier")
        key("command", .began)
        _ = log.drain()
        type("s")
        key("command", .ended)
        #expect(log.drain() == ["save inner", "ended inner ", "ended outer "])
    }

    // MARK: Shakes

    @Test("S99: a shake ends at the responders where it began")
    func shake() {
        deliver(.began, .shake)
        outer.becomeFirstResponder()
        deliver(.ended, .shake)
        #expect(log.drain() == ["motionBegan inner", "motionBegan outer", "motionEnded inner", "motionEnded outer"])
        deliver(.began, .shake)
        deliver(.cancelled, .shake)
        #expect(log.drain() == ["motionBegan outer", "motionCancelled outer"])
    }

    @Test("a shake is delivered once, and phases out of order are ignored")
    func shakeOutOfTurn() {
        deliver(.ended, .shake)
        deliver(.began, .shake)
        deliver(.began, .shake)
        deliver(.cancelled, .shake)
        deliver(.ended, .shake)
        #expect(
            log.drain() == ["motionBegan inner", "motionBegan outer", "motionCancelled inner", "motionCancelled outer"])
    }

    @Test("without a first responder a shake goes to the window")
    func shakeInWindow() {
        inner.resignFirstResponder()
        deliver(.began, .shake)
        deliver(.ended, .shake)
        #expect(log.drain().isEmpty)
        #expect(stage.facts(.responder).suffix(2).map { $0.suffix(11) } == ["motionBegan", "motionEnded"])
    }

    @Test("a remote command goes to the first responder, else the application")
    func remote() {
        deliver(.once, .remote(.nextTrack))
        #expect(log.drain() == ["remote inner 104", "remote outer 104"])
        inner.resignFirstResponder()
        deliver(.once, .remote(.play))
        #expect(log.drain().isEmpty)
        #expect(stage.facts(.responder).last == "UIApplication remoteControlReceived")
    }
}

extension KeyView {
    @Sendable fileprivate static func save(_ view: KeyView) -> () -> Void { { view.log.add("save \(view.name)") } }
}
