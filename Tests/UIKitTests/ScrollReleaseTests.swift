import Basics
import Foundation
import Testing
import TouchlineTesting
import UIKit

/// Releases at an edge or on a page, under a resting finger, and with a scale below its minimum (B9.9, B12.10, B12.12).
@Suite("Releases of a scroll view's content")
struct ScrollReleaseTests {
    private let stage = Stage()
    private let witness: ScrollWitness
    private let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 600))

    init() {
        witness = ScrollWitness(stage.log)
        scroll.contentSize = CGSize(width: 375, height: 3000)
        scroll.delegate = witness
        stage.add(scroll)
    }

    @Test("a release exactly at an edge bounces with its velocity", arguments: [0, 100] as [CGFloat])
    func releaseAtEdge(offset: CGFloat) {
        stage.run { scroll.contentOffset.y = offset }
        stage.down(100, 300, at: 0)
        // The first 10 pt begin the drag.
        let frames = Int(offset / 10) + 1
        for frame in 1...frames { stage.move(100, 300 + 10 * Double(frame), at: Double(frame) * 0.008) }
        stage.up(at: stage.now + 0.008)
        #expect(scroll.contentOffset.y == 0 && scroll.isDecelerating)
        #expect(abs(witness.velocity.y + 1.25) < 0.001 && witness.expected.y == 0)
        // B12.12: x = v (e^(−10t) − e^(−12t)) / 2, at its largest after ln(1.2) / 2 = 91 ms.
        stage.wait(0.091)
        #expect(abs(scroll.contentOffset.y + 41.9) < 1)
        stage.wait(1)
        #expect(scroll.contentOffset.y == 0 && !scroll.isDecelerating && stage.timerCount == 0)
    }

    @Test("without bounces a release at an edge stays there")
    func releaseAtWall() {
        scroll.bounces = false
        stage.down(100, 300, at: 0)
        stage.move(100, 320, at: 0.008)
        stage.up(at: 0.016)
        #expect(scroll.contentOffset.y == 0 && !scroll.isDecelerating && stage.timerCount == 0)
    }

    @Test("samples of a resting finger do not lower the release velocity")
    func restingSamples() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        for _ in 0..<30 { stage.move(100, 452, at: stage.now + 0.008) }
        stage.up(at: stage.now + 0.008)
        #expect(abs(witness.velocity.y - 0.72) < 0.001 && scroll.isDecelerating)
    }

    @Test("with paging the delegate is offered a page as the target")
    func offeredPage() {
        scroll.isPagingEnabled = true
        scroll.contentSize = CGSize(width: 375 * 3, height: 600)
        stage.run { scroll.contentOffset.x = 375 }
        stage.down(300, 300, at: 0)
        stage.drag(from: 300, 300, by: -12, 0, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        #expect(witness.expected == CGPoint(x: 750, y: 0))
        stage.wait(5)
        #expect(scroll.contentOffset == CGPoint(x: 750, y: 0))
    }

    @Test("a gliding release exactly on a page turns it", arguments: [1, -1] as [CGFloat])
    func glideFromPage(direction: CGFloat) {
        #expect(
            Paging.target(from: 375, velocity: 1250 * direction, page: 375, in: 0...750) == 375 + 375 * direction)
        #expect(Paging.target(from: 375, velocity: 0, page: 375, in: 0...750) == 375)
    }

    @Test("content pinched below its minimum scale comes back with its scale alone", arguments: [false, true])
    func pinchedBelowMinimum(together: Bool) {
        let photo = stage.run { stage.view("photo", 0, 0, 375, 600, in: scroll) }
        scroll.contentSize = photo.frame.size
        witness.zooms = photo
        scroll.maximumZoomScale = 2
        stage.frame(.down(1, 187, 250), .down(2, 187, 350), at: 0)
        for step in 1...8 {
            let way = Double(step) * 5
            stage.frame(.move(1, 187, 250 + way), .move(2, 187, 350 - way), at: stage.now + 1.0 / 60)
        }
        _ = stage.log.drain()
        if together {
            stage.frame(.up(1), .up(2), at: stage.now + 0.3)
        } else {
            stage.frame(.up(1), at: stage.now + 0.3)
            stage.frame(.up(2), at: stage.now + 0.02)
        }
        #expect(scroll.isZoomBouncing && !scroll.isDecelerating)
        // The offset returns together with the scale, and no frame shows it there too early.
        var offsets: [CGFloat] = [scroll.contentOffset.y]
        for _ in 0..<10 {
            stage.wait(1.0 / 60)
            offsets.append(scroll.contentOffset.y)
        }
        #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 } && offsets[1] < -10, "\(offsets)")
        stage.wait(2)
        #expect(scroll.zoomScale == 1 && scroll.contentOffset == .zero && stage.timerCount == 0)
        #expect(!stage.log.drain().contains { $0.contains("Decelerating") })
    }
}
