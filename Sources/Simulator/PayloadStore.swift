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
final class PayloadStore {
    @exclusivity(unchecked) private var inputs: UnsafeMutablePointer<Input>
    @exclusivity(unchecked) private var capacity = 256
    @exclusivity(unchecked) private var routes: [PayloadRoute] = []
    @exclusivity(unchecked) private var unused: [UInt32] = []

    init() { inputs = .allocate(capacity: capacity) }

    deinit {
        var isUsed = [Bool](repeating: true, count: routes.count)
        for number in unused { isUsed[Int(number)] = false }
        for index in isUsed.indices where isUsed[index] { (inputs + index).deinitialize(count: 1) }
        inputs.deallocate()
    }

    /// Stores an input, and returns its number.
    func store(_ input: consuming Input, _ route: PayloadRoute) -> UInt32 {
        if let number = unused.popLast() {
            (inputs + Int(number)).initialize(to: input)
            routes[Int(number)] = route
            return number
        }
        if routes.count == capacity { reserveSpace() }
        (inputs + routes.count).initialize(to: input)
        routes.append(route)
        return UInt32(routes.count - 1)
    }

    private func reserveSpace() {
        let larger = UnsafeMutablePointer<Input>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: inputs, count: capacity)
        inputs.deallocate()
        (inputs, capacity) = (larger, 2 * capacity)
    }

    /// The route of an input that has not been taken.
    func route(_ number: UInt32) -> PayloadRoute { routes[Int(number)] }

    /// Removes an input and returns it. Each number is taken once.
    func remove(_ number: UInt32) -> Input {
        assert(!unused.contains(number), "input \(number) was taken twice")
        unused.append(number)
        return (inputs + Int(number)).move()
    }
}
