// Devices.swift: `touchline devices`: the touch devices of this machine, and whether they may be read.

import ArgumentParser
import Basics
import Foundation
import Glibc
import HID
import Hosting
import ZeroMQHost

/// The command `touchline devices`.
struct DevicesCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List this machine's touch devices, and show which of them can be read.",
        usage: """
            touchline devices [--dir <folder>] [--all] [--json] [--output <file>]
            touchline devices --serve <file> --at <file>
            """,
        discussion: """
            Opens every event* in /dev/input and hidraw* in /dev, or in the folder of --dir, reads its identity and \
            closes it; no device is grabbed. A line on stderr has the permission that an unreadable device needs. A HID \
            panel is listed twice, as evdev and as hidraw; `touchline up --device all` reads the evdev one.

            --serve is the other end: it plugs in a virtual device, a socket that answers as the kernel does. An evemu or \
            hid-recorder file describes the device. Its events are sent at their times, from the moment a process keeps \
            the device open. The device is unplugged after the last event, or with Ctrl-C.

            Exits 0 when a touch device can be read or the served recording has ended, 1 when no touch device can be read, \
            2 when a folder, a file or an option cannot be used.
            """)

    @Option(help: ArgumentHelp("The folder to search, instead of /dev/input and /dev.", valueName: "folder"))
    var dir: String?

    @Flag(help: "List devices of other kinds too.")
    var all = false

    @OptionGroup var result: ResultOptions

    @Option(help: ArgumentHelp("Plug in a virtual device that plays this recording.", valueName: "file"))
    var serve: String?

    @Option(
        help: ArgumentHelp("The path of the virtual device, with a name such as event0 or hidraw0.", valueName: "file"))
    var at: String?

    func validate() throws {
        if (serve == nil) != (at == nil) { throw ValidationError("--serve and --at: expected both or neither") }
        if serve != nil, dir != nil || all || result.json || result.outputFile != nil {
            throw ValidationError("--serve: expected no option but --at, as it lists no devices")
        }
    }

    func run() throws {
        if let serve, let at { return try ServedRecording(serve, at: at).run() }
        if let dir {
            var about = stat()
            guard stat(dir, &about) == 0 else {
                throw Failure.badInput("--dir \(dir): \(String(cString: strerror(errno)))")
            }
            guard about.st_mode & S_IFMT == S_IFDIR else {
                throw Failure.badInput("--dir \(dir): expected a folder, found a file")
            }
        }
        let found = ListedDevice.all(in: dir.map { [absolute($0)] } ?? ListedDevice.defaultFolders).map {
            DeviceRow($0)
        }
        // The kind of an unreadable device is unknown, so it is shown.
        let shown = found.filter { all || $0.isTouch || $0.refusal != nil }
        if result.json {
            try printJSON(["devices": shown.map(\.json)])
        } else if shown.isEmpty {
            let folders = dir.map { [$0] } ?? ListedDevice.defaultFolders
            let others = found.count == 1 ? "1 device of another kind" : "\(found.count) devices of other kinds"
            printError("no touch device in \(folders.joined(separator: " or "))\(found.isEmpty ? "" : ", \(others)")")
        } else {
            for line in aligned([DeviceRow.head] + shown.map(\.cells)) { printLine(line) }
            for row in shown { if let refusal = row.refusal { printError(refusal) } }
        }
        if !found.contains(where: \.isTouch) { throw ExitCode(1) }
    }
}

/// One device, as a line and as a JSON object.
struct DeviceRow {
    var path: String
    var identity: DeviceIdentity
    var isTouch = false
    var kind = "other"
    var protocolName = ""
    var contacts: Int?
    var x, y: DeviceAxis?
    /// The reason why it cannot be read; nil for a readable one.
    var refusal: String?

    init(_ device: ListedDevice) {
        path = device.path
        identity = DeviceIdentity(name: device.kernelName)
        switch device.facts {
        case .failure(let error):
            kind = "unknown"
            refusal = "\(error)"
        case .success(.evdev(let facts)):
            identity = facts.identity
            let description = facts.description
            (isTouch, kind) = (facts.contactProtocol != nil, facts.kind.rawValue)
            if isTouch { protocolName = facts.contactProtocol?.rawValue ?? "" }
            (contacts, x, y) = isTouch ? (description.contactCount, description.x, description.y) : (nil, nil, nil)
        case .success(.hidraw(let facts)):
            identity = facts.identity
            let decoder = TouchReportDecoder(descriptor: facts.descriptor)
            guard decoder.hasTouch else { return }
            isTouch = true
            protocolName = ContactProtocol.hid.rawValue
            kind = (decoder.description.kind ?? .touchscreen).rawValue
            (contacts, x, y) = (decoder.description.contactCount, decoder.description.x, decoder.description.y)
        }
    }

    static let head = ["path", "name", "bus:vendor:product", "kind", "protocol", "contacts", "range", "size", "state"]

    var cells: [String] {
        let range = x.flatMap { x in y.map { "\(Self.text(x)) × \(Self.text($0))" } } ?? "-"
        let size = x.flatMap { x in
            y.flatMap { y in
                Self.millimetres(x).flatMap { width in
                    Self.millimetres(y).map { "\(fixedText(width, digits: 0)) × \(fixedText($0, digits: 0)) mm" }
                }
            }
        }
        return [
            path, identity.name.isEmpty ? "-" : identity.name, refusal == nil ? numbers : "-", kind,
            protocolName.isEmpty ? "-" : protocolName, contacts.map { "\($0)" } ?? "-", range, size ?? "-",
            refusal == nil ? "readable" : "not readable",
        ]
    }

    /// The numbers as in lsusb and the kernel's log: `0003:1234:5678`.
    private var numbers: String {
        [identity.bus, identity.vendor, identity.product].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 4 - text.count) + text
        }.joined(separator: ":")
    }

    private static func text(_ axis: DeviceAxis) -> String { "\(axis.minimum)…\(axis.maximum)" }

    private static func millimetres(_ axis: DeviceAxis) -> Double? {
        axis.resolution > 0 ? (Double(axis.maximum) - Double(axis.minimum)) / axis.resolution : nil
    }

    var json: [String: Any] {
        func object(_ axis: DeviceAxis?) -> Any {
            guard let axis else { return NSNull() }
            return [
                "min": Int(axis.minimum), "max": Int(axis.maximum),
                "millimetres": Self.millimetres(axis).map { ($0 * 100).rounded() / 100 as Any } ?? NSNull(),
            ]
        }
        return [
            "path": path, "name": identity.name, "bus": Int(identity.bus), "vendor": Int(identity.vendor),
            "product": Int(identity.product), "touch": isTouch, "kind": kind,
            "protocol": protocolName.isEmpty ? NSNull() : protocolName as Any,
            "contacts": contacts.map { $0 as Any } ?? NSNull(), "x": object(x), "y": object(y),
            "readable": refusal == nil, "reason": refusal.map { $0 as Any } ?? NSNull(),
        ]
    }
}
