import Foundation
import Testing

@testable import HID

@Suite("Sine, cosine and arc tangent")
struct TrigonometryTests {
    @Test("sine, cosine and arc tangent agree with the C library to 1e-12")
    func known() {
        for step in -800...800 {
            let angle = Double(step) * .pi / 200
            #expect(abs(Trigonometry.sine(angle) - sin(angle)) < 1e-12)
            #expect(abs(Trigonometry.cosine(angle) - cos(angle)) < 1e-12)
            #expect(abs(Trigonometry.arcTangent(angle) - atan(angle)) < 1e-12)
            #expect(abs(Trigonometry.arcTangent(1 / angle) - atan(1 / angle)) < 1e-12)
        }
    }

    @Test("the arc tangent of infinity or NaN is a finite angle")
    func absurd() {
        #expect(Trigonometry.arcTangent(.infinity) == .pi / 2)
        #expect(Trigonometry.arcTangent(-.infinity) == -.pi / 2)
        #expect(Trigonometry.arcTangent(.nan) == .pi / 2)
    }
}
