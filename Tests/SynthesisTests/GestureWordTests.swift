import Basics
import Synthesis
import Testing

let phone = Rect<ScreenSpace>(x: 0, y: 0, width: 375, height: 667)

@Suite("Gesture words")
struct GestureWordTests {
    @Test("a gesture word survives its raw value")
    func names() {
        for word in GestureKind.allCases { #expect(GestureKind(rawValue: word.rawValue) == word) }
    }

    @Test("every gesture word alone is a gesture on any screen", arguments: GestureKind.allCases)
    func defaults(word: GestureKind) throws {
        for (width, height) in [(375.0, 667.0), (1024, 1366), (667, 375), (320, 480)] {
            let screen = Rect<ScreenSpace>(x: 0, y: 0, width: width, height: height)
            var synthesizer = Synthesizer(on: screen)
            try synthesizer.play(Gesture(word, on: screen))
            #expect(!synthesizer.lines.isEmpty)
        }
    }

    @Test(
        "a gesture outside its limits is refused with measure and limit",
        arguments: [
            (GestureKind.tap, ["at": "400,10"], "expected a point on the screen, 0,0 to 375,667, found 400,10"),
            (
                .swipe, ["distance": "20", "duration": "0.1"],
                "distance: expected at least the 44.517 pt of a swipe this long; a pan may go less, found 20 pt"
            ),
            (
                .swipe, ["duration": "0.8"],
                "duration: expected at most the 0.5 s of a swipe; a pan may take longer, found 0.8 s"
            ),
            (
                .swipe, ["at": "100,100", "to": "200,200", "duration": "0.1"],
                "direction: expected at most the 47.55 pt across that a swipe may go by then, found 50 pt"
            ),
            (.longPress, ["duration": "0.2"], "duration: expected 0.5 to 60 s, found 0.2 s"),
            (.pan, ["distance": "8"], "distance: expected more than the 10 pt a pan ignores, found 8 pt"),
            (
                .pan, ["to": "10,10", "direction": "up"],
                "expected an end point or a direction with a distance, found both"
            ),
            (.pinch, ["scale": "1"], "scale: expected a factor from 0.01 to 100 that is not 1, found 1"),
            (
                .pinch, ["scale": "30"],
                "scale: expected at least 20 pt between them: a wider spread, or less of a scale, "
                    + "found fingers -1.5 pt apart"
            ),
            (
                .pinch, ["spread": "500"],
                "spread: expected at most the 374.969 pt there are around 187.5,333.5, found 500 pt"
            ),
            (
                .rotate, ["degrees": "720", "duration": "0.1"],
                "duration: expected at least 0.6 s for 720 degrees at 60 samples a second, found 0.1 s"
            ),
            (.tap, ["fingers": "6"], "fingers: expected 1 to 5, found 6"),
        ])
    func refused(word: GestureKind, said: [String: String], complaint: String) {
        var options = GestureOptions()
        func point(_ text: String?) -> Point<ScreenSpace>? {
            let numbers = (text ?? "").split(separator: ",").compactMap { Double($0) }
            return numbers.count == 2 ? Point(numbers[0], numbers[1]) : nil
        }
        (options.at, options.to) = (point(said["at"]), point(said["to"]))
        options.direction = said["direction"].flatMap { GestureDirection(rawValue: $0) }
        options.distance = said["distance"].flatMap { Double($0) }
        options.duration = said["duration"].flatMap { Double($0) }.map { Duration(seconds: $0) }
        options.scale = said["scale"].flatMap { Double($0) }
        options.degrees = said["degrees"].flatMap { Double($0) }
        options.spread = said["spread"].flatMap { Double($0) }
        options.fingers = said["fingers"].flatMap { Int($0) }
        #expect {
            _ = try Gesture(word, options, on: phone)
        } throws: {
            "\($0)" == complaint
        }
    }
}
