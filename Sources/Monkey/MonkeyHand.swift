// MonkeyHand.swift: the fingers of a monkey, with their touches.
//
// Input     MonkeyRun: the acts of one step of its script
// Output    MonkeyRun: the contacts of one frame
// Knows     points on a screen of 375 by 667. No views.
//
// Sources   invented

import Basics
import HID
import UIKit

/// The fingers of a monkey.
struct MonkeyHand {
    /// The fingers that are down, in the order of their landings.
    private(set) var fingers: [(finger: Int, touch: TouchID, place: CGPoint)] = []
    /// The number of the next touch. No number is used twice.
    private var nextTouch: UInt32 = 0

    /// Returns the contacts of one frame. A finger acts at most once in it, and the others are stationary. Empty if no
    /// finger acts.
    mutating func contacts(of acts: [MonkeyWorld.Act]) -> [TouchContact] {
        var contacts: [TouchContact] = []
        var told: Set<Int> = []
        var lifted: Set<Int> = []
        func tell(_ index: Int, _ phase: TouchContact.Phase) {
            contacts.append(contact(index, phase))
            told.insert(fingers[index].finger)
        }
        for act in acts {
            switch act {
            case .down(let finger, let place):
                guard !fingers.contains(where: { $0.finger == finger }) else { continue }
                fingers.append((finger, TouchID(rawValue: nextTouch), place))
                nextTouch += 1
                tell(fingers.count - 1, .began)
            case .move(let finger, let by):
                guard !told.contains(finger), let index = fingers.firstIndex(where: { $0.finger == finger }) else {
                    continue
                }
                let place = fingers[index].place
                fingers[index].place = CGPoint(
                    x: min(max(place.x + by.x, 0), 374), y: min(max(place.y + by.y, 0), 666))
                tell(index, .moved)
            case .up(let finger), .cancel(let finger):
                guard !told.contains(finger), let index = fingers.firstIndex(where: { $0.finger == finger }) else {
                    continue
                }
                if case .up = act { tell(index, .ended) } else { tell(index, .cancelled) }
                lifted.insert(finger)
            case .change: break
            }
        }
        guard !contacts.isEmpty else { return [] }
        for index in fingers.indices where !told.contains(fingers[index].finger) { tell(index, .stationary) }
        fingers.removeAll { lifted.contains($0.finger) }
        return contacts
    }

    private func contact(_ index: Int, _ phase: TouchContact.Phase) -> TouchContact {
        let (_, touch, place) = fingers[index]
        return TouchContact(touch: touch, phase: phase, at: Point(Double(place.x), Double(place.y)))
    }
}
