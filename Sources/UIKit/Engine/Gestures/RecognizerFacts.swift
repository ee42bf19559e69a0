// RecognizerFacts.swift: the name of a recognizer in facts, and the reason of its state.
//
// Station   gesture
// Input     UIGestureRecognizer.name; the code that assigns a state and knows the reason
// Output    UIKitFacts+Gestures.swift

struct RecognizerFacts {
    var name: String?
    /// The recognizer's number in facts and trees of views, because names may be equal: unique in its application, from 1
    /// on; 0 if it was made outside of the application's turns, until its first fact or tree.
    var identity: Int64 = 0
    /// The trace's numbers of its name and its view's, for facts of its machine, until the reset.
    var names: (recognizer: Int64, view: Int64)?
    /// Whether UIKit itself assigns the state and notes the reason: a machine's verdict, or that the recognizer gives
    /// up.
    var isStateExplained = false
    /// Why `shouldBegin` is answered with no: a scroll view gives measure and limit; otherwise the text names the
    /// object that answered.
    var refusal: String?
}
