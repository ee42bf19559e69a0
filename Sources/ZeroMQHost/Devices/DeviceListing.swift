// DeviceListing.swift: which devices a machine has, each asked once.
//
// Fed by    `touchline devices`
// Sources   documented  sysfs-class-input: a device's name may be read by whoever may not read the device

import CSystem
import Glibc
public import HID
import Hosting

/// One name in a folder of devices, and what its device says or why it does not.
public struct ListedDevice: Sendable {
    public var path: String
    public var facts: Result<DeviceFacts, DeviceError>
    /// What the kernel calls a device that may not be asked itself; empty when it does not tell.
    public var knownName: String

    /// Where devices are when nobody says: evdev's nodes and hidraw's.
    public static let usualFolders = ["/dev/input", "/dev"]

    /// Everybody in these folders, evdev devices first, in the order of their numbers.
    public static func all(in folders: [String]) -> [ListedDevice] {
        folders.flatMap { folder in
            names(in: folder).filter { isDeviceName($0) }.map { name in ask("\(folder)/\(name)", name) }
        }
    }

    /// Asks one device who it is, and lets go of it again.
    public static func ask(_ path: String) -> ListedDevice {
        ask(path, path.split(separator: "/").last.map { String($0) } ?? path)
    }

    private static func ask(_ path: String, _ name: String) -> ListedDevice {
        do throws(DeviceError) {
            return ListedDevice(path: path, facts: .success(try DeviceFile.facts(of: path)), knownName: "")
        } catch {
            return ListedDevice(
                path: path, facts: .failure(error), knownName: path.hasPrefix("/dev/") ? called(name) : "")
        }
    }

    private static func called(_ name: String) -> String {
        if name.hasPrefix("event") { return line(of: "/sys/class/input/\(name)/device/name") { _ in true } }
        let prefix = "HID_NAME="
        let entry = line(of: "/sys/class/hidraw/\(name)/device/uevent") { $0.hasPrefix(prefix) }
        return String(entry.dropFirst(prefix.count))
    }

    private static func line(of path: String, where isWanted: (String) -> Bool) -> String {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let file = Descriptor(number)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file.number, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        return text.split(separator: "\n").map { String($0) }.first { isWanted($0) } ?? ""
    }
}

/// SIGINT, SIGTERM and SIGHUP as something to wait for beside a device.
public final class Interruption {
    private let signals: Signals

    public init() throws(HostError) { signals = try Signals() }

    deinit { signals.restore() }

    /// Waits until this descriptor can be read, somebody interrupts, or the time is over.
    ///
    /// - Parameter milliseconds: -1 for ever.
    /// - Returns: Whether somebody interrupted.
    public func wait(for descriptor: Int32, milliseconds: Int32) -> Bool {
        var items = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 2, milliseconds) > 0 else { return false }
        return items[0].revents != 0 && signals.next()
    }
}
