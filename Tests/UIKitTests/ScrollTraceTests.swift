import Foundation
import Testbed
import Testing
import TouchlineTesting
import UIKit

/// Scroll traces that public projects recorded on a real iOS, in the form that `shared/data/scroll/README.md` describes.
private struct ScrollTrace: Decodable {
    struct Size: Decodable { var w, h: Double }
    struct EndOfDrag: Decodable { var vy, targetY: Double }

    enum Touch: Decodable {
        case down(at: Double, x: Double, y: Double)
        case move(at: Double, x: Double, y: Double)
        case rest
        case up(at: Double)

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            let (time, x, y) = (
                try fields.decode(Double.self), try fields.decode(Double.self), try fields.decode(Double.self)
            )
            switch try fields.decode(String.self) {
            case "began": self = .down(at: time, x: x, y: y)
            case "moved": self = .move(at: time, x: x, y: y)
            case "stationary": self = .rest
            case "ended": self = .up(at: time)
            case let phase:
                throw DecodingError.dataCorruptedError(in: fields, debugDescription: "unknown phase \(phase)")
            }
        }
    }

    var name: String
    var viewport, contentSize: Size
    var startOffsetY: Double
    var touches: [Touch]
    var first_move_that_scrolls: Int
    var offset_after_each_move_from_there: [Double]
    var lift: Double
    var frames_first_at: Double?
    var frames_60Hz_offset: [Double]
    var willEndDragging: EndOfDrag
    var didEndDecelerating: Double?
    var final: Double
}

/// The behavior of Touchline's scroll view under the touches of a trace.
private final class TraceRun: NSObject, UIScrollViewDelegate {
    private(set) var afterMoves: [Double] = []
    private(set) var frames: [Double] = []
    private(set) var velocity = 0.0
    private(set) var target = 0.0
    /// The time of rest in seconds after the lift.
    private(set) var rested: Double?
    private(set) var final = 0.0
    private var ended = false

    /// - Parameter delay: Seconds between the lift and the moment at which the recorded app began to move its content.
    ///   Touchline's app begins at once, so the frames of its display are shifted by as much.
    init(_ trace: ScrollTrace, delay: Double) {
        super.init()
        let size = CGSize(width: trace.viewport.w, height: trace.viewport.h)
        let stage = Stage(size: size, scale: 3)
        let view = UIScrollView(frame: CGRect(origin: .zero, size: size))
        view.contentSize = CGSize(width: trace.contentSize.w, height: trace.contentSize.h)
        stage.add(view)
        stage.run { view.contentOffset.y = trace.startOffsetY }
        view.delegate = self
        // The start is late enough, and chosen so that the first recorded frame after the lift is a frame of the display.
        let firstFrame = trace.frames_first_at ?? trace.lift
        let start = ceil(firstFrame * 60 + 60) / 60 - firstFrame + delay
        for touch in trace.touches {
            switch touch {
            case .down(let time, let x, let y): stage.down(x, y, at: start + time)
            case .move(let time, let x, let y):
                stage.move(x, y, at: start + time)
                afterMoves.append(view.contentOffset.y)
            case .rest: break
            case .up(let time): stage.up(at: start + time)
            }
        }
        for frame in 0..<trace.frames_60Hz_offset.count {
            stage.wait(until: start - delay + firstFrame + Double(frame) / 60 + 1e-6)
            frames.append(view.contentOffset.y)
            if ended, rested == nil { rested = stage.now - start - trace.lift }
        }
        stage.wait(10)
        final = view.contentOffset.y
    }

    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) { (self.velocity, target) = (velocity.y, targetContentOffset.pointee.y) }

    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { ended = true }

    /// The largest difference to the recorded frames, in points.
    func deviation(from trace: ScrollTrace) -> Double {
        zip(frames, trace.frames_60Hz_offset).map { abs($0 - $1) }.max() ?? 0
    }
}

@Suite("Scroll traces of a real iOS")
struct ScrollTraceTests {
    private static let skipped: Comment = "skipped: no shared/data/scroll beside the repository"

    private static let files: [URL] = {
        guard let folder = Repository.sharedData?.appending(path: "scroll") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appending(path: $0) }
    }()

    /// The recorded apps took 0.8 to 0.9 ms from the touch to the first moment of the motion.
    private static let delays = stride(from: 0, through: 0.0015, by: 0.0001)

    @Test("a scroll view moves as recorded on a real iOS", .enabled(if: !files.isEmpty, skipped), arguments: files)
    func trace(file: URL) throws {
        let trace = try JSONDecoder().decode(ScrollTrace.self, from: Data(contentsOf: file))
        let runs = Self.delays.map { TraceRun(trace, delay: $0) }
        let run = try #require(
            runs.min { $0.deviation(from: trace) < $1.deviation(from: trace) }, "no run of \(trace.name)")

        let moves = run.afterMoves.dropFirst(trace.first_move_that_scrolls - 1)
        #expect(moves.count == trace.offset_after_each_move_from_there.count)
        for (ours, recorded) in zip(moves, trace.offset_after_each_move_from_there) {
            #expect(abs(ours - recorded) < 0.34, "\(trace.name), dragging")
        }
        #expect(abs(run.velocity - trace.willEndDragging.vy) < 0.001, "\(trace.name), velocity")
        #expect(abs(run.target - trace.willEndDragging.targetY) < 0.34, "\(trace.name), target")
        #expect(run.deviation(from: trace) <= 1, "\(trace.name), frames after the lift")
        #expect(abs(run.final - trace.final) < 0.001, "\(trace.name), final offset")
        #expect((run.rested == nil) == (trace.didEndDecelerating == nil), "\(trace.name), rest")
        if let rested = run.rested, let recorded = trace.didEndDecelerating {
            #expect(abs(rested - (recorded - trace.lift)) <= 0.020, "\(trace.name), time of rest")
        }
    }
}
