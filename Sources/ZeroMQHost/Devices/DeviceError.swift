// DeviceError.swift: why a device cannot be read, in one line, with what to do about it.

import Glibc

/// Blame: the machine, the device, or whoever named the path.
public enum DeviceError: Error, Hashable, Sendable {
    /// Its node belongs to a group this user is not in.
    case forbidden(String)
    /// Nothing is at this path.
    case absent(String)
    /// Something is, and it is no input device: what it answered, or did not.
    case noDevice(String, why: String)
    /// Another program has it to itself (EVIOCGRAB).
    case grabbed(String)
    /// A virtual device of another user: not to be believed.
    case stranger(String, uid: UInt32)
    /// A virtual device that let a request wait for so many milliseconds.
    case silent(String, milliseconds: Int)
    /// A virtual device that was silent so often that it is not asked again.
    case givenUp(String, silences: Int)
    /// Something else is where a virtual device was to be plugged in.
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
        case .absent(let path): "\(path): no device is there"
        case .noDevice(let path, let why): "\(path): expected an evdev or hidraw device, found \(why)"
        case .grabbed(let path): "\(path): another program has it to itself: end that, or do without grabbing"
        case .stranger(let path, let uid): "\(path): is served by user \(uid), who is not believed"
        case .silent(let path, let milliseconds): "\(path): has not answered for \(milliseconds) ms"
        case .givenUp(let path, let count):
            "\(path): has not answered \(count) times: is asked again once it is plugged in anew"
        case .occupied(let path): "\(path): expected nothing or a socket, found something else: plug in elsewhere"
        case .system(let path, let errno): "\(path): \(systemText(errno))"
        }
    }
}
