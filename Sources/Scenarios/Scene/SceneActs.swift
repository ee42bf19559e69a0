// SceneActs.swift: the script lines that the program does itself: set, remove, disable.
//
// Station   app
// Input     ShownScene: when the app has become active, and at the first input
// Output    the views and recognizers of the scene, from timers of the main loop
// Knows     the script's time zero. It follows from the first input's own time, so that the lines come at the same
//           moment on a virtual and on a real clock.
//
// Sources   invented    lines before the first input are done when the app has become active; a line at the moment of
//                       a frame comes after the frame

import Basics
import Recordings
import UIKit

/// The acts of a scenario that are still to be done.
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

    func fingerLanded(at time: Instant, in scene: ShownScene) { handleFirstInput(at: time, in: scene) }

    /// Handles a key or a pointer, which sets the time zero only in a script without fingers.
    func deviceInputArrived(at time: Instant, in scene: ShownScene) {
        if !hasFingers { handleFirstInput(at: time, in: scene) }
    }

    private func handleFirstInput(at time: Instant, in scene: ShownScene) {
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
    /// The lines that the program does itself.
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
    /// Sets a property. The property and the text were checked when the script was read.
    fileprivate func set<Object>(_ name: String, of object: Object, to text: String) where Element == Property<Object> {
        guard let property = first(where: { $0.name == name && $0.isSettable }),
            let value = property.kind.value(of: text)
        else { return }
        property.apply(object, value)
    }
}
