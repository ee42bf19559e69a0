// ProbeRecognizers.swift: UIKit's recognisers with a probe in every method that a scenario can watch.
//
// Station   gesture
// Fed by    UIKit, as any subclass
// Feeds     RecognizerLines, which prints
// Knows     where super is called. The blocks are alike because Swift has no mixins; a test holds them to it.

import UIKit

final class ProbeRecognizer: UIGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeTapGestureRecognizer: UITapGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeShortTapGestureRecognizer: UIShortTapGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeLongPressGestureRecognizer: UILongPressGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbePanGestureRecognizer: UIPanGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeScreenEdgePanGestureRecognizer: UIScreenEdgePanGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeSwipeGestureRecognizer: UISwipeGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbePinchGestureRecognizer: UIPinchGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeRotationGestureRecognizer: UIRotationGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeHoverGestureRecognizer: UIHoverGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines) {
        self.lines = lines
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}

final class ProbeScriptedGestureRecognizer: ScriptedGestureRecognizer {
    let lines: RecognizerLines

    init(_ lines: RecognizerLines, _ spec: GestureSpec) {
        self.lines = lines
        super.init(scriptedBy: spec, lines: lines)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesBegan(self) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesMoved(self) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesEnded(self) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        lines.touchesCancelled(self) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesBegan(self) { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesChanged(self) { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesEnded(self) { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        lines.pressesCancelled(self) { super.pressesCancelled(presses, with: event) }
    }
    override func reset() { lines.reset { super.reset() } }
}
