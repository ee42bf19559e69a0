// SceneActs.swift: script lines the program does to itself: set, remove, disable.
//
// Station   app
// Fed by    ShownScene: when the app has become active, and when the first input comes
// Feeds     the views and recognisers of the scene, from timers of the main loop
// Knows     the script's time zero, which the first input's own time gives: so the lines come at the same moment
//           whether the clock is virtual or real
//
// Sources   invented    lines before the first input's are done when the app has become active; a line at the very
//                       moment of a frame comes after it

import Basics
import Recordings
import UIKit

final class SceneActs {
    private var waiting: [FingerScript.Line]
    private let firstInput: Duration?
    private let hasFingers: Bool

    init(_ script: Script?) {
        waiting = script?.acts ?? []
        firstInput = script?.firstInput
        hasFingers = script?.firstDown != nil
    }

    func appBecameActive(in scene: ShownScene) {
        guard let application = UIApplication.current else { return }
        guard let firstInput else {
            schedule(from: application.now, in: scene)
            return
        }
        let early = waiting.filter { $0.time < firstInput }
        waiting.removeAll { $0.time < firstInput }
        for line in early { scene.perform(line.act) }
    }

    func fingerLanded(at time: Instant, in scene: ShownScene) { firstInputCame(at: time, in: scene) }

    /// A key or a pointer counts where no finger does.
    func deviceSpoke(at time: Instant, in scene: ShownScene) {
        if !hasFingers { firstInputCame(at: time, in: scene) }
    }

    private func firstInputCame(at time: Instant, in scene: ShownScene) {
        guard let firstInput, !waiting.isEmpty else { return }
        schedule(from: time.advanced(byNanoseconds: -firstInput.nanoseconds), in: scene)
    }

    private func schedule(from zero: Instant, in scene: ShownScene) {
        let lines = waiting
        waiting = []
        for line in lines {
            _ = UIApplication.current?.mainLoop?.schedule(
                at: zero.advanced(by: line.time), every: nil, modes: [.default, .tracking]
            ) { [weak scene] in scene?.perform(line.act) }
        }
    }
}

extension Script {
    /// The lines that are the program's own.
    var acts: [FingerScript.Line] { lines.lines.filter(\.act.isInsideApp) }
}

extension ShownScene {
    func perform(_ act: FingerScript.Act) {
        switch act {
        case .set(let name, let property, let text):
            if let recognizer = recognizer(at: name) {
                GestureProperties.all.set(property, of: recognizer, to: text)
            } else if let view = view(named: name) {
                ViewProperties.all.set(property, of: view, to: text)
            }
        case .remove(let name): view(named: name)?.removeFromSuperview()
        case .disable(let path): recognizer(at: path)?.isEnabled = false
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .screen,
            .open, .lock, .unlock, .device:
            preconditionFailure("\(act) is not the program's own doing")
        }
    }
}

extension Array {
    /// The property and the text were checked when the script was read.
    fileprivate func set<Object>(_ name: String, of object: Object, to text: String) where Element == Property<Object> {
        guard let property = first(where: { $0.name == name && $0.isSettable }),
            let value = property.kind.value(of: text)
        else { return }
        property.apply(object, value)
    }
}
