import Basics
import Foundation
import Testing

@testable import UIKit

@Suite("The recognizers of one touch")
struct TouchRecognizersTests {
    @Test("a touch's recognizers keep their order while others leave")
    func order() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var (list, model) = (TouchRecognizers(), [UIGestureRecognizer]())
            for step in 0..<60 {
                let joins = model.isEmpty || Int.random(in: 0...2, using: &random) == 0
                if joins {
                    model.append(UIGestureRecognizer())
                    list.append(model[model.count - 1])
                } else {
                    // Most leave in the order in which they joined.
                    let isFirst = Bool.random(using: &random)
                    let left = model.remove(at: isFirst ? 0 : Int.random(in: 0..<model.count, using: &random))
                    list.remove(left)
                    list.remove(left)
                }
                var visited: [UIGestureRecognizer] = []
                list.forEach { visited.append($0) }
                #expect(list.all == model && visited == model, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("a recognizer that left a touch is freed although the touch lives")
    func lifetime() {
        var list = TouchRecognizers()
        weak var left: UIGestureRecognizer?
        do {
            let (stays, leaves) = (UIGestureRecognizer(), UIGestureRecognizer())
            for recognizer in [stays, leaves, UIGestureRecognizer()] { list.append(recognizer) }
            list.remove(leaves)
            left = leaves
        }
        #expect(left == nil && list.all.count == 2)
    }
}
