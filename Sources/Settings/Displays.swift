// Displays.swift: the displays of a group, the display of each app, and the display below each panel.
//
//    screen.width, height, rotation, scale ─┐
//    screen.others=1024x768@1 ──────────────┼▶ Displays ─▶ server, input-kit, every app, audit
//    app.display of each app ───────────────┘
//    device.displays=Wacom=2 ────────────────▶ PanelDisplays ─▶ input-kit
//
// The main display is 1; the others are numbered from 2 in the order of the setting. An app stays on one display
// (Docs/Decisions/Displays.md).
//
// Sources   documented  UIScreen.main, UIScreen.screens: the main one always exists, and is first
//           invented    the settings; that an app of a missing display is on the main one

public import Basics
public import HID
public import Wire

/// The displays of a group and the display of each app.
public struct Displays: Sendable {
    /// One display.
    public struct Display: Hashable, Sendable {
        public var geometry: ScreenGeometry
        /// Pixels per point.
        public var scale: Double

        public init(geometry: ScreenGeometry, scale: Double) { (self.geometry, self.scale) = (geometry, scale) }

        /// Parses `1024x768@2`: points, and pixels per point, which may be omitted if they are 1.
        ///
        /// - Returns: Nil for another text, and for an impossible display.
        public init?<Text: StringProtocol>(text: Text) {
            // By bytes: every process checks and parses the setting when it starts.
            let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            let sides = parts[0].split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
            func number(_ bytes: Text.UTF8View.SubSequence) -> Double? {
                Double(String(decoding: bytes, as: UTF8.self))
            }
            guard parts.count <= 2, sides.count == 2, let width = number(sides[0]), let height = number(sides[1]),
                let scale = parts.count == 1 ? 1 : number(parts[1]), Self.sides.contains(width),
                Self.sides.contains(height), Self.scales.contains(scale)
            else { return nil }
            self.init(geometry: ScreenGeometry(width: width, height: height, rotation: 0), scale: scale)
        }

        /// The limits of a side in points, and of the pixels per point.
        static let sides = 1.0...100_000
        static let scales = 0.5...8
    }

    /// The main display first; never empty.
    public private(set) var all: [Display]
    /// The displays of app 1, 2, …; all other apps are on the group's display.
    private var apps: [DisplayID] = []
    private var group = DisplayID.main

    /// The most displays.
    public static let limit = Int(DisplayID.last.rawValue)

    /// A main display only.
    public init(main: ScreenGeometry, scale: Double = 2) { all = [Display(geometry: main, scale: scale)] }

    public init(_ settings: Settings) { self.init(settings, settings.topology) }

    /// - Parameters:
    ///   - settings: The settings of the group.
    ///   - topology: The topology of these settings, for a caller that needs it more than once.
    public init(_ settings: Settings, _ topology: Topology?) {
        let main = ScreenGeometry(
            width: settings[.screenWidth], height: settings[.screenHeight], rotation: settings[.screenRotation])
        self.init(main: main, scale: settings[.screenScale])
        all += settings[.screenOthers]
        group = existing(settings[.appDisplay])
        guard let topology else { return }
        apps = topology.apps.indices.map { index in
            topology.own(.appDisplay, of: AppID(index: index)).map(existing) ?? group
        }
    }

    /// The display of a setting; the main one's if the display is missing.
    private func existing(_ number: UInt8) -> DisplayID {
        contains(DisplayID(number)) ? DisplayID(number) : .main
    }

    /// The display on which an app stays.
    public func display(of app: AppID) -> DisplayID {
        app.index.flatMap { $0 < apps.count ? apps[$0] : nil } ?? group
    }

    /// The geometry of this display; the main one's if the display is missing.
    public func geometry(of display: DisplayID) -> ScreenGeometry { self[display].geometry }

    /// - Parameter display: From 1; a missing display is replaced by the main one.
    public subscript(display: DisplayID) -> Display { all[index(of: display)] }

    /// The index of a display in `all`; the main one's if the display is missing.
    public func index(of display: DisplayID) -> Int {
        display.index.flatMap { all.indices.contains($0) ? $0 : nil } ?? 0
    }

    /// From 1.
    public var numbers: ClosedRange<DisplayID> { .main...DisplayID(index: all.count - 1) }

    /// Whether the display exists.
    public func contains(_ display: DisplayID) -> Bool { numbers.contains(display) }

    /// The first app on a display, among the apps with settings of their own and the next one.
    public func firstApp(on display: DisplayID) -> AppID? {
        apps.firstIndex(of: display).map { AppID(index: $0) } ?? (group == display ? AppID(index: apps.count) : nil)
    }

    /// The expected text if `list` is no list of displays beside the main one; nil if it is one.
    static func complaint(about list: String) -> String? {
        let words = list.utf8.split(separator: UInt8(ascii: " "))
        let areDisplays = words.count < limit && words.allSatisfy { Display(text: Substring($0)) != nil }
        return areDisplays ? nil : "at most \(limit - 1) displays as 1024x768@2, with blanks between"
    }
}

/// The panels that lie over another display than the main one.
public struct PanelDisplays: Sendable {
    /// A device and its display.
    public struct Entry: Sendable {
        /// The path of the device's node, or the device's name.
        let name: Substring
        let display: DisplayID
    }

    private let entries: [Entry]

    public init(_ settings: Settings) {
        let written = settings[.deviceDisplays]
        guard !written.isEmpty else {
            entries = []
            return
        }
        let displays = Displays(settings)
        entries = written.filter { displays.contains($0.display) }
    }

    /// The display below a device.
    ///
    /// - Parameters:
    ///   - path: The path of its device node.
    ///   - name: The name that it reports.
    public func display(ofDevice path: String, called name: String) -> DisplayID {
        entries.first { $0.name == path || $0.name == name }?.display ?? .main
    }

    /// Parses `device.displays`; nil for a wrong text.
    static func entries(_ text: String) -> [Entry]? {
        var found: [Entry] = []
        let comma = UInt8(ascii: ",")
        for bytes in text.utf8.split(separator: comma, omittingEmptySubsequences: !text.utf8.contains(comma)) {
            let entry = Substring(bytes)
            guard let equals = entry.lastIndex(of: "="), equals > entry.startIndex,
                let number = UInt8(entry[entry.index(after: equals)...]), (1...Displays.limit).contains(Int(number))
            else { return nil }
            found.append(Entry(name: entry[..<equals], display: DisplayID(number)))
        }
        return found
    }

    /// The expected text if `text` is no list of devices and displays; nil if it is one.
    static func complaint(about text: String) -> String? {
        entries(text) != nil ? nil : "devices and their displays as /dev/input/event5=2 or Wacom=2, with commas between"
    }
}
