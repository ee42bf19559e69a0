// UsageNames.swift: the names of buttons and keys in scripts.
//
// Station   device
// Input     names in scripts
// Output    usages
//
// Sources   documented  HID Usage Tables 1.5, pages 0x07 (keyboard) and 0x0C (consumer)
//           inferred    the mapping from a remote's buttons to UIPress's names

extension HIDUsage {
    /// The buttons of a remote, by UIPress's names.
    public static let buttons: [(name: String, usage: HIDUsage)] = [
        ("upArrow", consumer(0x42)), ("downArrow", consumer(0x43)), ("leftArrow", consumer(0x44)),
        ("rightArrow", consumer(0x45)), ("select", consumer(0x41)), ("menu", consumer(0x40)),
        ("playPause", consumer(0xCD)), ("pageUp", consumer(0x9C)), ("pageDown", consumer(0x9D)),
    ]

    /// The phone's own buttons, which the monkey does not press.
    public static let phoneButtons: [(name: String, usage: HIDUsage)] = [("power", power), ("volumeUp", volumeUp)]

    public static let power = consumer(0x30)
    public static let volumeUp = consumer(0xE9)

    /// All buttons that scripts can press.
    public static let pressed = buttons + phoneButtons

    /// The keys of a keyboard, by their label or their name.
    public static let keys: [(name: String, usage: HIDUsage)] = {
        var keys: [(String, HIDUsage)] = []
        func add(_ names: String, from first: UInt16) {
            for (offset, name) in names.split(separator: " ").enumerated() {
                keys.append((String(name), keyboard(first + UInt16(offset))))
            }
        }
        add("a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9 0", from: 0x04)
        add("return escape delete tab space - = [ ] \\", from: 0x28)
        add("; ' ` , . / capsLock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12", from: 0x33)
        add("home pageUp deleteForward end pageDown rightArrow leftArrow downArrow upArrow", from: 0x4A)
        add("control shift option command rightControl rightShift rightOption rightCommand", from: 0xE0)
        return keys
    }()

    public static func button(named name: String) -> HIDUsage? { buttons.first { $0.name == name }?.usage }
    /// A button of a remote, or of the phone itself.
    public static func pressed(named name: String) -> HIDUsage? { pressed.first { $0.name == name }?.usage }
    public static func key(named name: String) -> HIDUsage? { keys.first { $0.name == name }?.usage }

    private static func consumer(_ usage: UInt16) -> HIDUsage { HIDUsage(page: consumerPage, usage: usage) }
    private static func keyboard(_ usage: UInt16) -> HIDUsage { HIDUsage(page: keyboardPage, usage: usage) }
}
