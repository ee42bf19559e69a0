import Basics
import RunLoops

/// A run loop on a clock that the test moves, with its steps as lines.
struct RecordedRunLoop {
    var loop: RunLoop
    var lines: [String] = []
    var now = Instant.boot
    /// The closure that runs when the item with this name is called.
    var actions: [String: (inout RecordedRunLoop) -> Void] = [:]
    private var names: [UInt64: String] = [:]

    init(servesMainQueue: Bool = false) { loop = RunLoop(servesMainQueue: servesMainQueue) }

    mutating func observer(
        _ name: String, _ activities: Activity = Activity(rawValue: .max), order: Int = 0, repeats: Bool = true,
        in modes: ModeSet = .common
    ) {
        names[loop.addObserver(of: activities, order: order, repeats: repeats, in: modes).rawValue] = name
    }
    mutating func source0(_ name: String, order: Int = 0, in modes: ModeSet = .common) -> RunLoop.Source0ID {
        let id = loop.addSource0(order: order, in: modes)
        names[id.rawValue] = name
        return id
    }
    mutating func source1(_ name: String, in modes: ModeSet = .common) -> RunLoop.Source1ID {
        let id = loop.addSource1(in: modes)
        names[id.rawValue] = name
        return id
    }
    /// Adds a timer. The date and the interval are in milliseconds.
    @discardableResult
    mutating func timer(_ name: String, at date: Int, every interval: Int? = nil, in modes: ModeSet = .common)
        -> RunLoop.TimerID
    {
        let id = loop.addTimer(at: .boot + date, every: interval.map { .milliseconds($0) }, in: modes)
        names[id.rawValue] = name
        return id
    }
    mutating func block(_ name: String, in modes: ModeSet = .common) { names[loop.perform(in: modes).rawValue] = name }
    mutating func queued(_ name: String) { names[loop.async().rawValue] = name }

    /// Takes steps of the innermost run until it sleeps, is busy or ends.
    mutating func pull(at milliseconds: Int? = nil) {
        if let milliseconds { now = .boot + milliseconds }
        while true {
            switch loop.next(at: now) {
            case .observe(let id, let activity): call(id.rawValue, " \(activity)")
            case .source0(let id): call(id.rawValue)
            case .source1(let id): call(id.rawValue)
            case .timer(let id): call(id.rawValue)
            case .block(let id): call(id.rawValue)
            case .mainQueue(let id): call(id.rawValue)
            case .sleep(let moment): return lines.append(moment == .never ? "sleep" : "sleep until \(moment)")
            case .busy(let moment): return lines.append("busy until \(moment)")
            case .finished(let result): return lines.append("run \(result)")
            }
        }
    }

    private mutating func call(_ id: UInt64, _ what: String = "") {
        let name = names[id]!
        lines.append(name + what)
        actions[name]?(&self)
    }
}

extension Instant {
    static func + (moment: Instant, milliseconds: Int) -> Instant { moment.advanced(by: .milliseconds(milliseconds)) }
}
