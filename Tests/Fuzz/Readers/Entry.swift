// Entry.swift: readers of device data and of recordings.

import FuzzDriver
import Recordings

enum Target: String, FuzzTarget {
    /// A recording whose format is guessed.
    case recording
    case evemu
    case evtest
    case getevent
    case libinput = "libinput-record"
    case hidRecorder = "hid-recorder"
    case webdriver = "webdriver-actions"
    case script = "touchline-script"
    case journal = "touchline-journal"
    /// A recording that every format's writer writes, read again.
    case convert
    /// A HID report descriptor.
    case descriptor
    /// A descriptor and reports.
    case report
    /// The bytes of `/dev/input/event*`.
    case evdevBinary = "evdev-binary"
    /// IOKit's queue element.
    case hideventRecord = "hidevent-record"

    func run(_ bytes: [UInt8]) {
        switch self {
        case .recording: expectLaws(ofRecording: bytes, format: nil)
        case .evemu, .evtest, .getevent, .libinput, .hidRecorder, .webdriver, .script, .journal:
            expectLaws(ofRecording: bytes, format: RecordingFormat(rawValue: rawValue))
        case .convert: expectSameContactsAfterConverting(bytes)
        case .descriptor: expectLaws(ofDescriptor: bytes)
        case .report: expectLaws(ofReports: bytes)
        case .evdevBinary: expectLaws(ofEvents: bytes)
        case .hideventRecord: expectLaws(ofRecord: bytes)
        }
    }
}

@_cdecl("FuzzReaders_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
