import Foundation
import Testbed
import Testing

@Suite("Display frames in processes", .serialized, .timeLimit(Sanitizer.timeLimit))
struct DisplayProcessTests {
    @Test(
        "two 240 Hz touches arrive whole at 60 and 120 Hz frames",
        arguments: [("60", "false"), ("120", "true")])
    func whole(rate: String, resample: String) throws {
        let group = try LiveGroup(["--set", "server.displayRate=\(rate)", "--set", "server.resample=\(resample)"])
        let file = "\(group.runDirectory)-fingers.touch"
        let script = """
            stroke f1 (20,100) (350,600) @0.1 1.1 step 1/240
            stroke f2 (40,600) (350,100) @0.3 0.8 step 1/240

            """
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (status, played) = try group.json("replay", file)
        #expect(status == 0)
        try expectWhole(played)
        // At 120 Hz two samples share a frame. The bound is low, because the machine may be busy.
        #expect(played["coalesced"] as? Int ?? 0 >= 100)
    }

    @Test("a receipt says how long moves were held for the frame")
    func explained() throws {
        let group = try LiveGroup(["--set", "server.displayRate=20"])
        let text = try group.run("input", "drag", "100,100", "200,300", "--receipt")
        #expect(text.status == 0 && text.out.contains("held for the display frame "), "\(text.out)\(text.err)")
    }
}
