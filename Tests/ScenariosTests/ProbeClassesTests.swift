import Foundation
import Testbed
import Testing

/// Swift has no mixins: what is the same in every probe class is written in every one of them.
@Suite("The probe classes are one text, but for what their class alone has")
struct ProbeClassesTests {
    private func blocks(_ file: String) throws -> [(name: String, base: String, lines: [String])] {
        let path = Repository.root.appending(path: "Sources/Scenarios/Scene/\(file)")
        let text = try String(contentsOf: path, encoding: .utf8)
        return text.components(separatedBy: "\n}\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard let head = lines.firstIndex(where: { $0.contains("class Probe") }) else { return nil }
            let words = lines[head].split { " :,{".contains($0) }.map(String.init)
            guard let place = words.firstIndex(of: "class") else { return nil }
            return (words[place + 1], words[place + 2], Array(lines[(head + 1)...]))
        }
    }

    @Test("every recogniser is watched in the same methods")
    func recognizers() throws {
        let blocks = try blocks("ProbeRecognizers.swift")
        #expect(blocks.count == 11)
        let plain = try #require(blocks.first { $0.base == "UIGestureRecognizer" })
        for block in blocks where block.name != "ProbeScriptedGestureRecognizer" {
            #expect(block.lines == plain.lines, "\(block.name) is another text")
        }
        let scripted = try #require(blocks.first { $0.name == "ProbeScriptedGestureRecognizer" })
        #expect(zip(scripted.lines, plain.lines).count { $0 != $1 } == 2, "it is made otherwise, and no more")
    }

    @Test("every view is watched in the same methods, and every control in five more")
    func views() throws {
        let blocks = try blocks("ProbeViews.swift")
        let image = try #require(blocks.first { $0.base == "UIImageView" })
        let control = try #require(blocks.first { $0.base == "UIControl" })
        #expect(control.lines.count > image.lines.count)
        #expect(Array(control.lines.prefix(image.lines.count)) == image.lines)
        let controls = ["Button", "Switch", "Slider", "Stepper", "SegmentedControl", "PageControl", "TextField"]
        for name in controls {
            let block = try #require(blocks.first { $0.name == "Probe\(name)" })
            #expect(block.lines == control.lines, "\(name) is another text")
        }
        for name in ["Label", "StackView", "ScrollView", "TableView", "Window"] {
            let block = try #require(blocks.first { $0.name == "Probe\(name)" })
            let own = block.lines.prefix(image.lines.count)
            // A table is made with a style.
            let others = zip(own, image.lines).count { $0 != $1 }
            #expect(others <= (name == "TableView" ? 1 : 0), "\(name) is another text")
        }
    }
}
