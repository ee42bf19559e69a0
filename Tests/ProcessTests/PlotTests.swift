import Foundation
import FoundationXML
import Testbed
import Testing

@testable import touchline

@Suite("`touchline plot`", .timeLimit(Sanitizer.timeLimit))
struct PlotTests {
    private let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path

    /// Returns the texts of an SVG file, and the number of its lines of curves.
    private func read(_ svg: String) throws -> (texts: [String], curves: Int) {
        final class Reader: NSObject, XMLParserDelegate {
            var texts: [String] = []
            var curves = 0
            private var name = ""

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                self.name = name
                if name == "text" { texts.append("") }
                if name == "polyline" { curves += 1 }
            }

            func parser(_ parser: XMLParser, foundCharacters text: String) {
                if name == "text" { texts[texts.count - 1] += text }
            }

            func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
                name = ""
            }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
        return (reader.texts, reader.curves)
    }

    @Test("the picture of a recording has track, speed and scan interval of each contact")
    func ofRecording() throws {
        let result = try Program.run(["plot", recording])
        #expect(result.status == 0 && result.err.isEmpty, "\(result.err)")
        #expect(result.out.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\"") && !result.out.contains("var(--"))
        let picture = try read(result.out)
        #expect(picture.curves == 9)
        for text in ["Track, in the device's units", "contact 3", "Scan interval", "799", "479"] {
            #expect(picture.texts.contains(text), "\(picture.texts)")
        }
    }

    @Test("the picture of a run has the latency of each hop")
    func ofRun() throws {
        let group = try LiveGroup()
        #expect(try group.run("input", "tap", "100,200").status == 0)
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let result = try Program.run(["plot", group.runDirectory])
        #expect(result.status == 0, "\(result.err)")
        let picture = try read(result.out)
        #expect(picture.curves == 6)
        #expect(picture.texts.contains { $0.hasPrefix("2 scans, device to app: p50 ") }, "\(picture.texts)")
    }

    @Test(
        "a plot that cannot be made is one line",
        arguments: [
            ("S14a", 1, "expected scans that took time, found none: a simulated run has no latencies\n"),
            ("/no/such/file", 2, "/no/such/file: no such file"),
            ("/etc/hostname", 2, "/etc/hostname: expected a recording"),
        ])
    func refused(run: String, status: Int32, line: String) throws {
        let argument = run == "S14a" ? Repository.scenario(run).path : run
        let result = try Program.run(["plot", argument])
        #expect(result.status == status && result.out.isEmpty)
        #expect(result.err.contains(line) && result.err.split(separator: "\n").count == 1, "\(result.err)")
    }
}
