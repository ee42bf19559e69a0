import Basics
import HID
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("One scan, divided by owner")
struct RouterTests {

    var router = Router(Displays(main: ScreenGeometry(width: 400, height: 800, rotation: 0)))

    @Test("a contact that lands becomes a touch in points")
    mutating func landing() {
        let outcome = router.route(scan(down(1, 0.5, 0.25)), to: .app(1))
        let landing = Router.Landing(
            finger: 1, touch: TouchID(rawValue: 0), recipient: .app(1), position: Point(200, 200))
        #expect(outcome.landings == [landing])
        #expect(outcome.deliveries.map(\.recipient) == [.app(1)])
        #expect(outcome.deliveries[0].frame.contacts[0].position == Point(200, 200))
        #expect(outcome.deliveries[0].frame.contacts[0].phase == .began)
    }

    @Test("the router makes one frame per owner and omits owners at rest")
    mutating func split() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let second = router.route(scan(held(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(2))
        #expect(second.deliveries.map(\.recipient) == [.app(2)], "app 1's finger only rested")
        let both = router.route(scan(moved(1, 0.3, 0.3), moved(2, 0.4, 0.4)), to: .home)
        #expect(both.deliveries.map(\.recipient) == [.app(1), .app(2)])
    }

    @Test("a resting touch is included as stationary beside a moving one")
    mutating func stationary() {
        _ = router.route(scan(down(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(1))
        let outcome = router.route(scan(held(1, 0.1, 0.1), moved(2, 0.4, 0.4)), to: .app(1))
        #expect(outcome.deliveries[0].frame.contacts.map(\.phase) == [.stationary, .moved])
    }

    @Test("a contact missing from a scan is cancelled for its owner")
    mutating func resync() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let outcome = router.route(scan(moved(2, 0.5, 0.5)), to: .app(1))
        #expect(outcome.deliveries.flatMap(\.frame.contacts).map(\.phase) == [.cancelled])
        #expect(outcome.drops == [.unknownFinger], "no landing of finger 2 was received")
        #expect(router.fingersDown == 0)
    }

    @Test("a second landing of a contact cancels its touch and begins another")
    mutating func landsTwice() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let outcome = router.route(scan(down(1, 0.9, 0.9)), to: .app(1))
        let contacts = outcome.deliveries[0].frame.contacts
        #expect(contacts.map(\.phase) == [.cancelled, .began])
        #expect(contacts[0].touch != contacts[1].touch)
    }

    @Test("revoked touches are cancelled once; the next landing has an owner again")
    mutating func revoking() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        #expect(router.revoke(.app(1), at: .boot).map(\.frame.contacts[0].phase) == [.cancelled])
        #expect(router.revoke(.app(1), at: .boot).isEmpty)
        #expect(router.route(scan(moved(1, 0.2, 0.2)), to: .app(2)).deliveries.isEmpty)
        #expect(router.route(scan(lifted(1)), to: .app(2)).drops == [.ignored])
        #expect(router.route(scan(down(1, 0.2, 0.2)), to: .app(2)).deliveries.map(\.recipient) == [.app(2)])
    }

    // MARK: Several scans

    @Test("moves of one owner are routed together as they are one by one, in 1,000 seeds")
    func moves() throws {
        let displays = Displays(try Settings([Setting(key: "screen.others", value: "800x600@1.5")]))
        var (together, alone, longest, later) = (0, 0, 0, 0)
        for seed in 0..<1000 {
            var chance = SeededGenerator(seed: UInt64(seed))
            var router = Router(
                seed % 2 == 0 ? displays : Displays(main: ScreenGeometry(width: 400, height: 800, rotation: 90)))
            func placed(_ event: HIDEvent) -> HIDEvent {
                var event = event
                (event.display, event.panelWidth) = (DisplayID(UInt8.random(in: 1...2, using: &chance)), Fixed(60))
                return event
            }
            let generation = UInt32.random(in: 1...2, using: &chance)
            var fingers: [UInt32] = []
            for finger in 1...UInt32.random(in: 1...3, using: &chance) {
                let owner = [Recipient.app(1), .app(1), .app(1), .app(2), .home, nil].randomElement(using: &chance)!
                let records = fingers.map { held($0) } + [down(finger, 0.2, 0.2)]
                _ = router.route(placed(scan(records, generation: 1)), to: owner)
                fingers.append(finger)
            }
            if Int.random(in: 0..<9, using: &chance) == 0 {
                _ = router.route(scan(of: 2, down(1, 0.5, 0.5)), to: .app(1))
            }
            if Int.random(in: 0..<9, using: &chance) == 0 { router.isWatched = true }
            if Int.random(in: 0..<9, using: &chance) == 0 { _ = router.revoke(.app(1), at: .boot) }
            var events: [HIDEvent] = []
            // Most scans are moves of the one before.
            let (panel, radius) = (placed(scan()), Fixed(Double.random(in: 0...9, using: &chance)))
            for _ in 0..<Int.random(in: 1...9, using: &chance) {
                let records = fingers.map { finger in
                    var record = moved(finger, Double.random(in: 0...1, using: &chance), 0.4)
                    let isSame = Int.random(in: 0..<4, using: &chance) > 0
                    record.orientation = .quality(.init(majorRadius: isSame ? radius : .one))
                    return record
                }
                events.append(placed(scan(records, generation: 1)))
                if Int.random(in: 0..<4, using: &chance) > 0 { events[events.count - 1].display = panel.display }
                switch Int.random(in: 0..<12, using: &chance) {
                case 0: events[events.count - 1].fingers[0] = held(fingers[0])
                case 1: events[events.count - 1].fingers[0] = lifted(fingers[0])
                case 2: events[events.count - 1].fingers.removeFirst()
                case 3: events[events.count - 1].fingers.reverse()
                case 4: events[events.count - 1] = scan(records, generation: generation)
                case 5: events[events.count - 1] = scan(records, of: 3)
                default: break
                }
            }
            var single = router
            var index = 0
            for part in ScanList(events).parts {
                // One scan in four is not routed with those behind it, as when a system gesture follows a finger.
                var (moves, start) = (Optional<(owner: Recipient, touches: TouchMoves)>.none, 0)
                for scan in 0..<part.count {
                    if moves == nil, Int.random(in: 0..<4, using: &chance) > 0 {
                        (moves, start) = (router.routeMoves(part, from: scan), scan)
                        if let moves { #expect(moves.touches.count == part.count - scan, "seed \(seed)") }
                    }
                    var expected = Router.Outcome()
                    if let moves {
                        let frame = moves.touches.frame(at: scan - start)
                        expected.deliveries = [Router.Delivery(recipient: moves.owner, frame: frame)]
                        (together, longest) = (together + 1, max(longest, part.count))
                        if start > 0 { later += 1 }
                    } else {
                        expected = router.route(events[index], to: .home)
                        alone += 1
                    }
                    #expect(single.route(events[index], to: .home) == expected, "seed \(seed), scan \(index)")
                    index += 1
                }
            }
            #expect(index == events.count)
            #expect(router.revoke(at: .boot) == single.revoke(at: .boot), "seed \(seed)")
        }
        #expect(
            together > 300 && alone > 300 && longest > 3 && later > 20,
            "\(together) together, \(alone) alone, \(longest) at once, \(later) later")
    }

    // MARK: Several devices

    @Test("contacts of one index on two devices are separate touches")
    mutating func twoDevices() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let second = router.route(scan(of: 2, down(1, 0.5, 0.5)), to: .app(1))
        #expect(told(second) == ["app:1: stationary 0, began 1"])
        let third = router.route(scan(of: 3, down(1, 0.9, 0.9)), to: .app(2))
        #expect(told(third) == ["app:2: began 2"])
        #expect(router.fingersDown == 3)
        #expect(told(router.route(scan(of: 2, moved(1, 0.6, 0.6)), to: nil)) == ["app:1: stationary 0, moved 1"])
        #expect(told(router.route(scan(of: 3, moved(1, 0.8, 0.8)), to: nil)) == ["app:2: moved 2"])
        #expect(told(router.route(scan(lifted(1)), to: nil)) == ["app:1: ended 0, stationary 1"])
        #expect(told(router.route(scan(of: 2, moved(1, 0.6, 0.7)), to: nil)) == ["app:1: moved 1"])
        #expect(told(router.route(scan(of: 2, lifted(1)), to: nil)) == ["app:1: ended 1"])
        #expect(told(router.route(scan(of: 3, lifted(1)), to: nil)) == ["app:2: ended 2"])
        #expect(router.fingersDown == 0)
    }

    @Test("a scan cancels missing contacts of its own device only")
    mutating func stateFrames() {
        _ = router.route(scan(down(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(1))
        _ = router.route(scan(of: 2, down(2, 0.5, 0.5)), to: .app(1))
        let outcome = router.route(scan(held(2, 0.2, 0.2)), to: .app(1))
        #expect(told(outcome) == ["app:1: cancelled 0, stationary 1, stationary 2"])
        #expect(router.fingersDown == 2)
        #expect(router.liveTouches == 2)
    }

    @Test("a scan without changes makes no frame, whatever other devices hold")
    mutating func allAtRest() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        _ = router.route(scan(of: 2, down(1, 0.5, 0.5)), to: .app(1))
        #expect(router.route(scan(held(1, 0.1, 0.1)), to: .app(1)).deliveries.isEmpty)
    }

    @Test("reopening a device cancels its own earlier contacts only")
    mutating func newGeneration() {
        _ = router.route(scan(down(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(1))
        _ = router.route(scan(of: 2, down(1, 0.5, 0.5)), to: .app(1))
        let reopened = router.route(scan(generation: 2, down(1, 0.3, 0.3)), to: .app(1))
        #expect(told(reopened) == ["app:1: cancelled 0, cancelled 1, stationary 2, began 3"])
        #expect(reopened.fencedBy == nil)
        #expect(router.fingersDown == 2)
    }

    @Test("a scan from before a device was reopened is ignored")
    mutating func oldGeneration() {
        _ = router.route(scan(generation: 5, down(1, 0.1, 0.1)), to: .app(1))
        for late in [scan(generation: 4, lifted(1)), scan(generation: 4, down(2, 0.1, 0.1)), scan(generation: 1)] {
            let outcome = router.route(late, to: .app(1))
            #expect(outcome == Router.Outcome(fencedBy: 5))
        }
        #expect(told(router.route(scan(generation: 5, lifted(1)), to: .app(1))) == ["app:1: ended 0"])
        // Another device counts its openings on its own.
        let other = router.route(scan(of: 2, generation: 1, down(1, 0.1, 0.1)), to: .app(1))
        #expect(told(other) == ["app:1: began 1"])
    }

    @Test("clearing the router cancels all touches and forgets device generations")
    mutating func clearing() {
        _ = router.route(scan(generation: 9, down(1, 0.1, 0.1)), to: .app(1))
        _ = router.route(scan(of: 2, generation: 9, down(1, 0.5, 0.5)), to: .app(2))
        #expect(router.clear(at: .boot).map(\.frame.contacts[0].phase) == [.cancelled, .cancelled])
        #expect(router.fingersDown == 0)
        #expect(told(router.route(scan(generation: 1, down(1, 0.1, 0.1)), to: .app(1))) == ["app:1: began 2"])
    }

    @Test("the last scan of an unplugged device cancels all its contacts")
    mutating func unplugged() {
        _ = router.route(scan(down(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(1))
        _ = router.route(scan(of: 2, down(1, 0.5, 0.5)), to: .app(1))
        let last = router.route(scan(cancelled(1), cancelled(2)), to: .app(1))
        #expect(told(last) == ["app:1: cancelled 0, cancelled 1, stationary 2"])
        #expect(router.fingersDown == 1)
    }

    @Test("the router forgets absent devices and keeps contacts that are down")
    mutating func comingAndGoing() {
        _ = router.route(scan(of: 0, down(1, 0.1, 0.1)), to: .app(1))
        for device in 1...1000 as ClosedRange<UInt64> {
            #expect(router.route(scan(of: device, down(1, 0.5, 0.5)), to: .app(2)).landings.count == 1)
            #expect(told(router.route(scan(of: device, lifted(1)), to: nil)) == ["app:2: ended \(device)"])
        }
        #expect(told(router.route(scan(of: 0, moved(1, 0.2, 0.2)), to: nil)) == ["app:1: moved 0"])
        // The router has forgotten this device, so its oldest generation is accepted again.
        #expect(router.route(scan(of: 1, generation: 0, down(1, 0.5, 0.5)), to: .app(2)).fencedBy == nil)
    }

    // MARK: Measures of the panel

    @Test("radii become points by the panel's width, or a phone's if unknown")
    mutating func radius() {
        var finger = down(1, 0.5, 0.5)
        finger.orientation = .quality(.init(majorRadius: Fixed(5), minorRadius: Fixed(4)))
        for (width, points) in [(100.0, 20.0), (0, 32.0866)] {
            var event = scan(of: width > 0 ? 1 : 2, finger)
            event.panelWidth = Fixed(width)
            let contact = router.route(event, to: .app(1)).deliveries[0].frame.contacts.last
            #expect(abs((contact?.majorRadius.double ?? 0) - points) < 0.001)
            #expect(contact?.tool == .direct && contact?.angles == nil)
        }
    }

    @Test("a touch keeps its measures at rest and ends without pressure")
    mutating func pressure() {
        var landing = down(1, 0.5, 0.5)
        (landing.pressure, landing.orientation) = (Fixed(0.25), .quality(.init(majorRadius: Fixed(5))))
        _ = router.route(scan(landing, down(2, 0.1, 0.1)), to: .app(1))
        func first(_ event: HIDEvent) -> TouchContact? {
            router.route(event, to: .app(1)).deliveries.first?.frame.contacts.first
        }
        let resting = first(scan(held(1, 0.5, 0.5), moved(2, 0.2, 0.2)))
        #expect(resting?.pressure == Fixed(0.25) && resting?.phase == .stationary)
        var harder = landing
        (harder.mask, harder.pressure) = ([.attribute], Fixed(0.5))
        let pressed = first(scan(harder, held(2, 0.2, 0.2)))
        #expect(pressed?.pressure == Fixed(0.5) && pressed?.phase == .moved)
        let gone = first(scan(lifted(1), held(2, 0.2, 0.2)))
        #expect(gone?.pressure == .zero && gone?.phase == .ended)
        #expect((gone?.majorRadius ?? .zero) > .zero)
    }

    @Test(
        "a stylus is a pencil whose azimuth turns with the screen",
        arguments: [0, 90, 180, 270])
    func pencil(rotation: Int) {
        var router = Router(Displays(main: ScreenGeometry(width: 400, height: 800, rotation: rotation)))
        var pen = down(1, 0.5, 0.5)
        pen.transducer = .stylus
        pen.orientation = .polar(.init(altitude: Fixed(0.5), azimuth: Fixed(2 * .pi - 1)))
        let contact = router.route(scan(pen), to: .app(1)).deliveries[0].frame.contacts[0]
        #expect(contact.tool == .pencil)
        #expect(abs((contact.angles?.altitude.double ?? 0) - (.pi / 2 - 0.5)) < 0.0001)
        let azimuth = 1 + Double(rotation) / 180 * .pi
        #expect(abs((contact.angles?.azimuth.double ?? 0) - azimuth) < 0.0001)
    }
}

/// `app:1: began 0, moved 1`
private func told(_ outcome: Router.Outcome) -> [String] {
    outcome.deliveries.map { delivery in
        let contacts = delivery.frame.contacts.map { "\($0.phase) \($0.touch.rawValue)" }
        return "\(delivery.recipient): " + contacts.joined(separator: ", ")
    }
}

func scan(_ fingers: DigitizerEvent...) -> HIDEvent { scan(fingers) }
func down(_ index: UInt32, _ x: Double, _ y: Double) -> DigitizerEvent { landed(index, x, y) }

private func scan(of device: UInt64, generation: UInt32 = 1, _ fingers: DigitizerEvent...) -> HIDEvent {
    scan(fingers, of: device, generation: generation)
}

private func scan(generation: UInt32, _ fingers: DigitizerEvent...) -> HIDEvent {
    scan(fingers, generation: generation)
}
