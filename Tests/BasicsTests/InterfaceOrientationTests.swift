import Basics
import Testing

@Suite("Interface orientation")
struct InterfaceOrientationTests {
    @Test("interface orientations have UIInterfaceOrientation's names and values")
    func names() {
        #expect(InterfaceOrientation.allCases.map(\.rawValue) == [1, 2, 3, 4])
        for orientation in InterfaceOrientation.allCases {
            #expect(InterfaceOrientation(name: "\(orientation)") == orientation)
        }
        #expect(InterfaceOrientation(name: "landscape") == nil)
        #expect(InterfaceOrientation.landscapeLeft.rawValue == 4 && InterfaceOrientation.landscapeRight.rawValue == 3)
    }

    @Test("display edges map to interface edges in each orientation")
    func edges() {
        let (top, left, bottom, right): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
        #expect(InterfaceOrientation.portrait.edges(at: bottom) == bottom)
        #expect(InterfaceOrientation.landscapeLeft.edges(at: bottom) == left)
        #expect(InterfaceOrientation.landscapeRight.edges(at: bottom) == right)
        #expect(InterfaceOrientation.portraitUpsideDown.edges(at: bottom | left) == top | right)
        for orientation in InterfaceOrientation.allCases { #expect(orientation.edges(at: 15) == 15) }
    }

    @Test("an angle turns with the interface's axes")
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
