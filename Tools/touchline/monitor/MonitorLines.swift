// MonitorLines.swift: the pages of a touch monitor as lines for a person or a script, and the orders on stdin.
//
//    12345.678 ms  touch 7 began, app:1 (187.50,333.50)
//    touch 7: taken
//    omitted: 12, of them 2 landings, lifts or verdicts
//    12397.002 ms  touch 7 moved, monitor:3 (187.50,341.00)

import Basics
import HID
import Wire

/// The lines of a page.
enum MonitorLines {
    static func text(_ page: TouchMonitorPage) -> [String] {
        var lines: [String] = []
        if page.omission.count > 0 {
            lines.append(
                "omitted: \(page.omission.count), of them \(page.omission.edgeCount) landings, lifts or verdicts")
        }
        switch page.content {
        case .begun: lines.append("observing as touch monitor \(page.id)")
        case .scan(let scan):
            for contact in scan.contacts {
                let position = contact.location.map(text) ?? ""
                lines.append("\(scan.timeStamp)  \(contact.touch) \(contact.phase), \(contact.owner)\(position)")
            }
        case .verdict(let touch, let verdict): lines.append("\(touch): \(verdict)")
        case .turnedAway, .omissions: break
        }
        return lines
    }

    /// One object for each line.
    static func json(_ page: TouchMonitorPage) -> [[String: Any]] {
        var objects: [[String: Any]] = []
        if page.omission.count > 0 {
            objects.append([
                "event": "omitted", "count": Int(page.omission.count), "edges": Int(page.omission.edgeCount),
            ])
        }
        switch page.content {
        case .begun: objects.append(["event": "begun", "monitor": Int(page.id)])
        case .scan(let scan):
            for contact in scan.contacts {
                var object: [String: Any] = [
                    "event": "touch", "nanoseconds": Int(scan.timeStamp.nanoseconds),
                    "device": Int(clamping: scan.device),
                    "touch": Int(contact.touch.rawValue), "phase": "\(contact.phase)", "owner": "\(contact.owner)",
                ]
                if let position = contact.location {
                    (object["position"], object["display"]) = (
                        [position.position.x.double, position.position.y.double], Int(position.display.rawValue)
                    )
                }
                objects.append(object)
            }
        case .verdict(let touch, let verdict):
            objects.append([
                "event": "verdict", "touch": Int(touch.rawValue), "taken": verdict == .taken, "because": "\(verdict)",
            ])
        case .turnedAway, .omissions: break
        }
        return objects
    }

    private static func text(_ location: MonitoredLocation) -> String {
        let position = location.position
        let (x, y) = (fixedText(position.x.double, digits: 2), fixedText(position.y.double, digits: 2))
        return " (\(x),\(y))" + (location.display == 1 ? "" : " of display \(location.display)")
    }
}

/// A line on stdin: `pilfer 7` or `yes 7`, `no 7`, `maybe 7`, `hold 7`, `quit`.
enum MonitorOrder: Equatable {
    case answer(TouchID, TouchMonitorAnswer)
    case quit

    /// - Returns: Nil for an unknown order.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        if words.count == 1, words[0] == "quit" {
            self = .quit
            return
        }
        guard words.count == 2, let touch = UInt32(words[1]) else { return nil }
        let answer: TouchMonitorAnswer
        switch words[0] {
        case "pilfer", "yes": answer = .yes
        case "no": answer = .no
        case "maybe": answer = .maybe
        case "hold": answer = .hold
        default: return nil
        }
        self = .answer(TouchID(rawValue: touch), answer)
    }
}
