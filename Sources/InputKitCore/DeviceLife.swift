// DeviceLife.swift: where one path of a live device stands, from its name's coming to its going.
//
//     absent ──appeared──▶ opening ──a touch device──▶ open ──vanished, stopped──▶ absent
//                             │  └──another device──▶ ignored
//                             └──failed──▶ failed ◀──lost── open
//     (failed: opened again when its name changes, and a few times by itself)
//
// Station   device
// Fed by    LiveDevices: the host's news, and its own timer
// Feeds     Decision, which LiveDevices carries out
// Knows     nothing else: no path, no finger.
//
// Sources   inferred  udev gives a node to its group after the kernel has made it; invented: the rest

enum DeviceLife {
    enum State: Equatable, Sendable, CaseIterable { case absent, opening, open, failed, ignored }

    enum Input: Equatable, Sendable, CaseIterable {
        case appeared
        case openedTouch
        /// No touch device, or one that another path stands for.
        case openedOther
        case failed
        case lost
        case vanished
        /// Another path stands for it now.
        case superseded
        case retryDue
    }

    enum Decision: Equatable, Sendable {
        case open
        case begin
        /// Close it, and look at it no more.
        case close
        /// Its fingers are cancelled; try again in a while.
        case endAndRetry
        /// Its fingers are cancelled; close it.
        case endAndClose
        case retry
        case nothing
    }

    /// The whole machine. Nil cannot happen: an answer comes only to who has asked, a loss only to who has it open.
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
