// DeviceListing.swift: the devices of a machine, each opened once for its description.
//
// Input     `touchline devices`
// Sources   documented  sysfs-class-input: a device's name is readable even if the device is not

import CSystem
import Glibc
public import HID
import Hosting

/// One name in a folder of devices, and the device's description or the reason for its absence.
public struct ListedDevice: Sendable {
    public var path: String
    public var facts: Result<DeviceFacts, DeviceError>
    /// The kernel's name of a device that may not be opened; empty if it is unknown.
    public var kernelName: String

    /// The default folders: evdev's nodes and hidraw's.
    public static let defaultFolders = ["/dev/input", "/dev"]

    /// All devices in these folders, folder by folder, in the order of their numbers.
    public static func all(in folders: [String]) -> [ListedDevice] {
        folders.flatMap { folder in
            names(in: folder).filter { isDeviceName($0) }.map { name in describe("\(folder)/\(name)", named: name) }
        }
    }

    /// Opens one device for its description, and closes it.
    public static func describe(_ path: String) -> ListedDevice {
        describe(path, named: path.split(separator: "/").last.map { String($0) } ?? path)
    }

    private static func describe(_ path: String, named name: String) -> ListedDevice {
        do throws(DeviceError) {
            return ListedDevice(path: path, facts: .success(try DeviceFile.facts(of: path)), kernelName: "")
        } catch {
            return ListedDevice(
                path: path, facts: .failure(error), kernelName: path.hasPrefix("/dev/") ? kernelName(of: name) : "")
        }
    }

    private static func kernelName(of name: String) -> String {
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

    /// Waits until the descriptor is readable, a signal arrives, or the time is over.
    ///
    /// - Parameters:
    ///   - descriptor: An open file.
    ///   - milliseconds: The longest wait; -1 for no limit.
    /// - Returns: Whether a signal arrived.
    public func wait(for descriptor: Int32, milliseconds: Int32) -> Bool {
        var items = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 2, milliseconds) > 0 else { return false }
        return items[0].revents != 0 && signals.next()
    }
}
