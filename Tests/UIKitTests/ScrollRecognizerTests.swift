import Basics
import Foundation
import Testbed
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("A scroll view's own recognizers")
struct ScrollRecognizerTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var scroll: LoggingScrollView { content.scroll }

    @Test("delegates are not asked about a scroll view's touch delay recognizer")
    func outOfSight() {
        final class Curious: NSObject, UIGestureRecognizerDelegate {
            var others: Set<ObjectIdentifier> = []
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
            ) -> Bool {
                others.insert(ObjectIdentifier(other))
                return false
            }
        }
        let (curious, tap) = (Curious(), UITapGestureRecognizer())
        tap.delegate = curious
        scroll.addGestureRecognizer(tap)
        stage.down(100, 300, at: 0)
        stage.up(at: 0.05)
        #expect(curious.others == [ObjectIdentifier(scroll.panGestureRecognizer)])
        #expect(scroll.gestureRecognizers?.allSatisfy { $0.name == nil } == true)
    }

    @Test("taking the delegate of a scroll view's pan ends the program")
    func stolenDelegate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIScrollView().panGestureRecognizer.delegate = nil
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("UIScrollView: its pan must have it as its delegate"))
    }

    @Test("a scroll view's pan on another view still scrolls")
    func borrowedPan() {
        let other = stage.run { stage.view("other", 0, 600, 375, 67) }
        other.logsTouches = false
        stage.run { other.addGestureRecognizer(scroll.panGestureRecognizer) }
        stage.down(100, 660, at: 0)
        stage.drag(from: 100, 660, by: 0, -12, frames: 4)
        #expect(scroll.contentOffset.y == 38 && scroll.isDragging)
        stage.up(at: 1)
    }

    @Test("a scroll view subclass may be the delegate of its own recognizers")
    func subclassDelegate() {
        final class Generous: UIScrollView, UIGestureRecognizerDelegate {
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer,
                shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
            ) -> Bool { true }
        }
        let inner = Generous(frame: CGRect(x: 0, y: 0, width: 375, height: 300))
        inner.contentSize = CGSize(width: 375, height: 1000)
        stage.add(inner, to: scroll)
        stage.down(100, 200, at: 0)
        stage.drag(from: 100, 200, by: 0, -12, frames: 4)
        #expect(inner.isDragging && scroll.isDragging)
        stage.up(at: 1)
    }
}
