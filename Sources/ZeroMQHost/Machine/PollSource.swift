// PollSource.swift: the meaning of a descriptor that epoll reports.
//
// Input     Poller, which keeps a number for each descriptor
// Output    ZeroMQHost, which reads the descriptor
//
// Sources   documented  epoll_ctl(2): data is the caller's
//           invented    the numbers

import Hosting

/// The owner of a ready descriptor, encoded as the number that epoll keeps.
enum PollSource {
    case alarm, signals, link, fetch, server, connection
    case listener(UInt32)
    case connections(UInt32)
    case childLink(Int32)
    case childEnd(Int32)
    case childOutput(Int32)
    case file(FileID)
    case device(DeviceID)
    case deviceFolders
    case runDirectory
    /// Work of other threads for the core.
    case work
    /// The loop of libzmq's I/O thread, which this thread runs.
    case loop
    /// The bell of the ring with this number.
    case bell(UInt32)

    var token: UInt64 {
        switch self {
        case .alarm: 0
        case .signals: 1
        case .link: 2
        case .fetch: 3
        case .server: 4
        case .connection: 5
        case .listener(let index): 1 << 32 | UInt64(index)
        case .connections(let index): 5 << 32 | UInt64(index)
        case .childLink(let pid): 2 << 32 | UInt64(UInt32(bitPattern: pid))
        case .childEnd(let pid): 3 << 32 | UInt64(UInt32(bitPattern: pid))
        case .childOutput(let pid): 7 << 32 | UInt64(UInt32(bitPattern: pid))
        case .file(let file): Files.token(of: file)
        case .device(let device): Devices.token(of: device)
        case .deviceFolders: Devices.foldersToken
        case .runDirectory: 7
        case .work: 8
        case .loop: 9
        case .bell(let number): 8 << 32 | UInt64(number)
        }
    }

    init(token: UInt64) {
        let low = UInt32(truncatingIfNeeded: token)
        switch (token >> 32, low) {
        case (0, 0): self = .alarm
        case (0, 1): self = .signals
        case (0, 2): self = .link
        case (0, 3): self = .fetch
        case (0, 4): self = .server
        case (0, 5): self = .connection
        case (1, _): self = .listener(low)
        case (5, _): self = .connections(low)
        case (2, _): self = .childLink(Int32(bitPattern: low))
        case (3, _): self = .childEnd(Int32(bitPattern: low))
        case (7, _): self = .childOutput(Int32(bitPattern: low))
        case (4, _): self = .file(FileID(low))
        case (6, _): self = .device(DeviceID(low))
        case (8, _): self = .bell(low)
        case (0, 6): self = .deviceFolders
        case (0, 7): self = .runDirectory
        case (0, 8): self = .work
        case (0, 9): self = .loop
        default: preconditionFailure("nothing is watched as \(token)")
        }
    }
}
