// Displays.swift: which displays a group has, which app is on which, and over which each panel lies.
//
//    screen.width, height, rotation, scale ─┐
//    screen.others=1024x768@1 ──────────────┼▶ Displays ─▶ server, input-kit, every app, audit
//    app.display of each app ───────────────┘
//    device.displays=Wacom=2 ────────────────▶ PanelDisplays ─▶ input-kit
//
// The main display is 1, the others are numbered from 2 in the order in which they are said. An app lives on one of them
// for good (Docs/Decisions/Displays.md).
//
// Sources   documented  UIScreen.main, UIScreen.screens: the main one is always there, and first
//           invented    the settings; that an app of a display that is not there is on the main one

public import Basics
public import HID
public import Wire

public struct Displays: Sendable {
    public struct Display: Hashable, Sendable {
        public var geometry: ScreenGeometry
        /// Pixels in a point.
        public var scale: Double

        public init(geometry: ScreenGeometry, scale: Double) { (self.geometry, self.scale) = (geometry, scale) }

        /// `1024x768@2`: points, and pixels in one of them, which are left away where they are one.
        ///
        /// - Returns: Nil for what is none, or none that a display could have.
        public init?(word: some StringProtocol) {
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
            guard parts.count <= 2, sides.count == 2, let width = Double(sides[0]), let height = Double(sides[1]),
                let scale = parts.count == 1 ? 1 : Double(parts[1]), Self.sides.contains(width),
                Self.sides.contains(height), Self.scales.contains(scale)
            else { return nil }
            self.init(geometry: ScreenGeometry(width: width, height: height, rotation: 0), scale: scale)
        }

        /// Points, of `screen.width` and of every other; pixels in a point.
        static let sides = 1.0...100_000
        static let scales = 0.5...8
    }

    /// The main one first; never none.
    public private(set) var all: [Display]
    /// Where app 1, 2, … is; the others are where the group's are.
    private var apps: [DisplayID] = []
    private var group = DisplayID.main

    /// The most there can be.
    public static let limit = Int(DisplayID.last.rawValue)

    /// A main one, and nothing else.
    public init(main: ScreenGeometry, scale: Double = 2) { all = [Display(geometry: main, scale: scale)] }

    public init(_ settings: Settings) {
        let main = ScreenGeometry(
            width: settings[.screenWidth], height: settings[.screenHeight], rotation: settings[.screenRotation])
        self.init(main: main, scale: settings[.screenScale])
        all += settings[.screenOthers]
        group = display(saidBy: settings)
        guard let topology = try? Topology(text: settings[.groupTopology]) else { return }
        apps = topology.apps.indices.map { display(saidBy: topology.settings(of: AppID(index: $0), in: settings)) }
    }

    private func display(saidBy settings: Settings) -> DisplayID {
        let number = DisplayID(settings[.appDisplay])
        return contains(number) ? number : .main
    }

    public func display(of app: AppID) -> DisplayID {
        app.index.flatMap { $0 < apps.count ? apps[$0] : nil } ?? group
    }

    /// Of this display; of one that is not there the main one's.
    public func geometry(of display: DisplayID) -> ScreenGeometry { self[display].geometry }

    /// - Parameter display: From 1; one that is not there is the main one.
    public subscript(display: DisplayID) -> Display { all[index(of: display)] }

    /// Where a display is in `all`; one that is not there is the main one.
    public func index(of display: DisplayID) -> Int {
        display.index.flatMap { all.indices.contains($0) ? $0 : nil } ?? 0
    }

    /// From 1 on.
    public var numbers: ClosedRange<DisplayID> { .main...DisplayID(index: all.count - 1) }

    /// Whether there is such a display.
    public func contains(_ display: DisplayID) -> Bool { numbers.contains(display) }

    /// The first app that lives there, of those that are said one by one.
    public func firstApp(on display: DisplayID) -> AppID? {
        apps.firstIndex(of: display).map { AppID(index: $0) } ?? (group == display ? AppID(index: apps.count) : nil)
    }

    /// Why a text is no list of displays beside the main one; nil when it is one.
    static func complaint(about list: String) -> String? {
        let words = list.split(separator: " ")
        let areDisplays = words.count < limit && words.allSatisfy { Display(word: $0) != nil }
        return areDisplays ? nil : "at most \(limit - 1) displays as 1024x768@2, with blanks between"
    }
}

/// Which panels lie over another display than the main one.
public struct PanelDisplays: Sendable {
    public struct Entry: Sendable {
        /// The path of the device's node, or the name that the device reports.
        let name: Substring
        let display: DisplayID
    }

    private let entries: [Entry]

    public init(_ settings: Settings) {
        let displays = Displays(settings)
        entries = settings[.deviceDisplays].filter { displays.contains($0.display) }
    }

    /// - Parameters:
    ///   - path: Of its device node.
    ///   - name: As it calls itself.
    public func display(ofDevice path: String, called name: String) -> DisplayID {
        entries.first { $0.name == path || $0.name == name }?.display ?? .main
    }

    /// The reverse of what `device.displays` has; nil for anything else.
    static func entries(_ text: String) -> [Entry]? {
        var found: [Entry] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: !text.contains(",")) {
            guard let equals = entry.lastIndex(of: "="), equals > entry.startIndex,
                let number = UInt8(entry[entry.index(after: equals)...]), (1...Displays.limit).contains(Int(number))
            else { return nil }
            found.append(Entry(name: entry[..<equals], display: DisplayID(number)))
        }
        return found
    }

    /// Why a text says of no panel where it lies; nil when it does.
    static func complaint(about text: String) -> String? {
        entries(text) != nil ? nil : "devices and their displays as /dev/input/event5=2 or Wacom=2, with commas between"
    }
}
