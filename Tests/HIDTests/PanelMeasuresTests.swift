import Basics
import HID
import Testing

@Suite("Panel measurements other than position")
struct PanelMeasuresTests {
    /// A panel of 100 × 50 mm with ten units to the millimetre.
    private static let panel: DeviceDescription = {
        var panel = DeviceDescription()
        panel.x = DeviceAxis(minimum: 0, maximum: 1000, resolution: 10)
        panel.y = DeviceAxis(minimum: 0, maximum: 500, resolution: 10)
        panel.pressure = DeviceAxis(minimum: 0, maximum: 200)
        return panel
    }()
    private static let ranges = AxisRanges(x: 0...1000, y: 0...500)

    private func assembler(_ device: DeviceDescription = panel) -> FrameAssembler {
        FrameAssembler(ranges: Self.ranges, senderID: 1, generationCount: 1, device: device)
    }

    private func frame(
        _ phase: DeviceContact.Phase, _ x: Int32 = 5, _ set: (inout ContactAttributes) -> Void
    ) -> ContactFrame {
        var attributes = ContactAttributes()
        set(&attributes)
        return ContactFrame(
            time: .zero, contacts: [DeviceContact(id: 9, phase: phase, x: x, y: 5, attributes: attributes)])
    }

    private func assemble(_ frame: ContactFrame, by assembler: inout FrameAssembler) -> HIDEvent? {
        var faults: [ContactFault] = []
        defer { #expect(faults == []) }
        return assembler.assemble(frame, at: .boot, faults: &faults)
    }

    @Test("pressure is its share of the axis and zero after the lift")
    func pressure() {
        var assembler = assembler()
        let landing = assemble(frame(.began) { $0.pressure = 50 }, by: &assembler)
        #expect(landing?.fingers.first?.pressure == Fixed(0.25))
        #expect(landing?.fingers.first?.mask == [.range, .touch, .position, .attribute])
        #expect(assemble(frame(.stationary) { $0.pressure = 50 }, by: &assembler) == nil)
        let pressed = assemble(frame(.stationary) { $0.pressure = 300 }, by: &assembler)
        #expect(pressed?.fingers.first?.mask == [.attribute])
        #expect(pressed?.fingers.first?.phase == .moved, "an app hears of pressure as of a move")
        #expect(pressed?.fingers.first?.pressure == .one)
        let moved = assemble(frame(.moved, 6) { $0.pressure = 100 }, by: &assembler)
        #expect(moved?.fingers.first?.mask == [.position, .attribute])
        #expect(moved?.hand.mask == [.position, .attribute])
        let lifted = assemble(frame(.ended) { $0.pressure = 100 }, by: &assembler)
        #expect(lifted?.fingers.first?.pressure == .zero)
        #expect(lifted?.fingers.first?.mask == [.range, .touch])
    }

    @Test("radii are half the diameters, in millimeters by the axis resolution")
    func radii() {
        var ellipse = Self.panel
        ellipse.major = DeviceAxis(minimum: 0, maximum: 255, resolution: 4)
        var nothing = Self.panel
        nothing.x?.resolution = 0
        for (device, major, width) in [(ellipse, 5.0, 100.0), (Self.panel, 2, 100), (nothing, 1.1687, 58.4356)] {
            var assembler = assembler(device)
            let event = assemble(
                frame(.began) {
                    $0.major = 40
                    $0.minor = 20
                }, by: &assembler)
            let finger = event?.fingers.first
            #expect(abs((finger?.majorRadius.double ?? 0) - major) < 0.001)
            #expect(abs((finger?.minorRadius.double ?? 0) - major / 2) < 0.001)
            #expect(finger?.orientation.kind == .quality)
            #expect(abs((event?.panelWidth.double ?? 0) - width) < 0.001)
        }
    }

    @Test("without a device description pressure, radii and panel width are zero")
    func nothing() {
        var assembler = FrameAssembler(ranges: Self.ranges, senderID: 1, generationCount: 1)
        let event = assemble(frame(.began) { $0.pressure = 50 }, by: &assembler)
        #expect(event?.fingers.first?.pressure == .zero)
        #expect(event?.fingers.first?.majorRadius == .zero)
        #expect(event?.fingers.first?.mask == [.range, .touch, .position])
        #expect(event?.panelWidth == .zero)
    }

    @Test(
        "a pen's tilts become a stylus's altitude and azimuth in IOKit's terms",
        arguments: [
            // W3C's examples convert tilts in whole degrees to altitude and azimuth.
            (20, -6, 1.208, 6.002), (-23, 61, 0.495, 1.802), (0, 0, 1.571, 0), (45, 0, 0.785, 0),
            (0, 45, 0.785, 1.571), (-45, 0, 0.785, 3.142), (0, -45, 0.785, 4.712),
        ] as [(Int32, Int32, Double, Double)])
    func tilts(x: Int32, y: Int32, altitude: Double, azimuth: Double) throws {
        var assembler = assembler()
        let event = assemble(
            frame(.began) {
                $0.tool = .pen
                $0.pressure = 20
                ($0.tiltX, $0.tiltY) = (x, y)
            }, by: &assembler)
        let pen = try #require(event?.fingers.first)
        #expect(pen.transducer == .stylus)
        #expect(pen.estimated == [])
        guard case .polar(let polar) = pen.orientation else {
            Issue.record("\(pen.orientation)")
            return
        }
        #expect(abs(.pi / 2 - polar.altitude.double - altitude) < 0.001)
        let turned = (2 * .pi - polar.azimuth.double).truncatingRemainder(dividingBy: 2 * .pi)
        #expect(abs(turned - azimuth) < 0.001)
    }

    @Test("extreme pen tilts and tilts in hundredths convert to valid angles")
    func oddTilts() throws {
        var device = Self.panel
        device.tiltX = DeviceAxis(minimum: -9000, maximum: 9000, resolution: 5729.578)
        for (tilt, upright) in [(9000, 1.5706), (32000, 1.5706), (-9000, 1.5706), (3000, 0.5236)] as [(Int32, Double)] {
            var assembler = assembler(device)
            let event = assemble(
                frame(.began) {
                    $0.tool = .pen
                    $0.tiltX = tilt
                }, by: &assembler)
            guard case .polar(let polar) = event?.fingers.first?.orientation else {
                Issue.record("tilt \(tilt)")
                continue
            }
            #expect(abs(polar.altitude.double - upright) < 0.001)
        }
    }

    @Test("quantities a pen's panel does not measure are marked as estimates")
    func estimates() {
        var assembler = assembler()
        let event = assemble(frame(.began) { $0.tool = .pen }, by: &assembler)
        #expect(event?.fingers.first?.estimated == [.pressure, .altitude, .azimuth])
        #expect(event?.hand.estimated == [])
        #expect(assemble(frame(.stationary) { $0.tool = .pen }, by: &assembler) == nil)
        var turning = self.assembler()
        let turned = assemble(
            frame(.began) {
                $0.tool = .pen
                $0.azimuth = 90
            }, by: &turning)
        #expect(turned?.fingers.first?.estimated == [.pressure, .altitude])
        #expect(abs((turned?.fingers.first?.fixed(.azimuth).double ?? 0) - 1.5 * .pi) < 0.001)
    }

    @Test("the device's clock is in the event in tenths of a millisecond")
    func scanTime() {
        var assembler = assembler()
        var scan = frame(.began) { _ in }
        scan.scanTime = .milliseconds(70_000)
        #expect(assemble(scan, by: &assembler)?.scanTime == DigitizerScanTime(ticks: 700_000, width: 4))
    }

    /// IOKit's record has no field for a finger's orientation or distance.
    @Test("each pen field except orientation and distance changes the event", arguments: ContactField.allCases)
    func fields(field: ContactField) {
        var device = DeviceDescription()
        (device.x, device.y) = (DeviceAxis(minimum: 0, maximum: 100), DeviceAxis(minimum: 0, maximum: 100))
        for field in ContactField.allCases { device[keyPath: field.axis] = DeviceAxis(minimum: 0, maximum: 100) }
        func record(_ value: Int32?) -> DigitizerEvent? {
            var assembler = assembler(device)
            return assemble(
                frame(.began) {
                    $0.tool = .pen
                    $0[keyPath: field.value] = value
                }, by: &assembler)?.fingers.first
        }
        #expect((record(50) != record(nil)) == ![.orientation, .distance].contains(field))
    }

    @Test("20,000 random device descriptions never yield invalid pressure or radius")
    func nonsense() {
        var chance = SeededGenerator(seed: 8)
        func axis() -> DeviceAxis? {
            let resolutions = [0, -1, .nan, .infinity, 1e-300, 1e300, 1]
            return DeviceAxis(
                minimum: Int32.random(in: Int32.min...Int32.max, using: &chance),
                maximum: Int32.random(in: Int32.min...Int32.max, using: &chance),
                resolution: resolutions.randomElement(using: &chance) ?? 0)
        }
        func value() -> Int32? {
            Bool.random(using: &chance) ? nil : [.min, .max, 0, 1, -1].randomElement(using: &chance)
        }
        for _ in 0..<20_000 {
            var device = DeviceDescription()
            (device.x, device.y) = (axis(), axis())
            for field in ContactField.allCases { device[keyPath: field.axis] = axis() }
            var assembler = assembler(device)
            let event = assemble(
                frame(.began) {
                    $0.tool = Bool.random(using: &chance) ? .pen : .finger
                    for field in ContactField.allCases { $0[keyPath: field.value] = value() }
                }, by: &assembler)
            #expect((event?.fingers.first?.pressure ?? .nan) >= .zero)
            #expect((event?.fingers.first?.majorRadius ?? .nan) >= .zero)
        }
    }
}
