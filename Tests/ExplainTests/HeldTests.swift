import Basics
import Explain
import Testing

@Suite("Explanation of moves held for the display")
struct HeldTests {
    private let drag = """
        down f1 (100,100) @0.000
        move f1 (110,100) @0.021
        move f1 (120,100) @0.025
        move f1 (130,100) @0.041
        up   f1 @0.200
        """

    @Test("an explanation counts held frames and gives the longest wait")
    func held() throws {
        let windows = window("- { name: X, frame: [50, 50, 200, 200] }")
        let all = try explained(windows, playing: drag, settings: "server.displayRate: 50")
        let finger = try #require(all.first)
        let held = try #require(finger.held)
        #expect(held.frames == 2 && held.longest <= .milliseconds(20) && held.longest > .milliseconds(5))
        #expect(finger.lines[1] == "  held for the display frame 2 times, at most \(held.longest.milliseconds)")
        #expect(try explained(windows, playing: drag).first?.held == nil)
    }
}
