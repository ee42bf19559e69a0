// Devices.swift: carries out a core's orders about live devices.
//
// Input     ZeroMQHost: orders, and descriptors that are ready
// Output    the core: DeviceNotice in the order things happened

import Basics
import CSystem
import Glibc
import Hosting

/// The open devices and the watched folders of a core.
struct Devices: ~Copyable {
    private var open: [(id: DeviceID, file: DeviceFile)] = []
    private var folders: DeviceFolders?
    private var readyDevices: [DeviceID] = []
    private var foldersAreReady = false
    private var unansweredCounts = UnansweredCounts()

    init() {}

    /// The numbers by which the poller identifies devices and folders.
    static func token(of id: DeviceID) -> UInt64 { 6 << 32 | UInt64(id.rawValue) }
    static let foldersToken: UInt64 = 6

    mutating func carryOut(
        _ order: DeviceOrder, at now: Instant, with poller: borrowing Poller, into inputs: inout [Input]
    ) {
        var notices: [DeviceNotice] = []
        switch order {
        case .watch(let folder, let names): watch(folder, names: names, with: poller, into: &notices)
        case .open(let id, let path, let grab):
            do throws(DeviceError) {
                try unansweredCounts.check(path)
                let file = try DeviceFile(path, grab: grab)
                do throws(HostError) {
                    try poller.watch(file.descriptor, as: Self.token(of: id))
                    open.append((id, file))
                    notices.append(.opened(id, file.facts))
                    // Data that came with the answers does not wake the poller. Without such data the device must not
                    // be read yet. Only the poller can tell a FIFO without a writer yet from one that has lost its
                    // writers.
                    if file.hasEarlyPackets { readyDevices.append(id) }
                } catch { notices.append(.failed(id, reason: "\(path): \(error)")) }
            } catch {
                if case .silent = error { unansweredCounts.countUnanswered(path) }
                notices.append(.failed(id, reason: "\(error)"))
            }
        case .resync(let id):
            // All data that is older than the answer has to precede it.
            read(id, with: poller, into: &notices)
            guard let file = open.first(where: { $0.id == id })?.file else { break }
            var findings: [DeviceFile.ReadResult] = []
            do throws(DeviceError) {
                try file.askForSlots(at: now, into: &findings)
                report(findings, of: id, file.path, into: &notices)
            } catch { reportLoss(of: id, file, error, with: poller, into: &notices) }
        case .close(let id): close(id, with: poller)
        }
        for item in notices { inputs.append(.device(item)) }
    }

    private mutating func report(
        _ findings: [DeviceFile.ReadResult], of id: DeviceID, _ path: String, into news: inout [DeviceNotice]
    ) {
        for finding in findings {
            switch finding {
            case .bytes(let bytes): news.append(.bytes(id, bytes))
            case .slots(let slots):
                unansweredCounts.forget(path)
                news.append(.slots(id, slots))
            }
        }
    }

    /// Reports a device that has not answered as lost, and closes it.
    private mutating func reportLoss(
        of id: DeviceID, _ file: DeviceFile, _ error: DeviceError, with poller: borrowing Poller,
        into news: inout [DeviceNotice]
    ) {
        unansweredCounts.countUnanswered(file.path)
        news.append(.lost(id, reason: "\(error)"))
        close(id, with: poller)
    }

    private mutating func watch(
        _ folder: String, names: [String], with poller: borrowing Poller, into news: inout [DeviceNotice]
    ) {
        do throws(HostError) {
            if folders == nil {
                let made = try DeviceFolders()
                try poller.watch(made.descriptor, as: Self.foldersToken)
                folders = consume made
            }
            folders?.watch(folder, names: names, into: &news)
        } catch { news.append(.unwatched(folder: folder, reason: "\(error)")) }
    }

    private mutating func close(_ id: DeviceID, with poller: borrowing Poller) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        poller.forget(open[index].file.descriptor)
        open.remove(at: index)
    }

    private mutating func read(_ id: DeviceID, with poller: borrowing Poller, into news: inout [DeviceNotice]) {
        guard let file = open.first(where: { $0.id == id })?.file else { return }
        var findings: [DeviceFile.ReadResult] = []
        let end = file.read(into: &findings)
        report(findings, of: id, file.path, into: &news)
        if let end {
            news.append(.lost(id, reason: "\(file.path): \(end)"))
            close(id, with: poller)
        }
    }

    mutating func markReady(_ id: DeviceID) { readyDevices.append(id) }
    mutating func markFoldersReady() { foldersAreReady = true }

    /// Whether `gather` finds something without waiting.
    var hasReadySources: Bool { foldersAreReady || !readyDevices.isEmpty }

    /// The earliest deadline of an awaited answer.
    var deadline: Instant? { open.compactMap { $0.file.deadline }.min() }

    /// Reads the devices that are ready. A device with more data than one read takes is ready again at the next call.
    mutating func gather(at now: Instant, with poller: borrowing Poller, into inputs: inout [Input]) {
        var notices: [DeviceNotice] = []
        for id in readyDevices { read(id, with: poller, into: &notices) }
        readyDevices.removeAll(keepingCapacity: true)
        if foldersAreReady {
            // A process that creates names as fast as they are read must not delay the other devices.
            foldersAreReady = folders?.readChanges(into: &notices) ?? false
        }
        // All data that has arrived by now was read above.
        for (id, file) in open {
            do throws(DeviceError) { try file.checkSilence(at: now) } catch {
                reportLoss(of: id, file, error, with: poller, into: &notices)
            }
        }
        for case .vanished(let path) in notices { unansweredCounts.forget(path) }
        for item in notices { inputs.append(.device(item)) }
    }
}

/// Counts the times that a virtual device did not answer.
///
/// Each time delays all other devices. After the limit the device is not asked again until its name vanishes or belongs
/// to another file.
private struct UnansweredCounts {
    private var counts: [(path: String, device: UInt, node: UInt, count: Int)] = []
    private static let limit = 6
    /// The most names that are kept; the oldest are removed.
    private static let capacity = 64

    /// - Throws: `abandoned` for a device that is not asked any more.
    func check(_ path: String) throws(DeviceError) {
        guard let known = counts.first(where: { $0.path == path }), known.count >= Self.limit else { return }
        guard let now = Self.identity(path), (now.device, now.node) == (known.device, known.node) else { return }
        throw .abandoned(path, silences: known.count)
    }

    mutating func countUnanswered(_ path: String) {
        guard let now = Self.identity(path) else { return forget(path) }
        if let index = counts.firstIndex(where: { $0.path == path }) {
            let isSame = (now.device, now.node) == (counts[index].device, counts[index].node)
            counts[index] = (path, now.device, now.node, isSame ? counts[index].count + 1 : 1)
        } else {
            if counts.count == Self.capacity { counts.removeFirst() }
            counts.append((path, now.device, now.node, 1))
        }
    }

    mutating func forget(_ path: String) { counts.removeAll { $0.path == path } }

    private static func identity(_ path: String) -> (device: UInt, node: UInt)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (UInt(status.st_dev), UInt(status.st_ino))
    }
}
