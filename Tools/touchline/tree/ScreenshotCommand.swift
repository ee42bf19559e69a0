// ScreenshotCommand.swift: `touchline screenshot`: a picture of the screen as PNG or SVG.

import ArgumentParser
import Basics
import Foundation
import Inspection
import Scenarios
import ViewTrees
import Wire

/// The command `touchline screenshot`.
struct ScreenshotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screenshot",
        abstract: "Draw the screen with its views and touches: of the running group, of a scene or of a run.",
        discussion: """
            The ending of the file decides the format: .png or .svg. The picture is made from the view tree of \
            `touchline tree`: frames, colors, texts, borders, the values of controls, and a dot for each touch that is down. \
            What an app draws itself (draw, images, layers without views) is not in the picture. A view without a \
            background color has a thin outline and its identifier. A secure window is a gray surface.

            An app in the background is left out. Of several apps in front, the active app is drawn last.

            Exits 0 when the file is written, 2 when a file, an app or an option cannot be used, 3 when no group is \
            running or an app does not answer.

            EXAMPLES
              touchline screenshot -o screen.png
              touchline screenshot --scene Config/Scenes/Demo.yaml -o demo.svg
              touchline screenshot S01 --at 0.05 -o touched.png
            """)

    @OptionGroup var source: ScreenSource

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write, with the ending .png or .svg.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("Pixels per point of a PNG file, 1 to 4.", valueName: "number"))
    var scale = 2.0

    func validate() throws {
        try expect("--scale", scale, in: 1...4)
        guard isPNG || output.lowercased().hasSuffix(".svg") else {
            throw ValidationError("--output: expected a file with the ending .png or .svg, found \(output)")
        }
    }

    private var isPNG: Bool { output.lowercased().hasSuffix(".png") }

    func run() throws {
        let screen = try source.screen()
        // The rearmost app first: an active app is in front of an inactive one.
        let trees = screen.apps.map(\.tree)
        let ordered = trees.filter { $0.state != .active } + trees.filter { $0.state == .active }
        let display = ordered.last?.display ?? 1
        let shown = ordered.filter { $0.display == display }
        // Another display than the main one is as large as its app's scene.
        let scene = shown.last?.sceneFrame
        let (width, height) =
            display == 1 ? (screen.width, screen.height) : (scene?.maxX ?? screen.width, scene?.maxY ?? screen.height)
        let picture = Picture(width: width, height: height, shown)
        var bytes: [UInt8]
        if isPNG {
            bytes = PNGFile.bytes(of: Bitmap(picture, scale: scale))
        } else {
            bytes = Array(picture.svg().utf8)
        }
        let size = bytes.count
        let file = try OutputFile(output, replaces: true)
        try file.write(&bytes)
        try file.finish()
        let views = shown.reduce(0) { $0 + $1.views.count }
        printLine(
            "\(output): \(shownNumber(picture.width))×\(shownNumber(picture.height)) pt, \(views) views, \(size) bytes")
    }
}
