import Testbed
import Testing
import Trace

@Suite("One touch through the whole group")
struct TapTests {

    @Test("a tap on a button fires one action")
    func tap() throws {
        try expectTrace(
            of: "Demo",
            playing: """
                down f1 (187.5,333.5) @0.000
                up   f1 @0.080
                """,
            matches: """
                    0.000 ms  device     contact 1 down at (0.500, 0.500)
                    0.000 ms  hid        hand and 1 finger, mask range|touch|position|identity
                    0.000 ms  frame      #1 one contact, began
                    0.000 ms  router     contact 1 → app:1, until it lifts: touch 0
                    0.000 ms  inbox      #1, depth 1
                    0.000 ms  source1    fetch loop woke
                    0.000 ms  source0    main loop signalled
                    0.000 ms  queue      one event, none coalesced
                    0.000 ms  event      touch 0 began at (187.5, 333.5)
                    0.000 ms  hitTest    touch 0 → UIButton "plus" in UIWindow "window", after testing 5 views
                    0.000 ms  hitTest    next responders of UIButton "plus": UIView "panel" → UIView "root" → UIViewController → UIWindow "window" → UIApplication → SceneAppDelegate
                    0.000 ms  responder  UIButton "plus" touchesBegan
                    0.000 ms  action     UIButton "plus" begins tracking
                   80.000 ms  device     contact 1 up at (0.500, 0.500)
                   80.000 ms  hid        hand and 1 finger, mask range|touch|identity
                   80.000 ms  frame      #2 one contact, ended
                   80.000 ms  inbox      #2, depth 1
                   80.000 ms  source1    fetch loop woke
                   80.000 ms  source0    main loop signalled
                   80.000 ms  queue      one event, none coalesced
                   80.000 ms  event      touch 0 ended at (187.5, 333.5)
                   80.000 ms  responder  UIButton "plus" touchesEnded
                   80.000 ms  action     UIButton "plus" ends tracking
                   80.000 ms  action     touchUpInside → add
                """)
    }

    @Test("a touch that leaves a button's margin fires no action")
    func strayingOff() throws {
        try expectTrace(
            at: [.router, .hitTest, .responder, .action], of: "Demo",
            playing: """
                down f1 (187.5,333.5) @0.000
                move f1 (187.5,500) @0.100
                up   f1 @0.200
                """,
            matches: """
                    0.000 ms  router     contact 1 → app:1, until it lifts: touch 0
                    0.000 ms  hitTest    touch 0 → UIButton "plus" in UIWindow "window", after testing 5 views
                    0.000 ms  hitTest    next responders of UIButton "plus": UIView "panel" → UIView "root" → UIViewController → UIWindow "window" → UIApplication → SceneAppDelegate
                    0.000 ms  responder  UIButton "plus" touchesBegan
                    0.000 ms  action     UIButton "plus" begins tracking
                  100.000 ms  responder  UIButton "plus" touchesMoved
                  200.000 ms  responder  UIButton "plus" touchesEnded
                  200.000 ms  action     UIButton "plus" ends tracking
                """)
    }

    @Test("a touch at the screen's corner reaches the view there")
    func corner() throws {
        try expectTrace(
            at: [.device, .event, .hitTest, .responder], of: "Demo",
            playing: """
                down f1 (375,667) @0.000
                up   f1 @0.080
                """,
            matches: """
                    0.000 ms  device     contact 1 down at (1.000, 1.000)
                    0.000 ms  event      touch 0 began at (375.0, 667.0)
                    0.000 ms  hitTest    touch 0 → UIView "root" in UIWindow "window", after testing 4 views
                    0.000 ms  hitTest    next responders of UIView "root": UIViewController → UIWindow "window" → UIApplication → SceneAppDelegate
                    0.000 ms  responder  UIView "root" touchesBegan
                   80.000 ms  device     contact 1 up at (1.000, 1.000)
                   80.000 ms  event      touch 0 ended at (375.0, 667.0)
                   80.000 ms  responder  UIView "root" touchesEnded
                """)
    }

    @Test("two contacts that land together are one event with two touches")
    func chord() throws {
        try expectTrace(
            at: [.hid, .frame, .queue, .event, .hitTest], of: "Demo",
            playing: """
                down f1 (87.5,333.5) @0.000
                down f2 (287.5,333.5) @0.000
                up   f1 @0.080
                up   f2 @0.080
                """,
            matches: """
                    0.000 ms  hid        hand and 2 fingers, mask range|touch|position|identity
                    0.000 ms  frame      #1 two contacts, began
                    0.000 ms  queue      one event, none coalesced
                    0.000 ms  event      touch 0 began at (87.5, 333.5)
                    0.000 ms  hitTest    touch 0 → UIButton "minus" in UIWindow "window", after testing 6 views
                    0.000 ms  hitTest    next responders of UIButton "minus": UIView "panel" → UIView "root" → UIViewController → UIWindow "window" → UIApplication → SceneAppDelegate
                    0.000 ms  event      touch 1 began at (287.5, 333.5)
                    0.000 ms  hitTest    touch 1 → UIButton "clear" in UIWindow "window", after testing 4 views
                    0.000 ms  hitTest    next responders of UIButton "clear": UIView "panel" → UIView "root" → UIViewController → UIWindow "window" → UIApplication → SceneAppDelegate
                   80.000 ms  hid        hand and 2 fingers, mask range|touch|identity
                   80.000 ms  frame      #2 two contacts, ended
                   80.000 ms  queue      one event, none coalesced
                   80.000 ms  event      touch 0 ended at (87.5, 333.5)
                   80.000 ms  event      touch 1 ended at (287.5, 333.5)
                """)
    }
}

@Suite("A call during a touch")
struct InterruptionTests {

    @Test("a call cancels a touch, which is then ignored until lift")
    func call() throws {
        try expectTrace(
            at: [.router, .event, .responder], of: "TY",
            playing: """
                down f1 (187.5,333.5) @0.000
                interrupt call @0.100
                move f1 (190,340) @0.200
                resume @0.300
                up   f1 @0.400
                down f1 (187.5,333.5) @0.500
                up   f1 @0.580
                """,
            matches: """
                    0.000 ms  router     contact 1 → app:1, until it lifts: touch 0
                    0.000 ms  event      touch 0 began at (187.5, 333.5)
                    0.000 ms  responder  YellowView "Y" touchesBegan
                  100.000 ms  event      touch 0 cancelled
                  100.000 ms  responder  YellowView "Y" touchesCancelled
                  200.000 ms  router     dropped: ignored until lift
                  400.000 ms  router     dropped: ignored until lift
                  500.000 ms  router     contact 1 → app:1, until it lifts: touch 1
                  500.000 ms  event      touch 1 began at (187.5, 333.5)
                  500.000 ms  responder  YellowView "Y" touchesBegan
                  580.000 ms  event      touch 1 ended at (187.5, 333.5)
                  580.000 ms  responder  YellowView "Y" touchesEnded
                """)
    }
}
