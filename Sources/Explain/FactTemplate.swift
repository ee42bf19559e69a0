// FactTemplate.swift: the facts about interactions, each by its template.
//
// A fact has no other name than its template. The templates equal the cores' ones, letter for letter; a test
// finds each of them in the sources.
//
// Input     Explain, Exports, pages of runs
// Sources   invented

/// The meaning of a fact about an interaction.
package enum FactTemplate: String, CaseIterable {
    // device: input-kit
    case contactDown = "contact {a} down at ({b:f}, {c:f})"
    case contactMoved = "contact {a} moved to ({b:f}, {c:f})"
    case contactUp = "contact {a} up at ({b:f}, {c:f})"
    case contactCancelled = "contact {a} cancelled at ({b:f}, {c:f})"
    /// A key, a pointer, a headset; at another station, a conformance line.
    case deviceInput = "{a:n}"
    case serverLost = "system-server lost: {a} contacts ignored until lift"

    // frame: input-kit
    case scan = "#{a} {b:n}"

    // router: system-server
    case routed = "contact {a} → {b:n}, until it lifts: touch {c}"
    case landedOnNothing = "contact {a} landed on nothing: the screen is locked"
    /// At `router` an input and its recipient; at `action` an event and its target's method.
    case pair = "{a:n} → {b:n}"
    /// A scene or an app that is not the recipient, with the reason.
    case scenePassed = "contact {a} passed {b:n}: {c:n}"
    case emptyDisplay = "contact {a} landed on nothing: display {b} is empty"
    case refusedLanding = "contact {a} landed on unresponsive app {b}"
    case stays = "touch {a} stays with its app"
    case dropped = "dropped: {a:n}"
    case pilfered = "touch {a} taken by the system: {b:n}"
    case takenByMonitor = "touch {a} pilfered by monitor {b}"
    case overLimit = "#{a} dropped: {b} scans in flight, limit {c}"
    case heldForFrame = "app {a}: {b} scans held for the display frame, at most {c:t}"
    case appGone = "app {a} disconnected: {b} contacts ignored until lift"
    case inputKitGone = "input-kit disconnected: {a} touches cancelled"
    case hungUp = "{a:n} disconnected after {b} strikes"
    case act = "act: {a:n}"
    case leaseExpired = "system-server was suspended for {a:t}, limit {b:t}: it exits and a new epoch begins"
    case systemGesture = "system gesture: {a:n}"
    case homeTouch = "{a:n} {b:n}, touch {c}"

    // inbox, source1, queue: app
    case arrived = "#{a}, depth {b}"
    case fetched = "fetch loop woke"
    case oneEvent = "one event, none coalesced"
    case events = "{a} events, none coalesced"
    case coalescedEvents = "{a} events, {b} coalesced"
    case missingFrames = "{a} frames missing before {b}"
    case late = "frame {a} is late: no run-loop turn for {b:t}, limit {c:t}"
    case full = "inbox full: frame {a} with {b} contacts dropped"
    case cancelledTouches = "{a:n}: {b} touches cancelled"

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
    case hit = "touch {a} → {b:n} in {d:n}, after testing {c} views"
    case hitNothing = "touch {a} → nothing, after testing {b} views"
    case passed = "touch {a} passed {b:n}: isUserInteractionEnabled is false"
    /// The responder chain behind the hit view; `c` is the touch.
    case chain = "next responders of {a:n}: {b:n}"
    /// A view in front of the hit view, with the reason.
    case viewPassed = "touch {a} passed {b:n}: {c:n}"
    // Facts of a content touch delay; `d` is its identity, and `c` the time for which it held the touch.
    case discarded = "touch {a} discarded: touchesShouldBegin of {b:n} returned false"
    case stoppedScroll = "touch {a} discarded: it stopped {b:n} as it scrolled"
    case onlyOneFinger = "touch {a} discarded: {b:n} accepts one touch"
    case press = "press {a:k} {b:n}"
    case shake = "shake {a:n}"
    case remote = "remote {a:n}"
    /// A scroll, hover or transform and its phase.
    case pointer = "{a:n} {b:n} at ({c:p}, {d:p})"
    case pointerHit = "{a:n} → {b:n}, after testing {c} views"

    // gesture: app. Facts of a recognizer; `d` is its identity, and `c` the identity of another one that it names.
    case receivedByRecognizer = "touch {a} received by {b:n}"
    /// A recognizer on the hit view or around it that does not receive the touch, with the reason.
    case declined = "touch {a} not received by {b:n}: {c:n}"
    case keptFromView = "touch {a} kept from its view by {b:n}"
    case undecided = "{a:n} on {b:n} undecided"
    case undecidedUntil = "{a:n} on {b:n} undecided until {c:m}"
    case began = "{a:n} on {b:n} began"
    case changed = "{a:n} on {b:n} changed"
    case ended = "{a:n} on {b:n} ended"
    case cancelled = "{a:n} on {b:n} cancelled"
    case failed = "{a:n} on {b:n} failed: {c:n}"
    case required = "{a:n} failed: it requires {b:n} to fail, which was recognized"
    case excluded = "{a:n} failed: excluded by {b:n}"
    case waits = "{a:n} waits: {b:n} has not failed"
    case acts = "{a:n} acts: {b:n}"
    case reset = "{a:n} reset"
    /// A state that the app's own code assigned.
    case assigned = "{a:n} on {b:n} set its own state: {c:n}"
    case gaveUp = "{a:n} stops: it was disabled or removed"
    case released = "{a:n} released its touches after {b:t}: {c:n}"
    case discardedAll = "{a:n} discarded its touches after {b:t}: {c:n}"

    // responder, action: app. Facts of a view that receives touches; `b`, `c`, `d` are the touch numbers plus one.
    case receivedBegan = "{a:n} touchesBegan"
    case receivedMoved = "{a:n} touchesMoved"
    case receivedEnded = "{a:n} touchesEnded"
    case receivedCancelled = "{a:n} touchesCancelled"
    /// A press, motion or remote control event and its responder.
    case receivedEvent = "{a:n} {b:n}"
    case beginsTracking = "{a:n} begins tracking"
    case endsTracking = "{a:n} ends tracking"
    case cancelsTracking = "{a:n} cancels tracking"
    case action = "→ {a:n}"
    case disabled = "{a:n} ignores the touch: it is disabled"
    case selected = "{a:n} selects row {b} of section {c}"
}
