// RecognizerFacts.swift: what facts call a recognizer, and how they explain its state.
//
// Input     UIGestureRecognizer.name; the code that decides on a state and knows why
// Output    UIKitFacts+Gestures.swift

struct RecognizerFacts {
    var name: String?
    /// What facts know it by, beside its name, which another may share: a number of its application's, from 1 on; 0 until
    /// the first fact about it.
    var identity: Int64 = 0
    /// Its name and its view's, as facts of its machine have them, until it is reset.
    var names: (recognizer: Int64, view: Int64)?
    /// UIKit itself assigns the state, and notes why: a machine's verdict, or that the recognizer gives up.
    var isStateExplained = false
    /// Why `shouldBegin` is answered with no: by a scroll view, with measure and limit; else by whom.
    var refusal: String?
}
