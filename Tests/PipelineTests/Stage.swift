import Foundation
import Scenarios
import Testbed
import Testing
import Trace

/// Plays `script` to the whole simulated group with `scene` on its screen, and compares the facts of `stations`.
///
/// - Parameters:
///   - scene: A name of `Config/Scenes`.
///   - script: Finger lines in screen points.
///   - settings: `key: value`, as in a scenario's `config`.
///   - golden: The expected trace; times count from the first landing.
func expectTrace(
    at stations: Set<Station> = Set(Station.eventStations),
    of scene: String,
    playing script: String,
    settings: String = "",
    matches golden: String,
    location: SourceLocation = #_sourceLocation
) throws {
    let indented = script.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    let text = """
        id: pipeline
        title: pipeline
        source: [R]
        kind: derived
        scene: \(scene)
        modes: [simulated]
        config: { \((["trace.positions: true"] + (settings.isEmpty ? [] : [settings])).joined(separator: ", ")) }
        script: |
        \(indented)
        expect: ""
        """
    let file = Repository.root.appending(path: "Tests/PipelineTests/script.yaml").path
    let playback = try Scenario(parsing: text, file: file).play(in: .simulated)
    let lines = playback.trace.filter { $0.at >= playback.begin && stations.contains($0.station) && !$0.isProbe }
    expectTrace(lines.map { $0.text(since: playback.zero) }, matches: golden, at: location)
}
