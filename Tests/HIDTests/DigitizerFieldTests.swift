import Basics
import HID
import Testing

@Suite("IOKit's digitizer event")
struct DigitizerFieldTests {

    @Test(
        "a digitizer event mask has IOKit's bit number",
        arguments: [
            (.range, 0), (.touch, 1), (.position, 2), (.stop, 3), (.peak, 4), (.identity, 5), (.attribute, 6),
            (.cancel, 7), (.start, 8), (.resting, 9), (.fromEdgeFlat, 10), (.fromEdgeTip, 11), (.fromCorner, 12),
            (.swipePending, 13), (.fromEdgeForcePending, 14), (.fromEdgeForceActive, 15), (.tap, 17),
            (.swipeLocked, 18), (.swipeUp, 24), (.swipeDown, 25), (.swipeLeft, 26), (.swipeRight, 27),
            (.estimatedAltitude, 28), (.estimatedAzimuth, 29), (.estimatedPressure, 30),
        ] as [(DigitizerEventMask, Int)])
    func masks(mask: DigitizerEventMask, bit: Int) {
        #expect(mask.rawValue == 1 << UInt32(bit))
    }

    @Test(
        "a digitizer option has IOKit's bit number",
        arguments: [
            (.isAbsolute, 0), (.isCollection, 1), (.isPixelUnits, 2), (.isCenterOrigin, 3), (.isBuiltIn, 4),
            (.interpolated, 5), (.injected, 6), (.continuousTime, 7), (.range, 16), (.touch, 17), (.invert, 18),
            (.displayIntegrated, 19),
        ] as [(DigitizerOptions, Int)])
    func options(option: DigitizerOptions, bit: Int) {
        #expect(option.rawValue == 1 << UInt32(bit))
    }

    @Test("digitizer fields have IOKit's numbers, and 23 is unused")
    func numbers() {
        #expect(DigitizerField.allCases.map { $0.rawValue >> 16 } == [UInt32](repeating: 11, count: 31))
        #expect(DigitizerField.allCases.map { $0.rawValue & 0xFFFF } == Array(0...22) + Array(24...31))
        #expect(DigitizerField.x.rawValue == 720_896)
        #expect(DigitizerField.collection.rawValue & 0xFFFF == 22)
        #expect(DigitizerField.orientationType.rawValue & 0xFFFF == 31)
        #expect(DigitizerField.estimatedMask.rawValue & 0xFFFF == 30)
    }

    private var event = DigitizerEvent(
        transducer: .finger, index: 3, identity: 2, mask: [.touch], options: [.isAbsolute], at: .zero)

    @Test("reading a fixed field as an integer truncates towards zero")
    mutating func conversions() {
        for (value, whole) in [(1.75, 1), (-1.75, -1), (0.999, 0), (32767.5, 32767)] as [(Double, Int32)] {
            event.set(.x, to: Fixed(value))
            #expect(event.integer(.x) == whole)
            #expect(event.fixed(.x) == Fixed(value))
        }
        event.set(.pressure, to: 3)
        #expect(event.pressure == Fixed(3))
        #expect(event.fixed(.index) == Fixed(3))
        event.set(.index, to: Fixed(7.9))
        #expect(event.index == 7)
        event.set(.y, to: Fixed.nan)
        #expect(event.integer(.y) == .min)
        event.set(.identity, to: Int32.min)
        #expect(event.fixed(.identity) == .nan)
    }

    @Test(
        "range, touch, collection and display integration are bits of the options",
        arguments: [
            (.range, .range), (.touch, .touch), (.collection, .isCollection),
            (.isDisplayIntegrated, .displayIntegrated),
        ] as [(DigitizerField, DigitizerOptions)])
    func bits(field: DigitizerField, option: DigitizerOptions) {
        var event = event
        #expect(event.integer(field) == 0)
        event.set(field, to: 5)
        #expect(event.options == [.isAbsolute, option])
        #expect(event.integer(field) == 1)
        event.set(field, to: 0)
        #expect(event.options == [.isAbsolute])
    }

    @Test("orientation fields of another kind read as 0 and ignore writes")
    mutating func orientations() {
        let all: [DigitizerField] = [
            .tiltX, .tiltY, .altitude, .azimuth, .quality, .density, .irregularity, .majorRadius, .minorRadius,
            .qualityRadiiAccuracy,
        ]
        let own: [DigitizerOrientation.Kind: [DigitizerField]] = [
            .tilt: [.tiltX, .tiltY],
            .polar: [.altitude, .azimuth, .quality, .density, .majorRadius, .minorRadius],
            .quality: [.quality, .density, .irregularity, .majorRadius, .minorRadius, .qualityRadiiAccuracy],
        ]
        for kind in DigitizerOrientation.Kind.allCases {
            for field in all {
                event.orientation = .none
                event.set(.orientationType, to: Int32(kind.rawValue))
                let before = event
                event.set(field, to: Fixed(0.5))
                let isOwn = own[kind]?.contains(field) == true
                #expect(event.fixed(field) == (isOwn ? Fixed(0.5) : .zero), "\(field) of \(kind)")
                #expect((event != before) == isOwn)
                #expect(all.count { event.fixed($0) != .zero } == (isOwn ? 1 : 0))
            }
        }
        #expect(event.integer(.orientationType) == 2)
        event.set(.orientationType, to: 3)
        #expect(event.integer(.orientationType) == 2)
    }

    @Test("estimated fields are bits of the event mask and only accumulate")
    mutating func estimates() {
        event.set(.estimatedMask, to: Int32(1 << 10 | 1 << 16))
        #expect(event.mask == [.touch, .estimatedPressure, .estimatedAzimuth])
        event.set(.estimatedMask, to: Int32(1 << 15))
        #expect(event.integer(.estimatedMask) == Int32(1 << 10 | 1 << 15 | 1 << 16))
        #expect(event.estimated == [.pressure, .altitude, .azimuth])
    }

    @Test("every digitizer field except the estimates reads back as written")
    mutating func readBack() {
        for field in DigitizerField.allCases where field != .estimatedMask {
            event.orientation = .quality(DigitizerOrientation.Quality())
            if [.altitude, .azimuth].contains(field) { event.orientation = .polar(DigitizerOrientation.Polar()) }
            if [.tiltX, .tiltY].contains(field) { event.orientation = .none }
            event.set(field, to: 1)
            #expect(event.integer(field) == 1, "\(field)")
            event.set(field, to: 0)
            #expect(event.integer(field) == 0, "\(field)")
        }
    }
}
