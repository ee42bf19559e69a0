// SupervisorTimers.swift: the supervisor's timers, and the part that each belongs to.
//
// Station   process
// Input     ControlBroker, ChildTable
//
// Sources   invented

import Hosting

extension TimerID {
    /// The deadline of a round of reports (`ControlBroker`). All other timers are `ChildTable`'s.
    static let gathering = TimerID(1)
    static let terminate = TimerID(2)
    static let kill = TimerID(3)
    static let roster = TimerID(4)
    static let nextStart = TimerID(5)
    private static let firstChild: UInt32 = 16

    init(child index: Int) { self.init(Self.firstChild + UInt32(index)) }

    /// The index of the child that this timer belongs to; nil for other timers.
    var child: Int? { rawValue >= Self.firstChild ? Int(rawValue - Self.firstChild) : nil }
}
