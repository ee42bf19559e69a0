import Foundation
import SampleApps
import Scenarios
import Settings
import Testbed
import Testing
import UIKit
import Wire

@Suite("Sample apps")
struct SampleAppsTests {
    // MARK: The four phenomena

    private func journal(of phone: Phone) throws -> [String] {
        try phone.text("journal").split(separator: "\n").map(String.init)
    }

    @Test("phenomena: a quick tap on a row reaches only the back view")
    func quickTapOnARow() throws {
        let phone = try Phone("phenomena")
        try phone.tap(at: 0, 187, 110)
        phone.wait(until: 3)
        #expect(try journal(of: phone) == ["backview taped"])
    }

    @Test("phenomena: a short press on a row reaches the table, then cancels")
    func shortPressOnARow() throws {
        let phone = try Phone("phenomena")
        try phone.tap(at: 0, 187, 110, for: 0.4)
        phone.wait(until: 3)
        #expect(try journal(of: phone) == ["table touchesBegan", "backview taped", "table touchesCancelled"])
    }

    @Test("phenomena: a long press on a row selects it")
    func longPressOnARow() throws {
        let phone = try Phone("phenomena")
        try phone.tap(at: 0, 187, 110, for: 2)
        phone.wait(until: 3)
        #expect(try journal(of: phone) == ["table touchesBegan", "table touchesEnded", "selected row 2"])
    }

    @Test("phenomena: a tap on the button clicks it")
    func tapOnTheButton() throws {
        let phone = try Phone("phenomena")
        try phone.tap(at: 0, 187, 582)
        phone.wait(until: 3)
        #expect(try journal(of: phone) == ["button touchesBegan", "button touchesEnded", "button clicked!"])
    }

    @Test("phenomena: a tap beside button and table reaches the back view")
    func tapOnTheBack() throws {
        let phone = try Phone("phenomena")
        try phone.tap(at: 0, 30, 582)
        #expect(try journal(of: phone) == ["backview taped"])
    }

    // MARK: The tab bar

    @Test(
        "tab-bar: the raised button is hit within its circle",
        arguments: [(187, 605, "New"), (187, 640, "New"), (40, 640, "Home"), (300, 640, "Me"), (159, 600, "?")])
    func raisedButton(_ x: Double, _ y: Double, _ shown: String) throws {
        let phone = try Phone("tab-bar")
        (try phone.view("shown") as? UILabel)?.text = "?"
        try phone.tap(at: 0, x, y)
        phone.wait(until: 1)
        #expect(try phone.text("shown") == shown)
    }

    @Test("tab-bar: a drag from the raised button does not scroll the list")
    func behindTheRaisedButton() throws {
        let phone = try Phone("tab-bar")
        let list = try phone.view("list") as? UIScrollView
        try phone.drag(at: 0, from: (187, 605), to: (187, 500))
        #expect(try list?.contentOffset.y == 0 && phone.text("shown") != "New")
        try phone.drag(at: 2, from: (40, 605), to: (40, 500))
        #expect((list?.contentOffset.y ?? 0) >= 95)
    }

    // MARK: The draggable view

    @Test("draggable: the view follows the finger and can be dragged again")
    func draggable() throws {
        let phone = try Phone("draggable")
        try phone.frame(at: 0, .down(1, 140, 140))
        try phone.frame(at: 0.1, .move(1, 150, 145))
        try phone.frame(at: 0.2, .move(1, 170, 165))
        try phone.frame(at: 0.3, .up(1))
        #expect(try phone.view("moved").frame == CGRect(x: 130, y: 125, width: 80, height: 80))
        #expect(try phone.view("moved").transform.tx == 30)
        try phone.drag(at: 1, from: (200, 200), to: (210, 300))
        #expect(try phone.view("moved").frame.origin == CGPoint(x: 140, y: 225))
        try phone.drag(at: 2, from: (20, 20), to: (200, 200))
        #expect(try phone.view("moved").frame.origin == CGPoint(x: 140, y: 225))
    }

    // MARK: Taps

    @Test("taps: a single tap is reported 0.2 s after its landing")
    func singleTap() throws {
        let phone = try Phone("taps")
        try phone.tap(at: 0, 187, 333)
        phone.wait(until: 0.19)
        #expect(try phone.text("heard") == "")
        phone.wait(until: 0.21)
        #expect(try phone.text("heard") == "single")
        phone.wait(until: 3)
        #expect(try phone.text("heard") == "single")
    }

    @Test("taps: two quick taps are one double tap at once")
    func doubleTap() throws {
        let phone = try Phone("taps")
        try phone.tap(at: 0, 187, 333, for: 0.06)
        try phone.tap(at: 0.12, 187, 333, for: 0.06)
        #expect(try phone.text("heard") == "double")
        phone.wait(until: 3)
        #expect(try phone.text("heard") == "double")
    }

    @Test("taps: two slow taps are two single taps")
    func slowTaps() throws {
        let phone = try Phone("taps")
        try phone.tap(at: 0, 187, 333)
        try phone.tap(at: 0.21, 187, 333)
        phone.wait(until: 3)
        #expect(try phone.text("heard") == "single single")
    }

    @Test("taps: a tap beside the card is reported at once")
    func besideTheCard() throws {
        let phone = try Phone("taps")
        try phone.tap(at: 0, 30, 600)
        #expect(try phone.text("heard") == "outside")
    }

    // MARK: The photo

    @Test("photo: two fingers scale, turn and move the photo together")
    func photo() throws {
        let phone = try Phone("photo")
        let photo = try phone.view("photo")
        let before = photo.center
        // The middle of two contacts goes 60 to the right and 80 down. They go apart from 60 to 120 and turn by 60°.
        for step in 0...30 {
            let part = Double(step) / 30
            let (x, y) = (187.5 + 60 * part, 333.5 + 80 * part)
            let (radius, angle) = (30 + 30 * part, part * .pi / 3)
            let (dx, dy) = (cos(angle) * radius, sin(angle) * radius)
            let (a, b) = ((x - dx, y - dy), (x + dx, y + dy))
            if step == 0 {
                try phone.frame(at: 0, .down(1, a.0, a.1), .down(2, b.0, b.1))
            } else {
                try phone.frame(at: Double(step) / 60, .move(1, a.0, a.1), .move(2, b.0, b.1))
            }
        }
        try phone.frame(at: 0.6, .up(1), .up(2))
        let (scale, angle) = (hypot(photo.transform.a, photo.transform.b), atan2(photo.transform.b, photo.transform.a))
        // The movement that each recognizer needs to begin is not made up for: 8 pt of 60, 10° of 60, 10 pt of each
        // direction.
        #expect(scale > 1.6 && scale < 2)
        #expect(angle > 0.75 && angle < 1.05)
        // The vertical movement reaches 10 first, when the horizontal is at 8: that is what each loses.
        let (right, lower) = (photo.center.x - before.x, photo.center.y - before.y)
        #expect(abs(right - 52) < 0.1 && abs(lower - 70) < 0.1)
        #expect(phone.isQuiet)
    }

    @Test("photo: one finger only moves the photo")
    func photoMoved() throws {
        let phone = try Phone("photo")
        let photo = try phone.view("photo")
        let before = photo.center
        try phone.drag(at: 0, from: (187, 333), to: (237, 333))
        #expect(photo.transform.isIdentity)
        #expect(photo.center == CGPoint(x: before.x + 40, y: before.y))
    }

    // MARK: The pad

    @Test("drawing: a stroke has every sample in both delivery modes")
    func coalesced() throws {
        func played(_ delivery: String) throws -> Phone {
            let phone = try Phone("drawing", [("app.delivery", delivery)])
            try phone.frame(at: 0, .down(1, 100, 100))
            for step in 1...40 { try phone.frame(at: Double(step) / 240, .move(1, 100 + Double(step), 100)) }
            return phone
        }
        for delivery in ["immediate", "frameAligned"] {
            let phone = try played(delivery)
            phone.wait(until: 0.3)
            try phone.frame(at: 0.4, .up(1))
            phone.wait(until: 1)
            #expect(try phone.text("tally") == "1 done, 42 points, 0 foretold")
        }
    }

    @Test("drawing: predicted samples disappear at lift; two fingers draw two strokes")
    func predicted() throws {
        let phone = try Phone("drawing", [("app.delivery", "frameAligned")])
        try phone.frame(at: 0, .down(1, 100, 100), .down(2, 100, 300))
        for step in 1...8 {
            try phone.frame(
                at: Double(step) / 60, .move(1, 100 + Double(step) * 5, 100), .move(2, 100 + Double(step) * 5, 300))
        }
        phone.wait(until: 9.0 / 60)
        #expect(try !phone.text("tally").hasSuffix(" 0 foretold") && phone.text("tally").hasPrefix("0 done, 18 points"))
        try phone.frame(at: 0.2, .up(1), .up(2))
        phone.wait(until: 1)
        #expect(try phone.text("tally") == "2 done, 20 points, 0 foretold")
    }

    // MARK: The slider

    @Test("slider: a drag from the knob moves the slider, not the page", arguments: [0, 0.3])
    func slider(_ rest: Double) throws {
        let phone = try Phone("slider")
        try phone.drag(at: 0, from: (55, 315), to: (155, 315), rest: rest)
        phone.wait(until: 2)
        #expect(try phone.text("value") == "50")
        #expect(try (phone.view("scroll") as? UIScrollView)?.contentOffset.x == 0)
    }

    @Test("slider: a drag from elsewhere scrolls the page", arguments: [(300, 500), (200, 315)])
    func scrolls(_ x: Double, _ y: Double) throws {
        let phone = try Phone("slider")
        try phone.drag(at: 0, from: (x, y), to: (x - 100, y))
        #expect(try (phone.view("scroll") as? UIScrollView)?.contentOffset.x ?? 0 >= 90)
        phone.wait(until: 9)
        #expect(try phone.text("value") == "" && Int(phone.text("offset")) ?? 0 >= 90)
    }

    // MARK: Names

    @Test("each sample app has a name and shows a window", arguments: SampleApp.names)
    func registry(_ name: String) throws {
        let phone = try Phone(name)
        try phone.tap(at: 0, 187, 333)
        phone.wait(until: 3)
        #expect(phone.isQuiet)
        #expect(Set(SampleApp.names).count == SampleApp.all.count && SampleApp.names.count == 8)
    }

    @Test("an unknown sample name is refused with the nearest one")
    func unknown() throws {
        func complaint(_ keys: (String, String)...) throws -> String {
            let settings = try Settings(keys.map { Setting(key: $0, value: $1) })
            do {
                _ = try chosenContent(settings)
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            try complaint(("app.sample", "phenomna"))
                == "app.sample: no sample app is called phenomna; did you mean phenomena?")
        #expect(
            try complaint(("app.sample", "zzzzzzzzz")) == """
                app.sample: no sample app is called zzzzzzzzz: there are phenomena, tab-bar, draggable, taps, photo, \
                drawing, slider, links
                """)
        #expect(
            try complaint(("app.sample", "taps"), ("app.scene", "x.yaml"))
                == "app.sample is taps and app.scene is x.yaml: an app shows one or the other")
        #expect(try complaint(("app.sample", "taps")) == "none")
        #expect(
            try complaint(("app.executable", "/a/MyApp"))
                == "app.executable is /a/MyApp: what it shows is in that program, which `touchline up` starts")
    }

    @Test("sample apps import only UIKit")
    func imports() throws {
        let folder = Repository.root.appending(path: "Sources/SampleApps")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            let imports = source.matches(of: #/(?m)^(?:public )?import (.+)$/#).map { String($0.1) }
            #expect(imports == ["UIKit"], "\(file.lastPathComponent)")
        }
    }
}
