// BenchHeads.swift: the heads of evdev recordings, as each format's own tool writes them before the first event.

/// Heads of recordings by format.
enum BenchHeads {
    /// The head of evemu-describe.
    static let evemu: StaticString =
        """
        # EVEMU 1.3
        N: Touchline bench panel
        I: 0018 1234 5678 0100
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 03 00 00 00 00 00 80 60 06
        A: 2f 0 9 0 0 0
        A: 35 0 4095 0 0 20
        A: 36 0 4095 0 0 20
        A: 39 0 65535 0 0 0
        A: 3a 0 255 0 0 0

        """

    /// The head of evtest.
    static let evtest: StaticString =
        """
        Input driver version is 1.0.1
        Input device ID: bus 0x18 vendor 0x1234 product 0x5678 version 0x100
        Input device name: "Touchline bench panel"
        Supported events:
          Event type 0 (EV_SYN)
          Event type 3 (EV_ABS)
            Event code 47 (ABS_MT_SLOT)
              Value      0
              Min        0
              Max        9
            Event code 53 (ABS_MT_POSITION_X)
              Value      0
              Min        0
              Max     4095
            Event code 54 (ABS_MT_POSITION_Y)
              Value      0
              Min        0
              Max     4095
            Event code 57 (ABS_MT_TRACKING_ID)
              Value      0
              Min        0
              Max    65535
        Properties:
        Testing ... (interrupt to exit)

        """

    /// The head of `libinput record`.
    static let libinputRecord: StaticString =
        """
        # libinput record
        version: 1
        ndevices: 1
        libinput:
          version: "1.22.1"
          git: "unknown"
        system:
          kernel: "6.1"
        devices:
        - node: /dev/input/event2
          evdev:
            # Name: Touchline bench panel
            name: "Touchline bench panel"
            id: [24, 4660, 22136, 256]
            codes:
              0: [0, 1, 2, 3] # EV_SYN
              3: [47, 53, 54, 57, 58] # EV_ABS
            absinfo:
              47: [0, 9, 0, 0, 0]
              53: [0, 4095, 0, 0, 20]
              54: [0, 4095, 0, 0, 20]
              57: [0, 65535, 0, 0, 0]
              58: [0, 255, 0, 0, 0]
            properties: [1]
          quirks:
          events:

        """
}
