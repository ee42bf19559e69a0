// Settings.swift: every key a group can be configured with: default, unit, meaning, source. The single place.
//
// `Config/pipeline.yaml` says them nested; here and on the wire they are dotted words with a text value, so that
// one table answers what exists, what is allowed and what the nearest known key is.

import Basics
public import Wire

public struct SettingKey: Sendable {
    public enum Kind: Sendable {
        case number(ClosedRange<Double>)
        case word([String])
        /// One or more of them, with commas between; or `all`.
        case words([String])
        case flag
        case text
        /// CPU numbers with commas between; none for any.
        case cpus
        /// Of URLs, with blanks between.
        case schemes
        /// Sizes, with blanks between.
        case displays
        /// Devices and theirs, with commas between.
        case panels
    }
    public var name: String
    public var standard: String
    public var kind: Kind
    /// With unit.
    public var meaning: String
    public var source: String

    init(_ name: String, _ standard: String, _ kind: Kind, _ meaning: String, source: String = "invented") {
        (self.name, self.standard, self.kind, self.meaning, self.source) = (name, standard, kind, meaning, source)
    }
}

/// A value that a key does not take, or a key that is none.
public enum SettingsError: Error, Hashable, Sendable {
    case unknown(String, nearest: String?)
    /// A key of an earlier version.
    case removed(String, advice: String)
    case badValue(key: String, value: String, expected: String)
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let key, let nearest?): "unknown key \(key); did you mean \(nearest)?"
        case .unknown(let key, nil): "unknown key \(key)"
        case .removed(let key, let advice): "\(key) is no longer a key: \(advice)"
        case .badValue(let key, let value, let expected): "\(key): expected \(expected), found \(value)"
        }
    }
}

/// The values in force. Walked in the table's order, never as a dictionary.
public struct Settings: Sendable {
    private var values: [String]

    public init() { values = Self.keys.map(\.standard) }

    public init(_ settings: [Setting]) throws(SettingsError) {
        self.init()
        for setting in settings { try set(setting.key, to: setting.value) }
    }

    public mutating func set(_ key: String, to value: String) throws(SettingsError) {
        guard let index = Self.index[key] else {
            if let advice = Self.removed[key] { throw .removed(key, advice: advice) }
            throw .unknown(key, nearest: nearestName(to: key, among: Self.keys.map(\.name)))
        }
        if let expected = Self.keys[index].kind.complaint(about: value) {
            throw .badValue(key: key, value: value, expected: expected)
        }
        values[index] = value
    }

    /// Those that differ from their default: what a launch order carries.
    public var changed: [Setting] {
        zip(Self.keys, values).filter { $0.standard != $1 }.map { Setting(key: $0.name, value: $1) }
    }

    /// What an app of another machine is told: how the phone is, how apps behave, and what of it is this app's. The rest
    /// is this machine's own.
    public func toldElsewhere(to app: UInt32) -> [Setting] {
        let own = ["group", "device", "server", "host", "journal", "chaos", "supervisor", "remote"]
        let topology = try? Topology(text: text("group.topology"))
        return (topology?.settings(of: app, in: self) ?? self).changed.filter { setting in
            // A path says nothing elsewhere.
            !own.contains { setting.key.hasPrefix("\($0).") } && setting.key != "app.scene"
                && setting.key != "app.sample"
        }
    }

    public func text(_ key: String) -> String { values[position(of: key)] }
    public func number(_ key: String) -> Double { Double(values[position(of: key)])! }
    public func flag(_ key: String) -> Bool { ["true", "yes", "on"].contains(values[position(of: key)]) }
    /// Seconds, as every duration key counts.
    public func duration(_ key: String) -> Duration { Duration(seconds: number(key)) }

    private func position(of key: String) -> Int {
        guard let index = Self.index[key] else { preconditionFailure("no setting is called \(key)") }
        return index
    }

    private static let index = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1.name, $0) })
}

extension SettingKey.Kind {
    /// What was expected instead of `value`; nil when it will do.
    func complaint(about value: String) -> String? {
        switch self {
        case .number(let range):
            guard let number = Double(value), range.contains(number) else {
                return "a number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .word(let words): return words.contains(value) ? nil : words.joined(separator: " or ")
        case .words(let words):
            let found = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return value == "all" || found.allSatisfy(words.contains)
                ? nil : "all, or some of \(words.joined(separator: ",")) with commas between"
        case .flag: return ["true", "false", "yes", "no", "on", "off"].contains(value) ? nil : "true or false"
        case .text: return nil
        case .schemes: return Schemes.complaint(about: value)
        case .displays: return Displays.complaint(about: value)
        case .panels: return PanelDisplays.complaint(about: value)
        case .cpus:
            let numbers = value.isEmpty ? [] : value.split(separator: ",", omittingEmptySubsequences: false)
            let areCPUs = numbers.allSatisfy { number in Int(number).map { (0..<1024).contains($0) } ?? false }
            return areCPUs ? nil : "CPU numbers such as 0 or 0,1"
        }
    }
}

extension Settings {
    /// Keys of earlier versions, and what to do with a file that has one.
    private static let removed: [String: String] = [
        "swipe.minRate": "a swipe has no speed limit any more (B9.4); take the line out"
    ]

    public static let keys: [SettingKey] = [
        SettingKey(
            "group.topology", "", .text,
            "what each app shows, as `touchline up --topology FILE` has read it; empty for all alike"),
        SettingKey(
            "group.schemes", "", .text,
            "which app opens URLs of which scheme, as touchline-demo=2 other=3: beside what apps declare themselves"),

        SettingKey("screen.width", "375", .number(Displays.Display.sides), "points, before rotation"),
        SettingKey("screen.height", "667", .number(Displays.Display.sides), "points, before rotation"),
        SettingKey("screen.scale", "2", .number(Displays.Display.scales), "pixels in a point"),
        SettingKey("screen.rotation", "0", .word(["0", "90", "180", "270"]), "degrees clockwise the panel is turned"),
        SettingKey("screen.refreshRate", "60", .number(1...1000), "Hz"),

        SettingKey(
            "screen.others", "", .displays,
            "displays beside this one, 2 and on, as 1024x768@2 (points, and pixels in one) with blanks between",
            source: "UIScreen.screens"),

        SettingKey("frame.rate", "0", .number(0...1000), "frames a second; 0 for screen.refreshRate", source: "B15"),

        SettingKey(
            "app.eventFetch", "loop", .word(["loop", "thread", "main"]),
            "where the app's event port is served: a second loop on the same thread, a real second thread, or the main loop",
            source: "SEMANTICS C2.1, E13"),
        SettingKey(
            "app.delivery", "immediate", .word(["immediate", "frameAligned"]),
            "each HID frame is one sendEvent; or it waits for the screen's next frame, moves becoming coalesced touches",
            source: "B15"),
        SettingKey(
            "app.lowLatencyBegan", "false", .flag, "with frameAligned: a landing does not wait for the frame",
            source: "SEMANTICS C6"),
        SettingKey(
            "app.inboxCapacity", "256", .number(1...4096), "frames an app holds that its main loop has not taken"),
        SettingKey(
            "app.unresponsive", "0.5", .number(0...3600),
            "seconds an app may not turn while touches wait for it: then it lets go of its fingers; 0 for never",
            source: "PIPELINE F4, F12"),
        SettingKey(
            "app.declaresWindows", "false", .flag,
            "the app tells the server where its windows are, and a finger beside them goes to what is behind it; else all "
                + "of its scene is its", source: "PIPELINE F15"),
        SettingKey(
            "app.orientation", "portrait", .word(InterfaceOrientation.allCases.map(\.description)),
            "which way up the app's interface is at first, as UIInterfaceOrientation has it", source: "SEMANTICS D4"),
        SettingKey(
            "app.orientations", "all", .words(InterfaceOrientation.allCases.map(\.description)),
            "which ways up it can be, as its Info.plist would say", source: "UISupportedInterfaceOrientations"),
        SettingKey(
            "app.display", "1", .word(Displays.words), "on which display the app is; 1 is the main one",
            source: "UIWindowScene.screen"),
        SettingKey("app.scene", "", .text, "the scene or scenario file the app shows; empty for an empty window"),
        SettingKey("app.sample", "", .text, "the sample app the app is, instead of showing a scene; empty for none"),
        SettingKey(
            "app.schemes", "", .schemes, "schemes of URLs that the app opens, with blanks between; of one app each",
            source: "CFBundleURLSchemes"),

        SettingKey("hitTest.passes", "2", .word(["1", "2"]), "walks per new contact", source: "S02, E1"),
        SettingKey(
            "responder.windowScene", "false", .flag, "UIWindowScene between window and application", source: "E23"),
        SettingKey("touch.tapCountInterval", "0.35", .number(0...60), "seconds from up to next down", source: "B1.6"),
        SettingKey("touch.tapCountRadius", "45", .number(0...10_000), "points", source: "B1.6"),
        SettingKey("control.trackingMargin", "70", .number(0...10_000), "points", source: "B10.6"),
        SettingKey("control.switchDragDistance", "10", .number(0...10_000), "points along the track"),
        SettingKey("control.stepperDelay", "0.5", .number(0.001...60), "seconds a stepper is held before it repeats"),
        SettingKey(
            "control.stepperInterval", "0.1", .number(0.001...60),
            "seconds between a held stepper's repeats; half of it after ten"),

        SettingKey(
            "tap.maxDuration", "1.5", .number(0...3600), "seconds a single press of a tap may last",
            source: "B9.1, E28"),
        SettingKey(
            "tap.allowableMovement", "45", .number(0...10_000),
            "points a tap's finger may stray, and a later tap be from the first", source: "B9.1"),
        SettingKey(
            "tap.maxInterval", "0.35", .number(0...3600), "seconds from a tap's up to the next one's down",
            source: "B9.1"),
        SettingKey(
            "longPress.minDuration", "0.5", .number(0...3600), "seconds, where the recogniser says nothing else",
            source: "UILongPressGestureRecognizer"),
        SettingKey(
            "longPress.movement", "10", .number(0...10_000), "points, where the recogniser says nothing else",
            source: "UILongPressGestureRecognizer"),
        SettingKey(
            "shortDoubleTap.delay", "0.2", .number(0...3600),
            "seconds from each landing that UIShortTapGestureRecognizer, a scene's class, gives a double tap",
            source: "S52, E26"),
        SettingKey("pan.hysteresis", "10", .number(0...10_000), "points on either axis", source: "B9.3"),
        SettingKey(
            "swipe.maxDuration", "0.5", .number(0...3600), "seconds from each finger's touch-down", source: "B9.4"),
        SettingKey(
            "swipe.minDistance", "50", .number(0...10_000), "points along the direction, at touch-down", source: "B9.4"),
        SettingKey(
            "swipe.minDistanceDecay", "0.94", .number(0...100),
            "share of swipe.minDistance that is no longer needed a second after touch-down", source: "B9.4"),
        SettingKey(
            "swipe.maxSecondary", "50", .number(0...10_000), "points across the direction, at touch-down",
            source: "B9.4"),
        SettingKey(
            "swipe.maxSecondaryDecay", "0.98", .number(0...100),
            "share of swipe.maxSecondary that is no longer allowed a second after touch-down", source: "B9.4"),
        SettingKey(
            "swipe.maxOpposite", "0", .number(0...10_000), "points behind the start, against the direction",
            source: "B9.4"),
        SettingKey(
            "pinch.hysteresis", "8", .number(0...10_000), "points by which two fingers' distance changes",
            source: "B9.5"),
        SettingKey("rotation.hysteresis", "10", .number(0...360), "degrees", source: "B9.5"),
        SettingKey("edgePan.region", "13", .number(0...10_000), "points from the edge", source: "B9.6"),
        SettingKey(
            "gesture.sloppiness", "1", .number(0...100), "factor of all these distances", source: "B9"),
        SettingKey(
            "delay.holdFollowers", "false", .flag,
            "a recogniser that holds a touch also holds those that begin later", source: "B8.6, E35"),
        SettingKey(
            "delay.endedAfterFailure", "0", .number(0...3600),
            "seconds an end is held on after the last recogniser that held it has failed", source: "E3"),
        SettingKey(
            "scroll.contentTouchDelay", "0.15", .number(0...3600), "seconds a scroll view's content waits for touches",
            source: "B12.1"),
        SettingKey(
            "scroll.slowestRelease", "250", .number(0...1_000_000),
            "points per second; a slower release does not glide", source: "B12.10"),
        SettingKey(
            "scroll.slowestGlide", "10", .number(0.1...1_000_000), "points per second at which a glide stops",
            source: "B12.10"),
        SettingKey(
            "scroll.normalRate", "0.998", .number(0.1...0.9999),
            "the part of a glide's speed that is left after a millisecond, at DecelerationRate.normal",
            source: "B12.10"),
        SettingKey(
            "scroll.fastRate", "0.99", .number(0.1...0.9999), "the same at DecelerationRate.fast, and for pages",
            source: "B12.10"),
        SettingKey(
            "scroll.rubberBand", "0.55", .number(0...1),
            "the points that show for the first point of a pull beyond an edge", source: "B12.11"),
        SettingKey(
            "scroll.springStiffness", "120", .number(1...10_000),
            "per square second: the spring that brings content back to its edge", source: "B12.12"),
        SettingKey(
            "scroll.springDamping", "22", .number(0...200),
            "per second; a spring that would swing is damped until it does not", source: "B12.12"),

        SettingKey(
            "order.mode", "deterministic", .word(["deterministic", "ios"]),
            "what iOS leaves in no order: always the same way, or shuffled by order.seed", source: "B6.1"),
        SettingKey("order.seed", "1", .number(0...9_007_199_254_740_992), "what the shuffling starts from"),
        SettingKey(
            "table.hasWrapperView", "false", .flag, "a view between a table and its cells, with a delay of its own",
            source: "E29"),

        SettingKey(
            "device.open", "", .text,
            "live devices input-kit reads: none, all (every touch screen there is or comes), or paths with commas"),
        SettingKey(
            "device.directory", "", .text,
            "where all looks for event* and hidraw*; empty for /dev/input and, for hidraw*, /dev"),
        SettingKey(
            "device.displays", "", .panels,
            "which devices lie over another display than the main one, by path or by name, as Wacom=2 with commas between"
        ),
        SettingKey("device.grab", "false", .flag, "nobody else gets an evdev device's events (EVIOCGRAB)"),
        SettingKey(
            "device.palms", "cancel", .word(["cancel", "keep"]),
            "what becomes of a contact its device calls a palm, or has no confidence in", source: "INPUT 3.9"),
        SettingKey(
            "device.absentMeansLifted", "false", .flag, "a contact that a HID report leaves out has lifted",
            source: "INPUT 3.10.5"),
        SettingKey(
            "device.reportSilence", "1", .number(0...3600),
            "seconds without a report after which a hidraw panel that must report (Windows 8) has lost its fingers; "
                + "0 for never"),
        SettingKey(
            "device.stuckFinger", "60", .number(0...86_400),
            "seconds without any change after which a finger of any device is cancelled, even one that its panel "
                + "affirms in every report; 0 for never"),

        SettingKey(
            "device.rate", "1000", .number(0...1_000_000),
            "scans a second in which fingers only move that one device may send: more become one; 0 for any number",
            source: "PIPELINE F21"),
        SettingKey(
            "device.burst", "64", .number(1...4096), "such scans at once, after a pause", source: "PIPELINE F21"),

        SettingKey(
            "device.gap", "1", .number(0...3600),
            "seconds by which input-kit finds itself late (it was stopped) after which live touches are cancelled; "
                + "0 for never", source: "PIPELINE F9"),

        SettingKey("server.inFlightLimit", "256", .number(1...4096), "frames routed and not yet answered"),
        SettingKey(
            "server.window", "32", .number(1...4096),
            "frames an app may have and not have answered, if it takes as many; a quarter of them, eight at most, for "
                + "what begins or ends", source: "PIPELINE F5"),
        SettingKey(
            "server.staleness", "0.25", .number(0...3600),
            "seconds a move may wait for its app's window when its fingers have left since; 0 for ever",
            source: "PIPELINE F4"),
        SettingKey(
            "server.display", "0", .number(0...1000),
            "Hz of the server's display: fingers' moves are held for its next frame and told as one, with the way as "
                + "coalesced samples; 0 to tell each at once", source: "SEMANTICS C6, S95"),
        SettingKey(
            "server.resample", "false", .flag,
            "with server.display: a frame says where fingers were 5 ms before it, between two samples or a little beyond "
                + "the last", source: "Android's rule"),
        SettingKey(
            "server.unresponsive", "0.5", .number(0...3600),
            "seconds an app may answer nothing of what it was told: then its touches end, and what lands on it is "
                + "nobody's until it answers; 0 for ever", source: "PIPELINE F4"),
        SettingKey(
            "server.watchdog", "10", .number(0...3600),
            "seconds an app may take to come to the end of a change of its life, to front or to back: then it is ended "
                + "and started again; 0 for ever", source: "SEMANTICS D10"),
        SettingKey(
            "server.openLimit", "20", .number(0.001...3600),
            "seconds within which an app must have been told of a URL that it is to open, its launch included",
            source: "SEMANTICS D10"),
        SettingKey(
            "server.lease", "0.9", .number(0...3600),
            "seconds a scan may have waited for the server before it knows that it was stopped, and ends to begin a new "
                + "epoch; 0 for any", source: "PIPELINE F12"),
        SettingKey(
            "server.strikes", "3", .number(1...1_000_000),
            "refused frames of one peer after which it is hung up on and quarantined", source: "PIPELINE F7"),

        SettingKey(
            "systemGesture.enabled", "false", .flag,
            "the server takes swipes from the screen's upper and lower edge: home, switcher, centres", source: "D8"),
        SettingKey(
            "systemGesture.zone", "20", .number(0...10_000), "points from an edge at which they begin", source: "D8"),
        SettingKey("systemGesture.distance", "20", .number(0...10_000), "points inwards that make a swipe"),
        SettingKey(
            "systemGesture.limit", "0.75", .number(0.001...3600),
            "seconds from the landing to a swipe: then the touch is its app's", source: "D8"),
        SettingKey(
            "systemGesture.hold", "0.3", .number(0.001...3600), "seconds a swipe home rests, for the app switcher"),
        SettingKey("systemGesture.stillness", "5", .number(0...10_000), "points a resting finger may move"),
        SettingKey(
            "systemGesture.answer", "0.1", .number(0.001...3600),
            "seconds an app may take to say that it defers an edge: one that says nothing does not"),
        SettingKey(
            "systemGesture.secondSwipe", "3", .number(0...3600),
            "seconds in which a second swipe at a deferred edge is the system's", source: "D8"),
        SettingKey(
            "screenshot.window", "0.2", .number(0...60),
            "seconds between power and volume up going down within which they are one chord, the screenshot's, as their "
                + "device saw them; invented"),
        SettingKey(
            "gate.edgeDelayMax", "1", .number(0...3600),
            "seconds an app's gates keep a touch at an edge from its view while the server says nothing", source: "D8"),

        SettingKey(
            "probes", "", .text, "which conformance lines are noted, comma separated: input, server, loop, app",
            source: "SEMANTICS 0.2"),

        SettingKey(
            "trace.places", "false", .flag,
            "whether input-kit's facts say where on its panel a finger is, and spies are told where one is of an app that "
                + "has declared no windows: nobody knows what is beneath it, so only where nothing on the screen is secret",
            source: "PIPELINE T5"),

        SettingKey(
            "trace.keys", "false", .flag,
            "whether facts say which keys of a keyboard are pressed, but in an app with a secure window: only where nothing "
                + "that is typed is secret; a button is named always", source: "PIPELINE T5"),

        SettingKey(
            "remote.listen", "", .text,
            "where apps of other machines join, a numeric address and a port: 10.0.0.1:7000 or [fd00::1]:7000; empty for "
                + "nowhere", source: "PIPELINE T10"),
        SettingKey(
            "remote.key", "", .text, "the file of the server's secret key, as `touchline keys new` makes it",
            source: "PIPELINE T10"),
        SettingKey(
            "remote.allow", "", .text,
            "the folder of the public keys that may join, one a file: app9.pub is app 9's", source: "PIPELINE T10"),
        SettingKey(
            "remote.heartbeat", "1", .number(0.05...3600),
            "seconds of silence after which the other end of a link between machines is gone"),

        SettingKey("host.spin", "false", .flag, "poll instead of sleeping: lower latency, a whole CPU"),
        SettingKey(
            "host.heartbeat", "0.3", .number(0...3600),
            "seconds of silence after which the other end of a data link is gone: stopped, or worse; 0 for never",
            source: "PIPELINE 1, F12"),
        SettingKey(
            "host.packetRate", "50000", .number(1...1_000_000_000),
            "packets a second that a peer may send without having been asked for them, by touches to answer or scans "
                + "answered; one that sends more is hung up on", source: "PIPELINE T6"),
        SettingKey(
            "host.packetBurst", "50000", .number(1...1_000_000_000), "such packets at once", source: "PIPELINE T6"),
        SettingKey(
            "host.requestRate", "10000", .number(1...1_000_000_000),
            "frames a second that a controller (a `touchline` command) may send the supervisor; one that sends more is hung up on",
            source: "PIPELINE T6"),
        SettingKey(
            "host.requestBurst", "10000", .number(1...1_000_000_000), "such frames at once", source: "PIPELINE T6"),
        SettingKey(
            "host.seccomp", "true", .flag,
            "after its start a process may do no more than its work: no programs, no tracing, no new sockets but local "
                + "ones, no files written outside the group's folder", source: "PIPELINE T7"),
        SettingKey("host.affinity", "", .cpus, "CPU the process and its I/O thread are pinned to; empty for any"),
        SettingKey(
            "host.slice", "0.0001", .number(0...0.1),
            "seconds that a thread of the group may keep a CPU from another that has to run, at least 0.0001, where the "
                + "kernel has slices (Linux 6.12) and lets a process set its own; 0 for the kernel's own"),
        SettingKey("host.trace", "off", .word(["off", "file"]), "whether facts are written to <run-dir>/trace"),
        SettingKey(
            "host.journal", "file", .word(["off", "file"]),
            "whether every input is written to <run-dir>/journal before the core has it"),
        SettingKey(
            "host.verify", "false", .flag, "in release builds too: every stream of frames is checked as it passes"),
        SettingKey("journal.segment", "4", .number(0.0625...1024), "MiB, of one file of a journal"),
        SettingKey(
            "journal.limit", "256", .number(1...1_048_576),
            "MiB of one process's journals, of all its lives; beyond it the oldest files go, and their life cannot be replayed"
        ),
        SettingKey(
            "journal.groupLimit", "2048", .number(1...1_048_576),
            "MiB of all journals of a group and of the group before (journal.previous); beyond it the oldest files of any process go"
        ),
        SettingKey(
            "journal.ring", "4096", .number(1...1_048_576),
            "inputs kept in memory while the disk takes none", source: "PIPELINE F11"),
        SettingKey(
            "chaos.allowed", "false", .flag, "whether `touchline chaos` may hurt this group", source: "PIPELINE T9"),

        SettingKey(
            "supervisor.backoffFirst", "0.05", .number(0...60), "seconds before a child that died is restarted",
            source: "PIPELINE F13"),
        SettingKey(
            "supervisor.backoffLimit", "5", .number(0...600), "seconds; each restart doubles the wait up to this",
            source: "PIPELINE F13"),
        SettingKey(
            "supervisor.restartLimit", "5", .number(0...1000), "restarts within the window before quarantine",
            source: "PIPELINE F13"),
        SettingKey("supervisor.restartWindow", "10", .number(0.1...3600), "seconds", source: "PIPELINE F13"),
        SettingKey(
            "supervisor.stopDeadline", "0.7", .number(0.01...60), "seconds a child has to end before it is killed"),
        SettingKey(
            "supervisor.quitDeadline", "6", .number(0.01...60),
            "seconds a terminated app has to end before it is killed",
            source: "SEMANTICS D10"),
        SettingKey("supervisor.startDeadline", "10", .number(0.1...60), "seconds a child has to announce readiness"),
    ]
}
