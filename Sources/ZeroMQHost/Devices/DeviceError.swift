// DeviceError.swift: the reason why a device cannot be read, in one line, with the remedy.

import Glibc

/// A device that cannot be read. At fault: the machine, the device, or the given path.
public enum DeviceError: Error, Hashable, Sendable {
    /// The node belongs to a group that this user is not in.
    case forbidden(String)
    /// Nothing is at this path.
    case absent(String)
    /// The path is not an input device: the answer, or the lack of one.
    case noDevice(String, why: String)
    /// Another program has grabbed the device (EVIOCGRAB).
    case grabbed(String)
    /// A virtual device of another user, which is not trusted.
    case foreignOwner(String, uid: UInt32)
    /// A virtual device that did not answer a request within this many milliseconds.
    case silent(String, milliseconds: Int)
    /// A virtual device that is not asked again, because it was silent too often.
    case abandoned(String, silences: Int)
    /// Something else is at the path where a virtual device should be plugged in.
    case occupied(String)
    case system(String, errno: Int32)

    init(_ path: String, errno: Int32) {
        switch errno {
        case EACCES, EPERM: self = .forbidden(path)
        case ENOENT, ENXIO, ENODEV: self = .absent(path)
        default: self = .system(path, errno: errno)
        }
    }
}

extension DeviceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .forbidden(let path):
            "\(path): may not be read: join the group that owns it (`sudo usermod -aG input $USER`), then log in again"
        case .absent(let path): "\(path): no device exists there"
        case .noDevice(let path, let why): "\(path): expected an evdev or hidraw device, found \(why)"
        case .grabbed(let path): "\(path): another program has grabbed it: end that program, or do not grab"
        case .foreignOwner(let path, let uid):
            "\(path): belongs to user \(uid), and only devices of this user are accepted"
        case .silent(let path, let milliseconds): "\(path): has not answered for \(milliseconds) ms"
        case .abandoned(let path, let count):
            "\(path): has not answered \(count) times: it is asked again after it is unplugged and plugged in"
        case .occupied(let path): "\(path): expected nothing or a socket, found something else: plug in elsewhere"
        case .system(let path, let errno): "\(path): \(systemText(errno))"
        }
    }
}
