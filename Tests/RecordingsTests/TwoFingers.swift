import Basics
import HID
import Recordings

/// Two contacts in slots, as each format writes them: one lands, then the other, both move, the first lifts, the second
/// stays.
enum TwoFingers {
    static let all: [RecordingFormat: String] = [
        .evemu: evemu, .evtest: evtest, .getevent: getevent, .libinputRecord: libinput,
    ]

    static let evemu = """
        # EVEMU 1.3
        # Made by hand
        N: Two # fingers
        I: 0018 04f3 200a 0100
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 03 03 00 00 00 00 80 60 06
        A: 2f 0 4 0 0 0
        A: 35 0 719 2 1 12
        A: 36 0 1279 0 0 12
        A: 3a 0 255 0 0 0
        L: 00 0
        S: 05 1
        E: 7.000001 0003 0039 0082	# EV_ABS / ABS_MT_TRACKING_ID   82
        E: 7.000001 0003 0035 0100
        E: 7.000001 0003 0036 0200
        E: 7.000001 0003 003a 0050
        E: 7.000001 0001 014a 0001
        E: 7.000001 0000 0000 0000	# ------------ SYN_REPORT (0) ---------- +0ms
        E: 7.010001 0003 002f 0001
        E: 7.010001 0003 0039 0083
        E: 7.010001 0003 0035 0500
        E: 7.010001 0003 0036 0600
        E: 7.010001 0000 0000 0000
        E: 7.020001 0003 0035 0501
        E: 7.020001 0003 002f 0000
        E: 7.020001 0003 0036 0201
        E: 7.020001 0000 0000 0000
        E: 7.030001 0003 0039 -001
        E: 7.030001 0000 0000 0000

        """

    static let evtest = """
        Input driver version is 1.0.1
        Input device ID: bus 0x18 vendor 0x4f3 product 0x200a version 0x100
        Input device name: "Two # fingers"
        Supported events:
          Event type 0 (EV_SYN)
          Event type 1 (EV_KEY)
            Event code 330 (BTN_TOUCH)
            Event code 328 (?)
          Event type 3 (EV_ABS)
            Event code 47 (ABS_MT_SLOT)
              Value      0
              Min        0
              Max        4
            Event code 53 (ABS_MT_POSITION_X)
              Value    100
              Min        0
              Max      719
              Fuzz       2
              Flat       1
              Resolution      12
            Event code 54 (ABS_MT_POSITION_Y)
              Value      0
              Min        0
              Max     1279
              Resolution      12
            Event code 58 (ABS_MT_PRESSURE)
              Value      0
              Min        0
              Max      255
        Key repeat handling:
          Repeat type 20 (EV_REP)
            Repeat code 0 (REP_DELAY)
              Value    250
        Properties:
          Property type 1 (INPUT_PROP_DIRECT)
        Testing ... (interrupt to exit)
        Event: time 7.000001, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 82
        Event: time 7.000001, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 100
        Event: time 7.000001, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 200
        Event: time 7.000001, type 3 (EV_ABS), code 58 (ABS_MT_PRESSURE), value 50
        Event: time 7.000001, type 4 (EV_MSC), code 4 (MSC_SCAN), value 9001f
        Event: time 7.000001, type 1 (EV_KEY), code 330 (BTN_TOUCH), value 1
        Event: time 7.000001, -------------- SYN_REPORT ------------
        Event: time 7.010001, type 3 (EV_ABS), code 47 (ABS_MT_SLOT), value 1
        Event: time 7.010001, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 83
        Event: time 7.010001, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 500
        Event: time 7.010001, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 600
        Event: time 7.010001, -------------- EV_SYN ------------
        Event: time 7.020001, type 3 (EV_ABS), code 53 (?), value 501
        Event: time 7.020001, type 3 (EV_ABS), code 47 (ABS_MT_SLOT), value 0
        Event: time 7.020001, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 201
        Event: time 7.020001, -------------- Report Sync ------------
        Event: time 7.030001, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1
        Event: time 7.030001, -------------- SYN_REPORT ------------

        """

    static let getevent = """
        add device 1: /dev/input/event0
          bus:      0000
          vendor    0000
          product   0000
          version   0000
          name:     "gpio-keys"
          location: ""
          id:       ""
          version:  1.0.1
          events:
            KEY (0001): KEY_VOLUMEDOWN        KEY_POWER*
          input props:
            <none>
        add device 2: /dev/input/event2
          bus:      0018
          vendor    04f3
          product   200a
          version   0100
          name:     "Two # fingers"
          location: ""
          id:       ""
          version:  1.0.1
          events:
            KEY (0001): BTN_TOUCH             0145*
            ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 4, fuzz 0, flat 0, resolution 0
                        ABS_MT_POSITION_X     : value 100, min 0, max 719, fuzz 2, flat 1, resolution 12
                        0036                  : value 0, min 0, max 1279, fuzz 0, flat 0, resolution 12
                        ABS_MT_PRESSURE       : value 0, min 0, max 255, fuzz 0, flat 0
          input props:
            INPUT_PROP_DIRECT
        could not get driver version for /dev/input/mice, Not a typewriter
        [       6.900000] /dev/input/event0: EV_KEY       KEY_POWER            DOWN
        [       6.900000] /dev/input/event0: EV_SYN       SYN_REPORT           00000000
        [       7.000001] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   00000052
        [       7.000001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000064
        [       7.000001] /dev/input/event0: EV_KEY       KEY_POWER            UP
        [       7.000001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    000000c8
        [       7.000001] /dev/input/event2: EV_ABS       ABS_MT_PRESSURE      00000032
        [       7.000001] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN
        [       7.000001] /dev/input/event0: EV_SYN       SYN_REPORT           00000000
        [       7.000001] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
        [       7.010001] /dev/input/event2: 0003 002f 00000001
        [       7.010001] /dev/input/event2: 0003 0039 00000053
        [       7.010001] /dev/input/event2: 0003 0035 000001f4
        [       7.010001] /dev/input/event2: 0003 0036 00000258
        [       7.010001] /dev/input/event2: 0000 0000 00000000 rate 100
        [       7.020001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    000001F5
        [       7.020001] /dev/input/event2: EV_ABS       ABS_MT_SLOT          00000000
        [       7.020001] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    000000C9
        [       7.020001] /dev/input/event2: EV_SYN       SYN_REPORT           00000000 rate 100
        [       7.030001] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
        [       7.030001] /dev/input/event2: EV_SYN       SYN_REPORT           00000000

        """

    static let libinput = """
        # libinput record
        version: 1
        ndevices: 2
        libinput:
          version: "1.12.6"
          git: "unknown"
        system:
          kernel: "5.5.0"
          dmi: "dmi:bvn:[unlikely"
        devices:
        - node: /dev/input/event0
          evdev:
            name: "gpio-keys"
            id: [25, 1, 1, 256]
            codes:
              1: [114, 116] # EV_KEY
            properties: []
          quirks:
          events:
          - evdev:
            - [  6, 900000,   1, 116,       1] # EV_KEY / KEY_POWER 1
            - [  6, 900000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
        - node: /dev/input/event2
          evdev:
            # Name: Two # fingers
            name: "Two # fingers"
            id: [24, 1267, 8202, 256]
            codes:
              0: [0, 1, 2, 3] # EV_SYN
              3: [0, 1, 47, 53,
                  54, 57,   # all of them
                  58] # EV_ABS
            absinfo:
              47: [0, 4, 0, 0, 0]
              53: [0, 719, 2, 1, 12]
              54: [0, 1279, 0, 0, 12]
              58: [0, 255, 0, 0, 0]
            properties: [1]
          hid: [
            0x05, 0x0d, 0x09,
            0x04
          ]
          udev:
            properties:
            - ID_INPUT=1
            - ID_INPUT_TOUCHSCREEN=1
            virtual: false
          quirks: null
          events:
          # Current time is 12:34:56
          - evdev:
            - [  7,      1,   3,  57,      82] # EV_ABS / ABS_MT_TRACKING_ID      82
            - [  7,      1,   3,  53,     100]
            - [  7,      1,   3,  54,     200]
            - [  7,      1,   3,  58,      50]
            - [  7,      1,   1, 330,       1]
            - [  7,      1,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
          - libinput:
            - {time: 0.123, type: POINTER_MOTION, delta: [1.5, -2.5]}
          - evdev:
            - [  7,  10001,   3,  47,       1]
            - [  7,  10001,   3,  57,      83]
            - [  7,  10001,   3,  53,     500]
            - [  7,  10001,   3,  54,     600]
            - [  7,  10001,   0,   0,       0]
          - evdev:
            - [  7,  20001,   3,  53,     501]
            - [  7,  20001,   3,  47,       0]
            - [  7,  20001,   3,  54,     201]
            - [  7,  20001,   0,   0,       0]
                                             # Touch device in neutral state
          - evdev:
            - [  7,  30001,   3,  57,      -1]
            - [  7,  30001,   0,   0,       0]

        """

    static let frames = """
        0.000 ms  82 began (100,200)
        10.000 ms  82 stationary (100,200), 83 began (500,600)
        20.000 ms  82 moved (100,201), 83 moved (501,600)
        30.000 ms  82 ended (100,201), 83 stationary (501,600)
        30.000 ms  83 cancelled (501,600)
        """
}
