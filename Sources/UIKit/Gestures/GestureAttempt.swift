// GestureAttempt.swift: what the environment keeps of one recogniser from its first touch to its reset.
//
// Station   gesture
// Fed by    GestureEnvironment, and nobody else

struct GestureAttempt {
    /// It has taken part since it was last reset.
    var isActive = false
    /// Its kind of event: only those of one event exclude each other.
    var event: UIEvent.EventType?
    /// Something happened that the next update must look at.
    var needsUpdate = false
    /// Its state was assigned, and it has not acted on that.
    var hasNews = false
    /// It took part in no requirement query yet.
    var isNew = false
    /// An action was sent; from then on nobody excludes it. (B7.2)
    var hasActed = false
    /// The last thing it will ever say in this attempt was said. (B16.1)
    var isDone = false
    /// It waits for another, which has not decided; what it missed saying is made up for. (B7.7)
    var isBlocked = false
    var owesBegan = false
    /// It holds touches back.
    var holds = false
    /// When it was last told of touches: an event, by number. When it was last moved, and last acted: updates.
    var toldIn: UInt64 = 0
    var movedIn: UInt64 = 0
    var actedIn: UInt64 = 0
    /// Touches it has let go of before the attempt is over: they no longer know of it.
    var left: [UITouch] = []
    /// How far its view is from the window. Kept, as the view may leave the tree.
    var depth = 0
}
