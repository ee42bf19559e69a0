import Basics
import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Zooms of a scroll view's content")
struct ScrollZoomTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var witness: ScrollWitness { content.witness }
    private var scroll: LoggingScrollView { content.scroll }
    private var lines: [String] { content.stage.log.drain() }

    @Test("a pinch zooms the delegate's view and bounces at its limits")
    func pinch() {
        let photo = stage.run { stage.view("photo", 0, 0, 375, 600, in: scroll) }
        photo.logsTouches = false
        scroll.contentSize = photo.frame.size
        witness.zooms = photo
        scroll.maximumZoomScale = 2
        #expect(scroll.pinchGestureRecognizer?.view === scroll)
        stage.frame(.down(1, 100, 300), .down(2, 200, 300), at: 0)
        for step in 1...5 {
            let spread = Double(step) * 10
            stage.frame(.move(1, 100 - spread, 300), .move(2, 200 + spread, 300), at: stage.now + 1.0 / 60)
        }
        #expect(scroll.isZooming && scroll.zoomScale > 1.3 && scroll.zoomScale < 2)
        #expect(scroll.contentSize == photo.frame.size && photo.frame.origin == .zero)
        #expect(photo.frame.width == 375 * scroll.zoomScale)
        for step in 6...20 {
            let spread = Double(step) * 10
            stage.frame(.move(1, 100 - spread, 300), .move(2, 200 + spread, 300), at: stage.now + 1.0 / 60)
        }
        #expect(scroll.zoomScale > 2)
        stage.frame(.up(1), .up(2), at: stage.now + 0.3)
        #expect(scroll.isZoomBouncing && !scroll.isZooming)
        stage.wait(1)
        #expect(scroll.zoomScale == 2 && !scroll.isZoomBouncing && scroll.contentSize.width == 750)
        let told = lines
        #expect(told.first { $0.contains("Zooming") } == "willBeginZooming" && told.contains("didEndZooming 2.0"))
        #expect(stage.timerCount == 0 && stage.mode == .default)
        // The visible part lies within the content.
        #expect(scroll.contentOffset.x >= 0 && scroll.contentOffset.x <= 375)
    }

    @Test("without a view to zoom a pinch does not zoom")
    func noZoom() {
        scroll.maximumZoomScale = 2
        stage.frame(.down(1, 100, 300), .down(2, 200, 300), at: 0)
        stage.frame(.move(1, 50, 300), .move(2, 250, 300), at: 0.1)
        #expect(!scroll.isZooming && scroll.zoomScale == 1)
        stage.frame(.up(1), .up(2), at: 1)
        scroll.zoomScale = 1.5
        #expect(scroll.zoomScale == 1)
    }

    @Test("zooming by code is centered and stays within the limits")
    func zoomByCode() {
        let photo = stage.run { stage.view("photo", 0, 0, 375, 600, in: scroll) }
        scroll.contentSize = photo.frame.size
        witness.zooms = photo
        scroll.maximumZoomScale = 4
        stage.run { scroll.zoomScale = 2 }
        #expect(scroll.contentOffset == CGPoint(x: 187.5, y: 300) && scroll.contentSize.height == 1200)
        stage.run { scroll.setZoomScale(9, animated: true) }
        stage.wait(1)
        #expect(scroll.zoomScale == 4 && lines == ["willBeginZooming", "didEndZooming 4.0"])
        stage.run { scroll.zoom(to: CGRect(x: 0, y: 0, width: 375, height: 600), animated: false) }
        #expect(scroll.zoomScale == 1 && scroll.contentOffset == .zero && photo.transform.isIdentity)
    }
}
