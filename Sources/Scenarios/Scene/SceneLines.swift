// SceneLines.swift: the conformance lines of a scene, as a fold over UIKit events.
//
// Station   app → action
// Input     the application, whose observer the scene is
// Output    Probe, RecognizerLines, Delegations, which print; SceneActs, which counts from the first input
// Knows     the line for each event. The printing types have the names and the keys.

import Basics
import Foundation
import HID
import Trace
import UIKit

extension ShownScene: UIKitObserver {
    func observe(_ event: UIKitEvent) {
        switch event {
        case .app(let event): observe(event)
        case .input(let event): observe(event)
        case .hitTest(let event): observe(event)
        case .gesture(let event): observe(event)
        case .responder(let event): observe(event)
        case .scroll(let view, .calls(let call)): probe(of: view)?.printScroll(call, in: view)
        case .scroll(_, .dragged), .scroll(_, .released), .scroll(_, .decelerates), .scroll(_, .decelerationChanged),
            .scroll(_, .rests), .scroll(_, .scrolls), .scroll(_, .zoomed), .scroll(_, .zooms):
            break
        case .action(let event): observe(event)
        }
    }

    private func observe(_ event: UIKitEvent.App) {
        switch event {
        case .didFinishLaunching(let url): printApp("didFinishLaunching\(text(of: url))")
        case .lifeCycle(let change, let scene): printApp("\(change)", of: scene == nil ? "app" : "scene")
        case .sceneConnects(_, let url): printApp("willConnect\(text(of: url))", of: "scene")
        case .opens(let url, nil): printApp("open \(url.absoluteString)")
        case .opens(let url, _?): printApp("openURLContexts\(text(of: url))", of: "scene")
        case .launched, .asksToOpen, .tookScreenshot: break
        }
    }

    private func text(of url: URL?) -> String { url.map { " url=\($0.absoluteString)" } ?? "" }

    private func observe(_ event: UIKitEvent.Input) {
        switch event {
        case .device(let event): deviceInputArrived(at: event.timeStamp)
        case .applicationSends: printApplicationSends()
        case .windowSends(let window, let event): printWindowSends(window, event)
        case .landed, .changed, .cancelled, .dropped, .estimateSettled, .gateTimedOut, .pressed, .pointed, .shook,
            .remoteCommand:
            break
        }
    }

    private func observe(_ event: UIKitEvent.HitTest) {
        switch event {
        case .passBegan: fingerLanded()
        case .entered(let view, let event): probe(of: view)?.hitTestEntered(view, event)
        case .left(let view, _, let found): probe(of: view)?.hitTestReturned(view, found: found)
        case .pointInsideEntered(let view): probe(of: view)?.pointInsideEntered()
        case .pointInsideLeft(let view, let isInside): probe(of: view)?.pointInsideReturned(isInside)
        case .sawThrough, .passedOver, .found, .foundNothing, .pointer: break
        }
    }

    private func observe(_ event: UIKitEvent.Gesture) {
        switch event {
        case .entered(let recognizer, let call): lines(of: recognizer)?.entered(call)
        case .left(let recognizer, let call): lines(of: recognizer)?.returned(call, recognizer)
        case .asked(let question, let object, let answer):
            probe(of: object)?.printAnswer(answer, to: question, of: object)
        case .received, .declined, .ignored, .judged, .assignedItself, .mayNotBegin, .gaveUp, .lost, .waits, .excluded,
            .acts,
            .withheld, .resets, .moved, .requiresItself, .requiresInRing, .contentTouch:
            break
        }
    }

    private func observe(_ event: UIKitEvent.Response) {
        switch event {
        case .touchesEntered(let responder, let call): probe(of: responder)?.touchesEntered(responder, call)
        case .touchesLeft(let responder, let call): probe(of: responder)?.touchesReturned(responder, call)
        case .entered(let responder, let call): probe(of: responder)?.printCall(call, on: .before)
        case .left(let responder, let call): probe(of: responder)?.printCall(call, on: .after)
        }
    }

    private func observe(_ event: UIKitEvent.Action) {
        switch event {
        case .trackingEntered(let control, let call): probe(of: control)?.printTracking(call, on: .before)
        case .trackingLeft(let control, let call): probe(of: control)?.printTracking(call, on: .after)
        case .controlSends(let control, let events): probe(of: control)?.printEvents(events)
        case .selectsRow(let table, let path):
            guard let probe = probe(of: table) else { return }
            probe.print("select \(probe.name) row=\(path.row)", .action)
        case .ignoresTouch, .stopsTracking, .runs: break
        }
    }
}
