// WebDriverActions.swift: the sources and items of a WebDriver actions text.
//
// Station   device
// Input     WebDriverReader, a JSON tree
// Output    WebDriverPlay
// Knows     types, ranges and defaults. No time.
//
// Sources   documented  Docs/Spec/Input.md section 3.11, W3C WebDriver "extract an action sequence"; its "invalid argument" is an error here
//                       that names the item
//           invented    that a twist is checked and not kept: it turns a pen but does not change its position

import Basics
import HID

/// The parsed action sources.
struct WebDriverActions: Sendable {
    enum Origin: Sendable { case viewport, pointer }

    struct Move: Sendable {
        var x, y: Double
        /// Milliseconds; nil for the tick's own length.
        var duration: Int64?
        var origin: Origin
        var attributes: ContactAttributes
        var location: JSONNode.Location
    }

    enum Item: Sendable {
        case move(Move)
        case down(ContactAttributes)
        case up
        case cancel
        /// No change, for this many milliseconds.
        case pause(Int64)
    }

    struct Source: Sendable {
        var id: String
        /// Whether it is a finger or a pen, which can touch.
        var canTouch: Bool
        var tool = ContactAttributes.Tool.finger
        var items: [Item] = []
    }

    private(set) var sources: [Source] = []
    /// The axes of the panel that positions refer to; nil for CSS pixels.
    private(set) var axes: AxisRanges?
    /// Other facts of the device.
    private(set) var device = DeviceDescription()
    /// Remarks for a person about sources that cannot touch.
    private(set) var remarks: [String] = []
    /// Presses of buttons that do not touch.
    private var otherButtons = 0
    private var pressure = WebDriverWriter.pressure

    /// The most sources that touch: as many as there can be contacts.
    static let touchLimit = HIDEvent.fingerLimit
    /// The most sources altogether: every tick visits each.
    static let sourceLimit = 256
    /// WebDriver's largest integer.
    private static let integerLimit = 9_007_199_254_740_991.0

    /// Degrees, as units of a device's axis; azimuth in ten-thousandths of a radian.
    private static let tilt = DeviceAxis(minimum: -90, maximum: 90, resolution: 180 / .pi)
    private static let azimuth = DeviceAxis(minimum: 0, maximum: 62832, resolution: 10000)

    init(_ root: JSONNode) throws(Complaint) {
        let list: JSONNode
        if case .array = root.value {
            list = root
        } else if case .object = root.value {
            guard let actions = root["actions"] ?? root["parameters"]?["actions"] else {
                throw root.complaint("a member \"actions\"", found: "an object without")
            }
            list = actions
            if let extensionNode = root["touchline"] { try parseExtension(extensionNode) }
        } else {
            throw root.complaint("WebDriver actions: an object or an array")
        }
        guard case .array(let nodes) = list.value else { throw list.complaint("an array of action sources") }
        guard nodes.count <= Self.sourceLimit else {
            throw list.complaint("at most \(Self.sourceLimit) sources", found: "\(nodes.count)")
        }
        for node in nodes { try parseSource(node) }
        if otherButtons > 0 { remarks.append("buttons other than 0 make no contacts: \(otherButtons) were left out") }
        if sources.contains(where: \.canTouch) { return }
        remarks.append("no source of these actions is a touch pointer")
    }

    // MARK: The member `touchline`

    private mutating func parseExtension(_ node: JSONNode) throws(Complaint) {
        if let axes = node["axes"] {
            let numbers = try shorts(axes, count: 4, "the panel's corners as [x0, y0, x1, y1]")
            guard numbers[0] < numbers[2], numbers[1] < numbers[3] else {
                throw axes.complaint("corners with some width between them", found: "\(numbers)")
            }
            self.axes = AxisRanges(x: numbers[0]...numbers[2], y: numbers[1]...numbers[3])
        }
        if let range = node["pressure"] {
            let numbers = try shorts(range, count: 2, "the least and the most pressure as [0, 255]")
            guard numbers[0] < numbers[1] else {
                throw range.complaint("pressures with some width between them", found: "\(numbers)")
            }
            pressure = DeviceAxis(minimum: numbers[0], maximum: numbers[1])
        }
        if let name = node["name"] {
            guard case .string(let text) = name.value else { throw name.complaint("the device's name") }
            device.name = text
        }
        if let id = node["id"] {
            let numbers = try shorts(id, count: 4, "bus, vendor, product and version")
            guard numbers.allSatisfy({ (0...0xFFFF).contains($0) }) else {
                throw id.complaint("numbers of 16 bits", found: "\(numbers)")
            }
            device.numbers = DeviceDescription.Numbers(
                bus: UInt16(numbers[0]), vendor: UInt16(numbers[1]), product: UInt16(numbers[2]),
                version: UInt16(numbers[3]))
        }
    }

    private func shorts(_ node: JSONNode, count: Int, _ expected: String) throws(Complaint) -> [Int32] {
        guard case .array(let nodes) = node.value, nodes.count == count else { throw node.complaint(expected) }
        var numbers: [Int32] = []
        for item in nodes {
            guard case .number(let number) = item.value, let short = Int32(exactly: number) else {
                throw item.complaint("a whole number of 32 bits")
            }
            numbers.append(short)
        }
        return numbers
    }

    // MARK: A source

    private mutating func parseSource(_ node: JSONNode) throws(Complaint) {
        guard case .object = node.value else { throw node.complaint("an action source, an object") }
        let type = try string(node, "type", "an action source's type: pointer, key, wheel or none")
        let id = try string(node, "id", "an action source's id")
        guard !sources.contains(where: { $0.id == id }) else {
            throw (node["id"] ?? node).complaint("an id no other source has (invalid argument)")
        }
        var source = Source(id: id, canTouch: false)
        switch type {
        case "pointer":
            let pointer = try pointerType(node)
            source.canTouch = pointer != "mouse"
            source.tool = pointer == "pen" ? .pen : .finger
            if !source.canTouch { remarks.append("\(quoted(id)) is a mouse: it makes no contacts") }
        case "key", "wheel": remarks.append("\(quoted(id)) is a \(type) source: it makes no contacts")
        case "none": break
        default:
            throw (node["type"] ?? node).complaint(
                "a type of pointer, key, wheel or none (invalid argument)")
        }
        if source.canTouch, sources.count(where: \.canTouch) == Self.touchLimit {
            throw node.complaint("at most \(Self.touchLimit) sources that touch", found: "one more")
        }
        guard let list = node["actions"] else {
            throw node.complaint("a member \"actions\" of \(quoted(id))", found: "a source without")
        }
        guard case .array(let nodes) = list.value else { throw list.complaint("an array of actions") }
        source.items.reserveCapacity(nodes.count)
        for item in nodes {
            guard case .object = item.value else { throw item.complaint("an action, an object (invalid argument)") }
            source.items.append(try parseItem(item, of: type, source))
        }
        sources.append(source)
    }

    private func pointerType(_ node: JSONNode) throws(Complaint) -> String {
        guard let parameters = node["parameters"] else { return "mouse" }
        guard case .object = parameters.value else {
            throw parameters.complaint("a pointer's parameters, an object (invalid argument)")
        }
        guard let type = parameters["pointerType"] else { return "mouse" }
        guard case .string(let typeName) = type.value, ["mouse", "pen", "touch"].contains(typeName) else {
            throw type.complaint("a pointerType of mouse, pen or touch (invalid argument)")
        }
        return typeName
    }

    // MARK: An item

    private mutating func parseItem(
        _ node: JSONNode, of type: String, _ source: Source
    ) throws(Complaint) -> Item {
        let typeName = try string(node, "type", "an action's type")
        if typeName == "pause" { return .pause(try duration(node) ?? 0) }
        switch (type, typeName) {
        case ("pointer", "pointerMove"):
            let move = try parseMove(node, source.tool)
            return source.canTouch ? .move(move) : .pause(move.duration ?? 0)
        case ("pointer", "pointerDown"), ("pointer", "pointerUp"):
            guard let button = node["button"] else {
                throw node.complaint("a member \"button\" (invalid argument)", found: "a \(typeName) without")
            }
            let number = try integer(button, "a button", in: 0...Self.integerLimit)
            let attributes = try attributes(node, source.tool)
            guard source.canTouch, number == 0 else {
                if source.canTouch { otherButtons += 1 }
                return .pause(0)
            }
            return typeName == "pointerDown" ? .down(attributes) : .up
        case ("pointer", "pointerCancel"): return source.canTouch ? .cancel : .pause(0)
        case ("key", "keyDown"), ("key", "keyUp"):
            guard let value = node["value"], case .string = value.value else {
                throw (node["value"] ?? node).complaint("a key's value, a string (invalid argument)")
            }
            return .pause(0)
        case ("wheel", "scroll"): return .pause(try duration(node) ?? 0)
        default:
            let known =
                switch type {
                case "pointer": "pause, pointerMove, pointerDown, pointerUp or pointerCancel"
                case "key": "pause, keyDown or keyUp"
                case "wheel": "pause or scroll"
                default: "pause"
                }
            throw (node["type"] ?? node).complaint("an action of \(known) (invalid argument)")
        }
    }

    private func parseMove(_ node: JSONNode, _ tool: ContactAttributes.Tool) throws(Complaint) -> Move {
        func coordinate(_ name: String) throws(Complaint) -> Double {
            guard let value = node[name] else {
                throw node.complaint("a member \"\(name)\" (invalid argument)", found: "a pointerMove without")
            }
            return try number(value, "a position", in: -Self.integerLimit...Self.integerLimit)
        }
        var origin = Origin.viewport
        if let value = node["origin"] {
            switch value.value {
            case .string("viewport"): break
            case .string("pointer"): origin = .pointer
            case .object:
                throw value.complaint(
                    "an origin of \"viewport\" or \"pointer\": there is no page here", found: "an element")
            case .null, .bool, .number, .string, .array:
                throw value.complaint("an origin of \"viewport\" or \"pointer\" (invalid argument)")
            }
        }
        return Move(
            x: try coordinate("x"), y: try coordinate("y"), duration: try duration(node), origin: origin,
            attributes: try attributes(node, tool), location: node.location)
    }

    private func attributes(
        _ node: JSONNode, _ tool: ContactAttributes.Tool
    ) throws(Complaint) -> ContactAttributes {
        var attributes = ContactAttributes()
        attributes.tool = tool
        func optional(
            _ name: String, in range: ClosedRange<Double>, isWhole: Bool = false
        ) throws(Complaint) -> Double? {
            guard let value = node[name] else { return nil }
            return isWhole ? try integer(value, name, in: range) : try number(value, name, in: range)
        }
        let width = try optional("width", in: 0...Self.integerLimit)
        let height = try optional("height", in: 0...Self.integerLimit)
        let share = try optional("pressure", in: 0...1)
        _ = try optional("tangentialPressure", in: -1...1)
        let tiltX = try optional("tiltX", in: -90...90, isWhole: true)
        let tiltY = try optional("tiltY", in: -90...90, isWhole: true)
        _ = try optional("twist", in: 0...359, isWhole: true)
        let altitude = try optional("altitudeAngle", in: 0...(.pi / 2))
        let azimuth = try optional("azimuthAngle", in: 0...(2 * .pi))

        func short(_ value: Double) -> Int32 { Int32(clamping: Int64(clamping: value)) }
        if let width, let height {
            (attributes.major, attributes.minor) = (short(max(width, height)), short(min(width, height)))
        } else {
            (attributes.major, attributes.minor) = (width.map(short), height.map(short))
        }
        attributes.pressure = share.map { share in
            short(Double(pressure.minimum) + share * (Double(pressure.maximum) - Double(pressure.minimum)))
        }
        if tiltX != nil || tiltY != nil {
            // The azimuth follows from the tilts where it is needed.
            (attributes.tiltX, attributes.tiltY) = (short(tiltX ?? 0), short(tiltY ?? 0))
        } else if altitude != nil || azimuth != nil {
            let (altitude, angle) = (altitude ?? .pi / 2, azimuth ?? 0)
            let (x, y) = WebDriverAngles.tilt(altitude: altitude, azimuth: angle)
            (attributes.tiltX, attributes.tiltY) = (x, y)
            attributes.azimuth = short(angle * Self.azimuth.resolution)
        }
        return attributes
    }

    /// The duration in milliseconds.
    private func duration(_ node: JSONNode) throws(Complaint) -> Int64? {
        guard let value = node["duration"] else { return nil }
        return Int64(try integer(value, "a duration in milliseconds", in: 0...Self.integerLimit))
    }

    private func string(_ node: JSONNode, _ key: String, _ expected: String) throws(Complaint) -> String {
        guard let value = node[key] else {
            throw node.complaint("\(expected) (invalid argument)", found: "an object without \"\(key)\"")
        }
        guard case .string(let text) = value.value else { throw value.complaint("\(expected) (invalid argument)") }
        return text
    }

    private func number(
        _ node: JSONNode, _ what: String, in range: ClosedRange<Double>
    ) throws(Complaint) -> Double {
        guard case .number(let number) = node.value, range.contains(number) else {
            throw node.complaint(
                "\(what) from \(bound(range.lowerBound)) to \(bound(range.upperBound)) (invalid argument)")
        }
        return number
    }

    private func integer(
        _ node: JSONNode, _ what: String, in range: ClosedRange<Double>
    ) throws(Complaint) -> Double {
        let number = try number(node, what, in: range)
        guard number == number.rounded() else { throw node.complaint("\(what), a whole number (invalid argument)") }
        return number
    }

    private func bound(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// The device with the axes that its contacts' attributes use.
    func described() -> DeviceDescription {
        var device = device
        device.kind = .touchscreen
        (device.pressure, device.tiltX, device.tiltY, device.azimuth) = (pressure, Self.tilt, Self.tilt, Self.azimuth)
        return device
    }
}
