import CoreFoundation
import Glibc

/// Plays a script in the real CFRunLoop of the calling thread.
///
/// Each player names its own modes, so that they hold nothing of Foundation's or of another test's.
final class OraclePlayer {
    private let script: Script
    private let loop: CFRunLoop
    private var log: [String] = []
    private var calls: [Int]
    private var waits = 0

    private var observers: [Int: CFRunLoopObserver] = [:]
    private var sources: [Int: CFRunLoopSource] = [:]
    private var timers: [Int: CFRunLoopTimer] = [:]
    private var pipes: [Int: Pipe] = [:]
    private var waitObserver: CFRunLoopObserver?
    /// Whether a timer was created after its date.
    private var isLate = false
    private let first: CFString
    private let second: CFString

    private struct Pipe { var reads, writes: Int32 }

    /// The context of a C callback.
    private final class Callee {
        unowned let player: OraclePlayer
        let index: Int
        init(_ player: OraclePlayer, _ index: Int) { (self.player, self.index) = (player, index) }
        static func of(_ info: UnsafeMutableRawPointer?) -> Callee {
            Unmanaged<Callee>.fromOpaque(info!).takeUnretainedValue()
        }
    }
    private var callees: [Callee] = []
    /// The context of a version 1 source, whose `getPort` receives nothing else.
    private final class PortCallee {
        let callee: Callee
        let descriptor: Int32
        init(_ callee: Callee, _ descriptor: Int32) { (self.callee, self.descriptor) = (callee, descriptor) }
    }
    private var portCallees: [PortCallee] = []

    static func log(of script: Script, name: String) -> [String] {
        var player = OraclePlayer(script, name: name, lead: 0)
        // On a busy machine the timers may need more time until all of them are created.
        var lead = 0.01
        while player.isLate {
            player.dismantle()
            player = OraclePlayer(script, name: name, lead: lead)
            lead *= 2
        }
        defer { player.dismantle() }
        player.perform(script.first)
        player.run(script.mode, polls: script.polls, returnsAfterSource: script.returnsAfterSource)
        return player.log
    }

    /// - Parameter lead: Seconds between the creation of the first timer and the time from which their dates count.
    private init(_ script: Script, name: String, lead: CFTimeInterval) {
        self.script = script
        loop = CFRunLoopGetCurrent()
        calls = script.items.map { _ in 0 }
        first = Self.string("\(name) first")
        second = Self.string("\(name) second")
        waitObserver = observer(-1, Activities.beforeWaiting, order: .max, repeats: true, mode: .both)
        consumeLeftoverWakeUp()
        let start = CFAbsoluteTimeGetCurrent() + lead
        var last = start
        for (index, thing) in script.items.enumerated() {
            switch thing.kind {
            case .source0(let order): sources[index] = source0(index, order: order, mode: thing.mode)
            case .source1: sources[index] = source1(index, mode: thing.mode)
            case .timer(let after, let repeats):
                let date = start + Double(after) / 1000
                last = max(last, date)
                timers[index] = timer(index, at: date, repeats: repeats, mode: thing.mode)
                if CFAbsoluteTimeGetCurrent() >= date { isLate = true }
            case .observer(let activities, let order, let repeats):
                observers[index] = observer(
                    index, CFOptionFlags(activities), order: order, repeats: repeats, mode: thing.mode)
            }
        }
        // All timers are due when the run begins. CF treats a past date as now. The dates therefore lie in the future,
        // and the thread waits until they have passed.
        if !isLate, last > start { while CFAbsoluteTimeGetCurrent() < last + 0.001 {} }
    }

    /// Consumes a wake-up that an earlier script may have left in the thread's loop.
    private func consumeLeftoverWakeUp() {
        let mode = Self.string("touchline nobody")
        var context = CFRunLoopSourceContext()
        let source = CFRunLoopSourceCreate(nil, 0, &context)!
        CFRunLoopAddSource(loop, source, mode)
        CFRunLoopRunInMode(mode, 0, false)
        CFRunLoopSourceInvalidate(source)
    }

    private enum Activities { static let beforeWaiting: CFOptionFlags = 32 }

    private static func string(_ text: String) -> CFString {
        text.withCString { CFStringCreateWithCString(nil, $0, CFStringEncoding(0x0800_0100)) }
    }

    private func modes(_ mode: ScriptMode) -> [CFString] {
        switch mode {
        case .first: [first]
        case .second: [second]
        case .both: [first, second]
        }
    }

    private func callee(_ index: Int) -> Callee {
        let callee = Callee(self, index)
        callees.append(callee)
        return callee
    }

    private func source0(_ index: Int, order: Int, mode: ScriptMode) -> CFRunLoopSource {
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(callee(index)).toOpaque()
        context.perform = { info in
            let callee = Callee.of(info)
            callee.player.call(callee.index)
        }
        let source = CFRunLoopSourceCreate(nil, order, &context)!
        for name in modes(mode) { CFRunLoopAddSource(loop, source, name) }
        return source
    }

    private func source1(_ index: Int, mode: ScriptMode) -> CFRunLoopSource {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe for the oracle's port")
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        pipes[index] = Pipe(reads: ends[0], writes: ends[1])
        let port = PortCallee(callee(index), ends[0])
        portCallees.append(port)
        var context = CFRunLoopSourceContext1()
        context.version = 1
        context.info = Unmanaged.passUnretained(port).toOpaque()
        context.getPort = { info in
            Unmanaged<PortCallee>.fromOpaque(info!).takeUnretainedValue().descriptor
        }
        context.perform = { info in
            let callee = Unmanaged<PortCallee>.fromOpaque(info!).takeUnretainedValue().callee
            callee.player.call(callee.index)
        }
        let source = withUnsafeMutablePointer(to: &context) { pointer in
            pointer.withMemoryRebound(to: CFRunLoopSourceContext.self, capacity: 1) {
                CFRunLoopSourceCreate(nil, 0, $0)!
            }
        }
        for name in modes(mode) { CFRunLoopAddSource(loop, source, name) }
        return source
    }

    private func timer(_ index: Int, at date: CFAbsoluteTime, repeats: Bool, mode: ScriptMode) -> CFRunLoopTimer {
        var context = CFRunLoopTimerContext()
        context.info = Unmanaged.passUnretained(callee(index)).toOpaque()
        let timer = CFRunLoopTimerCreate(
            nil, date, repeats ? 10_000 : 0, 0, 0,
            { _, info in
                let callee = Callee.of(info)
                callee.player.call(callee.index)
            }, &context)!
        for name in modes(mode) { CFRunLoopAddTimer(loop, timer, name) }
        return timer
    }

    private func observer(
        _ index: Int, _ activities: CFOptionFlags, order: Int, repeats: Bool, mode: ScriptMode
    ) -> CFRunLoopObserver {
        var context = CFRunLoopObserverContext()
        context.info = Unmanaged.passUnretained(callee(index)).toOpaque()
        let observer = CFRunLoopObserverCreate(
            nil, activities, repeats, order,
            { _, activity, info in
                let callee = Callee.of(info)
                callee.player.observed(callee.index, activity)
            }, &context)!
        for name in modes(mode) { CFRunLoopAddObserver(loop, observer, name) }
        return observer
    }

    private func dismantle() {
        waitObserver.map { CFRunLoopObserverInvalidate($0) }
        for index in script.items.indices { invalidate(index) }
        for pipe in pipes.values {
            close(pipe.reads)
            close(pipe.writes)
        }
    }

    private func observed(_ index: Int, _ activity: CFRunLoopActivity) {
        guard index >= 0 else {
            waits += 1
            log.append("world \(waits)")
            return perform(waits <= script.waitActions.count ? script.waitActions[waits - 1] : [.stop])
        }
        let word =
            switch activity.rawValue {
            case 1: "entry"
            case 2: "beforeTimers"
            case 4: "beforeSources"
            case 32: "beforeWaiting"
            case 64: "afterWaiting"
            case 128: "exit"
            default: "activity \(activity.rawValue)"
            }
        call(index, " \(word)")
    }

    private func call(_ index: Int, _ what: String = "") {
        log.append(script.items[index].name + what)
        calls[index] += 1
        if calls[index] <= script.items[index].actions.count { perform(script.items[index].actions[calls[index] - 1]) }
    }

    private func run(_ mode: ScriptMode, polls: Bool, returnsAfterSource: Bool) {
        let result = CFRunLoopRunInMode(mode == .second ? second : first, polls ? 0 : 1e9, returnsAfterSource)
        let word =
            switch result.rawValue {
            case 1: "finished"
            case 2: "stopped"
            case 3: "timedOut"
            case 4: "handledSource"
            default: "result \(result.rawValue)"
            }
        log.append("run \(word)")
    }

    private func perform(_ deeds: [Action]) {
        for deed in deeds {
            switch deed {
            case .signal(let index): sources[index].map { CFRunLoopSourceSignal($0) }
            case .message(let index):
                guard let pipe = pipes[index] else { continue }
                var message: UInt64 = 1
                _ = write(pipe.writes, &message, 8)
            case .wakeUp: CFRunLoopWakeUp(loop)
            case .stop: CFRunLoopStop(loop)
            case .invalidate(let index): invalidate(index)
            case .perform(let name, let mode, let deeds):
                let block: () -> Void = {
                    self.log.append(name)
                    self.perform(deeds)
                }
                let names = modes(mode)
                if names.count == 1 {
                    CFRunLoopPerformBlock(loop, names[0], block)
                } else {
                    var pointers = names.map { UnsafeRawPointer?(Unmanaged.passUnretained($0).toOpaque()) }
                    var callbacks = kCFTypeArrayCallBacks
                    CFRunLoopPerformBlock(loop, CFArrayCreate(nil, &pointers, pointers.count, &callbacks), block)
                }
            case .run(let mode, let polls, let returnsAfterSource):
                run(mode, polls: polls, returnsAfterSource: returnsAfterSource)
            }
        }
    }

    private func invalidate(_ index: Int) {
        observers[index].map { CFRunLoopObserverInvalidate($0) }
        sources[index].map { CFRunLoopSourceInvalidate($0) }
        timers[index].map { CFRunLoopTimerInvalidate($0) }
    }
}
