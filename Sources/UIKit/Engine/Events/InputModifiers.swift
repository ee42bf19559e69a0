// InputModifiers.swift: the keys and buttons that were held during an event.
//
// Station   event
// Input     PressTracker, PointerTracker
// Output    UIEvent, and the recognizers that receive it

struct InputModifiers {
    var flags: UIKeyModifierFlags = []
    /// Zero for fingers.
    var buttons: UIEvent.ButtonMask = []
}
