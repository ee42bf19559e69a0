// PayloadStore.swift: the inputs of the entries that wait in a schedule.
//
//    World ─ input, route ─▶ number ─▶ ScheduledEntry ─▶ number ─▶ World
//
// An input has 150 bytes. It is moved into its slot and out of it; an array would destroy the slot's earlier content at
// each store, and copy an input that is read.
//
// Knows     inputs by number. No time.
//
// Sources   invented

import Hosting
import Wire

/// Where the frame of a waiting input comes from, and where it goes.
struct PayloadRoute {
    /// The serial of the life that sent it; 0 for none in this world.
    var sender: UInt32
    /// The receiver of a frame that has yet to leave its sender.
    var receiver: Peer
    /// The connection of a frame that has yet to leave a server.
    var connection: Int?
}

/// Inputs by number. A number is used again once its input has been taken. One world has the store, on one thread, so it
/// is exempt from the runtime's exclusivity checks.
///
/// The three tables have memory of their own: each change of an array would check the array's owner and its bounds.
final class PayloadStore {
    @exclusivity(unchecked) private var inputs: UnsafeMutablePointer<Input>
    @exclusivity(unchecked) private var routes: UnsafeMutablePointer<PayloadRoute>
    /// The numbers of taken inputs.
    @exclusivity(unchecked) private var unused: UnsafeMutablePointer<UInt32>
    @exclusivity(unchecked) private var unusedCount = 0
    /// The number of different numbers so far, and the number for which there is memory.
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 256

    init() {
        inputs = .allocate(capacity: capacity)
        routes = .allocate(capacity: capacity)
        unused = .allocate(capacity: capacity)
    }

    deinit {
        var isUsed = [Bool](repeating: true, count: count)
        for index in 0..<unusedCount { isUsed[Int(unused[index])] = false }
        for index in isUsed.indices where isUsed[index] { (inputs + index).deinitialize(count: 1) }
        inputs.deallocate()
        routes.deallocate()
        unused.deallocate()
    }

    /// Stores an input, and returns its number.
    func store(_ input: consuming Input, _ route: PayloadRoute) -> UInt32 {
        let number: UInt32
        if unusedCount > 0 {
            unusedCount -= 1
            number = unused[unusedCount]
        } else {
            if count == capacity { reserveSpace() }
            number = UInt32(count)
            count += 1
        }
        (inputs + Int(number)).initialize(to: input)
        (routes + Int(number)).initialize(to: route)
        return number
    }

    private func reserveSpace() {
        func enlarge<Element>(_ table: inout UnsafeMutablePointer<Element>) {
            let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: table, count: capacity)
            table.deallocate()
            table = larger
        }
        enlarge(&inputs)
        enlarge(&routes)
        enlarge(&unused)
        capacity *= 2
    }

    /// The route of an input that has not been taken.
    func route(_ number: UInt32) -> PayloadRoute {
        precondition(Int(number) < count, "there is no input \(number)")
        return routes[Int(number)]
    }

    /// Removes an input and returns it. Each number is taken once.
    func remove(_ number: UInt32) -> Input {
        precondition(Int(number) < count && unusedCount < count, "there is no input \(number)")
        assert(
            !UnsafeBufferPointer(start: unused, count: unusedCount).contains(number), "input \(number) was taken twice")
        unused[unusedCount] = number
        unusedCount += 1
        return (inputs + Int(number)).move()
    }
}
