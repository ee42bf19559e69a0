// LiveDeviceSuite.swift: the paths, the bench and the finger events that suites about live devices share.

import Basics

@testable import InputKitCore

protocol LiveDeviceSuite {}

extension LiveDeviceSuite {
    var all: [(String, String)] { [("device.open", "all"), ("device.directory", "/d")] }
    var a: String { "/d/event0" }
    var b: String { "/d/event1" }
    var raw: String { "/d/hidraw0" }

    func open(_ settings: [(String, String)] = []) throws -> Bench {
        var bench = try Bench.open(settings: all + settings)
        bench.now = .ms(1000)
        return bench
    }

    /// The events of a finger that lands at (x, y).
    func land(_ id: Int32, slot: Int32 = 0, _ x: Int32 = 500, _ y: Int32 = 500) -> [SlotPanel.Event] {
        [.slot(slot), .id(id), .at(x, y), .report]
    }

    func lift() -> [SlotPanel.Event] { [.id(-1), .report] }
}
