// InputModifiers.swift: the keys and buttons that were held during an event.
//
// Station   event
// Input     PressTracker, PointerTracker
// Output    UIEvent, and the recognizers that receive it

struct InputModifiers {
    var flags: UIKeyModifierFlags = []
    /// Zero for an event of touches.
    var buttons: UIEvent.ButtonMask = []
}
