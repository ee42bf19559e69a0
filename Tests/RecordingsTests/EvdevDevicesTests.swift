import Basics
import HID
@testable import Recordings
import Testbed
import Testing

@Suite("Evdev text of several devices")
struct EvdevDevicesTests {
    @Test("an accelerometer that reports first is not taken for the touch device")
    func accelerometer() throws {
        var text = ""
        for index in 0..<5000 {
            text += "[ \(index / 100).0] /dev/input/event5: EV_ABS ABS_X 0000000\(index % 10)\n"
            text += "[ \(index / 100).0] /dev/input/event5: EV_SYN SYN_REPORT 00000000\n"
        }
        text += "[ 60.0] /dev/input/event7: EV_ABS ABS_X 00000100\n[ 60.0] /dev/input/event7: EV_ABS ABS_Y 00000200\n"
        text +=
            "[ 60.0] /dev/input/event7: EV_KEY BTN_TOUCH DOWN\n[ 60.0] /dev/input/event7: EV_SYN SYN_REPORT 00000000\n"
        text += "[ 60.1] /dev/input/event5: EV_SYN SYN_REPORT 00000000\n"
        let played = try play(text)
        #expect(played.contactProtocol == .single)
        #expect(lines(played.frames) == ["0.000 ms  0 began (256,512)"])
        #expect(played.remarks == ["left out, for event7 is the touch device read: event5"])
    }

    private static let described = """
        add device 1: /dev/input/event1
          name:     "Panel"
          events:
            ABS (0003): 0035  : value 0, min 0, max 719, fuzz 0, flat 0, resolution 0
                        0036  : value 0, min 0, max 1279, fuzz 0, flat 0, resolution 0
        add device 2: /dev/input/event2
          name:     "Pen"

        """

    private static func touch(_ number: Int, at time: Int, pen: Bool = false) -> String {
        let start = "[ \(time).0] /dev/input/event\(number): "
        return (pen ? start + "EV_KEY BTN_TOOL_PEN DOWN\n" : "") + start + "EV_KEY BTN_TOUCH DOWN\n" + start
            + "EV_ABS ABS_X 00000005\n" + start + "EV_SYN SYN_REPORT 00000000\n"
    }

    private static func slots(_ number: Int, at time: Int) -> String {
        let start = "[ \(time).0] /dev/input/event\(number): "
        return start + "EV_ABS ABS_MT_TRACKING_ID 00000007\n" + start + "EV_SYN SYN_REPORT 00000000\n"
    }

    @Test("a pen that touches first is not taken for the touch device")
    func penFirst() throws {
        for text in [
            Self.described + Self.touch(2, at: 1) + Self.slots(1, at: 2),
            Self.touch(2, at: 1, pen: true) + Self.slots(1, at: 2),
        ] {
            let played = try play(text)
            #expect(lines(played.frames) == ["0.000 ms  7 began (0,0)"])
            #expect(played.remarks.first?.hasPrefix("left out, for event1 is the touch device read: event2") == true)
        }
        func device(_ number: Int, _ codes: String, _ events: String) -> String {
            "- node: /dev/input/event\(number)\n  evdev:\n    codes:\n\(codes)  events:\n  - evdev:\n\(events)"
        }
        let pen = device(
            5, "      1: [320, 330]\n      3: [0, 1]\n", "    - [0, 0, 1, 330, 1]\n    - [0, 0, 0, 0, 0]\n")
        let panel = device(6, "      3: [47, 53, 54, 57]\n", "    - [0, 5, 3, 57, 4]\n    - [0, 5, 0, 0, 0]\n")
        let played = try play("version: 1\ndevices:\n" + pen + panel)
        #expect(lines(played.frames) == ["0.000 ms  4 began (0,0)"])
        #expect(played.remarks == ["left out, for event6 is the touch device read: event5"])
    }

    @Test("a recording with only a pen reads the pen")
    func penAlone() throws {
        let short = try play(Self.described + Self.touch(2, at: 1))
        #expect(short.name == "Pen" && lines(short.frames) == ["0.000 ms  0 began (5,0)"])
        var text = Self.touch(2, at: 1, pen: true)
        for _ in 0..<22_000 { text += Self.touch(2, at: 1, pen: true) }
        let long = try play(text + Self.slots(1, at: 2))
        #expect(long.frames.count == 22_001 && long.summary.began == 1 && long.contactProtocol == .single)
    }

    @Test("an unplugged evdev device cancels its contacts and returns without any")
    func unplugged() throws {
        let played = try play(
            """
            add device 1: /dev/input/event2
            [ 1.0] /dev/input/event2: 0003 0039 00000001
            [ 1.0] /dev/input/event2: 0000 0000 00000000
            remove device 1: /dev/input/event3
            remove device 1: /dev/input/event2
            add device 2: /dev/input/event2
            [ 2.0] /dev/input/event2: 0003 0035 00000009
            [ 2.0] /dev/input/event2: 0000 0000 00000000
            [ 3.0] /dev/input/event2: 0003 0039 00000001
            [ 3.0] /dev/input/event2: 0000 0000 00000000
            """)
        #expect(played.frames.map { $0.contacts.map(\.phase) } == [[.began], [.cancelled], [], [.began]])
    }

    @Test("the first touch device with contacts is the one read")
    func untouched() throws {
        let keys = "    - [1, 0, 1, 272, 1]\n    - [1, 0, 0, 0, 0]\n"
        let touch = "    - [2, 0, 3, 57, 4]\n    - [2, 0, 0, 0, 0]\n"
        func device(_ number: Int, _ events: String) -> String {
            """
            - node: /dev/input/event\(number)
              evdev:
                name: "Device \(number)"
                codes:
                  3: [0, 1, 47, 53, 54, 57]
              events:
              - evdev:

            """ + events
        }
        let played = try play("version: 1\ndevices:\n" + device(4, keys) + device(5, touch) + device(6, touch))
        #expect(played.name == "Device 5" && played.frames.count == 1)
        #expect(
            played.remarks == [
                #"left out, for event5 is the touch device read: event4 "Device 4", event6 "Device 6""#
            ])
        let keyboard = try play("version: 1\ndevices:\n" + device(4, keys))
        #expect(keyboard.name == "Device 4" && keyboard.summary.began == 0)
        #expect(keyboard.remarks == ["no finger touches the device in it"])
    }

    @Test("evtest's unnamed synchronizations are ignored")
    func namelessSynchronisation() throws {
        let played = try play(
            """
            Event: time 1.0, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 4
            Event: time 1.0, -------------- ? ------------
            Event: time 1.0, -------------- Config Sync ------------
            Event: time 1.0, -------------- SYN_REPORT ------------
            Event: time 2.0, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<
            Event: time 2.0, -------------- SYN_REPORT ------------
            """)
        #expect(played.frames.map { $0.contacts.map(\.phase) } == [[.began], [.cancelled]])
        #expect(played.remarks == ["the kernel lost events once: contacts that were down are cancelled"])
    }
}
