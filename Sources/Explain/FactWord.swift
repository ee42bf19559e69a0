// FactWord.swift: the facts that say what became of an interaction, each by its template.
//
// A fact has no name but its text. What is read here is what is written in the cores, letter for letter; a test finds
// each of these in the sources of who notes it.
//
// Fed by    Explain
// Sources   invented

/// What a fact is about, for those that are about an interaction.
enum FactWord: String, CaseIterable {
    // device: input-kit
    case contactDown = "contact {a} down at ({b:f}, {c:f})"
    case contactUp = "contact {a} up at ({b:f}, {c:f})"
    case contactCancelled = "contact {a} cancelled at ({b:f}, {c:f})"
    /// A key, a pointer, a headset; and, of another station, a conformance line.
    case said = "{a:n}"
    case serverLost = "system-server lost; {a} fingers are dead"

    // router: system-server
    case routed = "contact {a} → {b:n}, until it lifts: touch {c}"
    case landedOnNothing = "contact {a} landed on nothing: the screen is locked"
    /// At `router` a stretch of input and who gets it; at `action` an event and its target's method.
    case pair = "{a:n} → {b:n}"
    case dropped = "dropped: {a:n}"
    case pilfered = "touch {a} taken by the system: {b:n}"
    case spied = "touch {a} taken by spy {b}"
    case overLimit = "#{a} dropped: {b} scans in flight, limit {c}"
    case heldForFrame = "app {a}: {b} scans held for the frame, {c:t} at most"
    case appGone = "app {a} is gone; {b} fingers are dead until they lift"
    case inputKitGone = "input-kit is gone; {a} touches cancelled"
    case hungUp = "{a:n} is hung up on after {b} strikes"
    case act = "act: {a:n}"
    case leaseExpired = "was stopped for {a:t}, lease {b:t}: a new epoch is to begin"
    case systemGesture = "system gesture: {a:n}"
    case homeTouch = "{a:n} {b:n}, touch {c}"

    // inbox: app
    case missingFrames = "{a} frames missing before {b}"
    case late = "frame {a} waited: no turn for {b:t}, limit {c:t}"
    case full = "full: frame {a} with {b} contacts dropped"
    case letGo = "{a:n}: {b} touches cancelled"

    // event, hitTest: app
    case touchBegan = "touch {a} began at ({b:p}, {c:p})"
    case touchMoved = "touch {a} moved to ({b:p}, {c:p})"
    case touchEnded = "touch {a} ended at ({b:p}, {c:p})"
    case touchCancelled = "touch {a} cancelled"
    case interactionIgnored = "touch {a} dropped: interaction events are ignored"
    case exclusive = "touch {a} dropped: {b:n} is touched, and one of the two is exclusive"
    case neverBegan = "touch {a} dropped: moved, never began here"
    case neverBeganEnded = "touch {a} dropped: ended, never began here"
    case neverBeganCancelled = "touch {a} dropped: cancelled, never began here"
    case hit = "touch {a} → {b:n} in {d:n}, after asking {c} views"
    case hitNothing = "touch {a} → nothing, after asking {b} views"
    case passed = "touch {a} passed {b:n}: isUserInteractionEnabled is false"
    // Of a content touch delay; its identity is in `d`, and how long it held the touch in `c`.
    case discarded = "touch {a} discarded: touchesShouldBegin of {b:n} said no"
    case stoppedScroll = "touch {a} discarded: it stopped {b:n} as it scrolled"
    case onlyOneFinger = "touch {a} discarded: {b:n} takes one finger"
    case press = "press {a:k} {b:n}"
    case shake = "shake {a:n}"
    case remote = "remote {a:n}"
    /// A scroll, hover or transform and its phase.
    case pointer = "{a:n} {b:n} at ({c:p}, {d:p})"
    case pointerHit = "{a:n} → {b:n}, after asking {c} views"

    // gesture: app. Of a recognizer; its identity is in `d`, and that of another it names in `c`.
    case heard = "touch {a} heard by {b:n}"
    case kept = "touch {a} kept from its view by {b:n}"
    case undecided = "{a:n} on {b:n} undecided"
    case undecidedUntil = "{a:n} on {b:n} undecided until {c:m}"
    case began = "{a:n} on {b:n} began"
    case changed = "{a:n} on {b:n} changed"
    case ended = "{a:n} on {b:n} ended"
    case cancelled = "{a:n} on {b:n} cancelled"
    case failed = "{a:n} on {b:n} failed: {c:n}"
    case required = "{a:n} failed: it requires {b:n} to fail, which was recognised"
    case excluded = "{a:n} failed: excluded by {b:n}"
    case waits = "{a:n} waits: {b:n} has not failed"
    case acts = "{a:n} acts: {b:n}"
    case reset = "{a:n} reset"
    /// A state that the app's own code assigned.
    case assigned = "{a:n} on {b:n} set its own state: {c:n}"
    case gaveUp = "{a:n} gives up: it was disabled or removed"
    case released = "{a:n} released its touches after {b:t}: {c:n}"
    case discardedAll = "{a:n} discarded its touches after {b:t}: {c:n}"

    // responder, action: app. Of a view that hears touches; their numbers plus one are in `b`, `c`, `d`.
    case heardBegan = "{a:n} touchesBegan"
    case heardMoved = "{a:n} touchesMoved"
    case heardEnded = "{a:n} touchesEnded"
    case heardCancelled = "{a:n} touchesCancelled"
    /// A press, motion or remote control event and its responder.
    case told = "{a:n} {b:n}"
    case action = "→ {a:n}"
    case disabled = "{a:n} takes no touch: it is disabled"
    case selected = "{a:n} selects row {b} of section {c}"
}
