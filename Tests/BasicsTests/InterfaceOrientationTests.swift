import Basics
import Testing

@Suite("Which way up an interface is")
struct InterfaceOrientationTests {
    private let width = Fixed(375)
    private let height = Fixed(667)

    private func place(_ orientation: InterfaceOrientation, _ x: Double, _ y: Double) -> [Double] {
        let place = orientation.place(Fixed(x), Fixed(y), width: width, height: height)
        return [place.x.double, place.y.double]
    }

    @Test("its names and values are UIInterfaceOrientation's")
    func names() {
        #expect(InterfaceOrientation.allCases.map(\.rawValue) == [1, 2, 3, 4])
        for orientation in InterfaceOrientation.allCases {
            #expect(InterfaceOrientation(word: "\(orientation)") == orientation)
        }
        #expect(InterfaceOrientation(word: "landscape") == nil)
        #expect(InterfaceOrientation.landscapeLeft.rawValue == 4 && InterfaceOrientation.landscapeRight.rawValue == 3)
    }

    @Test("with the home button left the display's lower left corner is on top and left; right, its upper right one")
    func corners() {
        #expect(place(.portrait, 10, 20) == [10, 20])
        #expect(place(.landscapeLeft, 10, 657) == [10, 10])
        #expect(place(.landscapeRight, 365, 10) == [10, 10])
        #expect(place(.portraitUpsideDown, 365, 657) == [10, 10])
    }

    @Test("every place there is comes back exactly, and what is on the display is in the interface", arguments: 1...4)
    func roundTrip(value: UInt8) throws {
        let orientation = try #require(InterfaceOrientation(rawValue: value))
        let steps: (Int32) -> [Int32] = { length in Array(-2...2) + [length / 2, length - 1, length, length + 1] }
        for x in steps(375 * 64) + Array(stride(from: 0, to: 375 * 64, by: 7)) {
            for y in steps(667 * 64) + [1024, 40_001] {
                let (across, down) = (Fixed(rawValue: x * 1024), Fixed(rawValue: y * 1024))
                let place = orientation.place(across, down, width: width, height: height)
                let back = orientation.placeOnDisplay(place.x, place.y, width: width, height: height)
                #expect(back == (across, down), "\(orientation) \(x) \(y)")
                let isOn = x >= 0 && x < 375 * 64 && y >= 0 && y < 667 * 64
                let (right, bottom) = orientation.isLandscape ? (height, width) : (width, height)
                let isIn = place.x >= .zero && place.x < right && place.y >= .zero && place.y < bottom
                // Of what lies just beside the display only the far edge itself is another matter: it is on no side's.
                if isOn { #expect(isIn, "\(orientation) \(x) \(y)") }
            }
        }
    }

    @Test("the display's lower edge is the interface's left one with the home button left, and right with it right")
    func edges() {
        let (top, left, bottom, right): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
        #expect(InterfaceOrientation.portrait.edges(at: bottom) == bottom)
        #expect(InterfaceOrientation.landscapeLeft.edges(at: bottom) == left)
        #expect(InterfaceOrientation.landscapeRight.edges(at: bottom) == right)
        #expect(InterfaceOrientation.portraitUpsideDown.edges(at: bottom | left) == top | right)
        for orientation in InterfaceOrientation.allCases { #expect(orientation.edges(at: 15) == 15) }
    }

    @Test("an angle turns with the axes: where the display has right, an interface with the button left has down")
    func angles() {
        for (orientation, angle) in [
            (InterfaceOrientation.portrait, 0.0), (.landscapeLeft, .pi / 2), (.portraitUpsideDown, .pi),
            (.landscapeRight, .pi * 1.5),
        ] {
            #expect(abs(orientation.angle(.zero).double - angle) < 0.0001)
        }
        #expect(abs(InterfaceOrientation.landscapeLeft.angle(Fixed(6)).double - (6 + .pi / 2 - 2 * .pi)) < 0.0001)
    }
}
