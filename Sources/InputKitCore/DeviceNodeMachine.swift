// DeviceNodeMachine.swift: the state machine of one device node, from its appearance to its removal.
//
// Station   device
// Input     LiveDevices: the host's messages, and its own timer
// Output    Decision, which LiveDevices carries out
// Knows     nothing else: no path, no contact.
//
//     absent ──appeared──▶ opening ──a touch device──▶ open ──vanished, stopped──▶ absent
//                             │  └──another device──▶ ignored
//                             └──failed──▶ failed ◀──lost── open
//     (failed: opened again when its name changes, and a few times after a pause)
//
// Sources   inferred  udev sets the group of a node after the kernel has made it
//           invented  the rest

/// The state machine of one device node.
enum DeviceNodeMachine {
    enum State: String, Sendable, CaseIterable { case absent, opening, open, failed, ignored }

    enum Input: Equatable, Sendable, CaseIterable {
        case appeared
        case openedTouch
        /// It is no touch device, or another node is read instead of it.
        case openedOther
        case failed
        case lost
        case vanished
        /// Another node is read instead of it now.
        case superseded
        case retryDue
    }

    enum Decision: Equatable, Sendable {
        case open
        case begin
        /// Close it and do not read it.
        case close
        /// Cancel its contacts, and open it again later.
        case endAndRetry
        /// Cancel its contacts, and close it.
        case endAndClose
        case retry
        case nothing
    }

    /// The whole machine. Nil marks impossible pairs: the host answers only a request to open, and loses only an open device.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.absent, .appeared), (.failed, .appeared), (.ignored, .appeared): (.opening, .open)
        case (.opening, .appeared), (.open, .appeared): (state, .nothing)

        case (.opening, .openedTouch): (.open, .begin)
        case (.opening, .openedOther): (.ignored, .close)
        case (.opening, .failed): (.failed, .retry)
        case (.absent, .openedTouch), (.open, .openedTouch), (.failed, .openedTouch), (.ignored, .openedTouch): nil
        case (.absent, .openedOther), (.open, .openedOther), (.failed, .openedOther), (.ignored, .openedOther): nil
        case (.absent, .failed), (.open, .failed), (.failed, .failed), (.ignored, .failed): nil

        case (.open, .lost): (.failed, .endAndRetry)
        case (.absent, .lost), (.opening, .lost), (.failed, .lost), (.ignored, .lost): nil

        case (.open, .vanished): (.absent, .endAndClose)
        case (.opening, .vanished): (.absent, .close)
        case (.absent, .vanished), (.failed, .vanished), (.ignored, .vanished): (.absent, .nothing)

        case (.open, .superseded): (.ignored, .endAndClose)
        case (.absent, .superseded), (.opening, .superseded), (.failed, .superseded), (.ignored, .superseded):
            (state, .nothing)

        case (.failed, .retryDue): (.opening, .open)
        case (.absent, .retryDue), (.opening, .retryDue), (.open, .retryDue), (.ignored, .retryDue): (state, .nothing)
        }
    }
}
