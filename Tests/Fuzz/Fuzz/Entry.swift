// Entry.swift: what libFuzzer calls with every input it thinks of.
//
// TOUCHLINE_FUZZ names the target. A target that traps, hangs or breaks a law ends the process, and libFuzzer keeps
// the input.

import Glibc
import Recordings

enum Target: String, CaseIterable {
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
    /// What every format's writer makes of a recording, read again.
    case convert
    /// A HID report descriptor.
    case descriptor
    /// A descriptor and reports.
    case report
    /// What `/dev/input/event*` sends.
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

    static let chosen: Target = {
        let name = getenv("TOUCHLINE_FUZZ").map { String(cString: $0) } ?? ""
        guard let target = Target(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: " ")
            print("TOUCHLINE_FUZZ: expected one of \(names), found \"\(name)\"")
            exit(2)
        }
        return target
    }()
}

/// What SwiftPM makes the program begin with; libFuzzer's own main is not linked.
@_cdecl("fuzz_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    _ = Target.chosen
    var (count, arguments) = (count, arguments)
    return drive(&count, &arguments) { start, count in
        Target.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
