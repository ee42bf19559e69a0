/* links.pml: the rules by which input-kit, the server and its apps agree on whose time it is and what was heard.
 *
 *     input-kit ──scans──▶ server ──touches──▶ apps          one link per client, a queue each way
 *         ▲                 │  ▲                 │
 *         └────receipts─────┘  └────receipts─────┘           the supervisor restarts a process that dies
 *
 * Stands for   Server     SystemServerCore/SystemServerCore.swift, InFlight.swift, ContactRoute.swift, Router.swift
 *              InputKit   InputKitCore/InputKitCore.swift, FrameSender.swift (what is sent and what waits for receipts)
 *              App        AppCore/AppCore.swift, Inbox.swift; UIKit's TouchTracker
 *              Fate       SupervisorCore/ChildTable.swift (generation + 1, epoch + 1), and what kills
 *              accept…    Links/LinkNumbers.swift, Link.swift
 *
 * A step of a process is one `handle` of its core: one input, every effect, indivisible. Time is not a number here:
 * a timer fires when nothing else can happen, which is what a time limit well above the links' delay means.
 *
 * One finger. Its scans have names (`name`, from 1) that no process looks at: they are what lets an assertion say that
 * a receipt speaks of the scan it answers. The other ghosts are marked so.
 *
 * Scope, by -D:   APPS 1, 2; WINDOW of an app; LIMIT of scans in flight; SCANS before the last stroke
 *                 STILL: without the last stroke, so that nothing repairs what the faults have left
 *                 CRASHES, LOSSES, LATES (a copy of a frame that arrives once more, at any later moment), ACTS (the
 *                 other app, or none, is brought to front), ONLY=client (whose frames are lost or late; default all)
 * Broken, by -D:  NO_FENCING NO_HELLO_FENCING NO_DUPLICATES NO_GAP_CANCEL NO_LOST_CANCEL NO_DEATH_ANSWERS CREDIT_LEAK
 *                 CREDIT_IGNORED STALE_RECEIPTS RENUMBERED GREET_ONCE SCANS_MIXED NO_REVOKE NO_RESTATEMENT
 *                 RESTATED_ONCE NO_PROBES NO_GAP_ANSWERS ANSWERS_FIRST
 */

#ifndef APPS
#define APPS 1
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef LIMIT
#define LIMIT 2
#endif
#ifndef SCANS
#define SCANS 2
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef LOSSES
#define LOSSES 0
#endif
#ifndef LATES
#define LATES 0
#endif
#ifndef ACTS
#define ACTS 0
#endif

#define CLIENTS (APPS + 1)
#define KIT 0                  /* clients: input-kit, then the apps */
#define ROOM 10                /* of a link's queue; an assertion says that it is never full */
#define NUMBERS 20             /* sequence numbers of one life */
#define NAMES (SCANS + 12)     /* of scans */

mtype = { hello, scan, touches, handled, probe, heard };
mtype = { away, greeting, open };
mtype = { lifted, owned, orphaned };

/* Phases. A finger that lands where the server still has one is one frame to the same app: cancelled and began. */
#define BEGAN 1
#define MOVED 2
#define ENDED 3
#define CANCELLED 4
#define BEGAN_AGAIN 5
#define EMPTY 6               /* a scan that lists no finger */
#define LOST 1                 /* a receipt: dropped, as the frame was lost on the link */

/* ---- what travels ---- */

typedef Frame {
    mtype kind;
    byte epoch;
    byte generation;
    byte sequence;
    byte ack;
    byte credit;
    byte phase;                /* scan, touches; handled: LOST or 0; heard: how many were missed */
    byte which;                /* touches: the touch; handled: the sequence answered; heard: the first not answered */
    byte name                  /* ghost: of the scan this is about, 0 for none */
}

chan up[CLIENTS] = [ROOM] of { Frame };
chan down[CLIENTS] = [ROOM] of { Frame };
/* A copy that arrives once more. */
chan lateUp = [1] of { byte, Frame };
chan lateDown = [1] of { byte, Frame };

/* Set and used within one step: no part of any state. */
hidden Frame f;                /* the frame in hand */
hidden Frame g;                /* the frame being sent */
hidden byte verdict, before, i, j, n, x, y, z, u, v, w, part, old, oldTouch, said, number, phase, name;

/* ---- fate ---- */

byte crashes = CRASHES;
byte losses = LOSSES;
byte lates = LATES;
byte acts = ACTS;
bool healed;                   /* no fault from here on; the last stroke begins after it */
bool settled;                  /* nothing more will ever happen */
bool kWaits;                   /* used within one step */

bool isUp[CLIENTS];
byte generation[CLIENTS];
bool serverUp;
byte epoch;                    /* the server's generation is the same number */

/* What a host has yet to tell. */
bool tellUp[CLIENTS];          /* to the client: connected(server) */
bool tellLost[CLIENTS];        /* to the client: peerLost(server) */
bool tellGone[CLIENTS];        /* to the server: peerLost(client) */

/* ---- input-kit ---- */

mtype kState = away;
byte kEpoch, kSent, kHeard, kAcknowledged, kCredit;
byte kGreeting;                /* the number of its last hello */
bool kRestates;                /* it owes the server a scan of who is on the glass */
bool kDown;                    /* the finger is on the glass */
byte kNames[NUMBERS];          /* unanswered: the scan sent as this number; 0 otherwise */
byte kScans;                   /* given out so far, over all lives: the script */
byte kName;                    /* ghost: the last scan's, over all lives */
byte kLast;                    /* of the last stroke: 0 not begun, 1 begun, 2 ended */

/* ---- server ---- */

bool sOpen[CLIENTS];
byte sPeer[CLIENTS];           /* the newest generation heard; kept, as are the numbers, when the link is lost */
byte sSent[CLIENTS], sHeard[CLIENTS];
byte sOpening[CLIENTS];        /* the number of the hello that opened the link */
byte sAnswer[CLIENTS];         /* the number of the hello that answered it */
byte sMissed[CLIENTS];         /* as the app has said */
byte sFront;                   /* app in front, 0 the home screen */
mtype sFinger = lifted;
byte sOwner, sTouch, sNext;
byte sFlying;                  /* scans in flight */
byte sParts[NUMBERS];          /* of a scan in flight: recipients that have yet to answer */
byte sSaid[NUMBERS];           /* ghost: the scan that its receipt answers so far, 0 none */
bool sFlushed;                 /* ghost: a cancel has let out what waited for a window */
/* By app; [0] is unused. */
chan questions[CLIENTS] = [ROOM] of { byte, byte };                     /* sequence, scan */
chan waiting[CLIENTS] = [ROOM] of { byte, byte, byte, byte };           /* scan, phase, touch, name */

/* ---- apps; [0] is unused ---- */

mtype aState[CLIENTS];
byte aEpoch[CLIENTS], aSent[CLIENTS], aHeard[CLIENTS];
byte aGreeting[CLIENTS];       /* the number of its last hello */
byte aMissed[CLIENTS];         /* frames of this link that were lost, or found no room */
byte aLink[CLIENTS];           /* which link to the server, counted from 1 */
byte aFinger[CLIENTS];         /* LiveTouches: the touch, 0 none */
byte aShown[CLIENTS];          /* TouchTracker: the touch, 0 none */
byte aLast[CLIENTS], aLastLink[CLIENTS];   /* ghost: the last touch that began, and on which link */
/* Sequence (0: its own), phase, touch, link, name. */
chan inbox[CLIENTS] = [ROOM] of { byte, byte, byte, byte, byte };

/* ==== LinkNumbers.accept ==== */

#define FRESH 0
#define GAP 1
#define IGNORED 2

inline accept(ourEpoch, peer, last) {
    if
#ifndef NO_FENCING
    :: f.epoch != ourEpoch || f.generation != peer -> verdict = IGNORED
#endif
#ifndef NO_DUPLICATES
    :: f.epoch == ourEpoch && f.generation == peer && f.sequence <= last -> verdict = IGNORED
#endif
    :: else ->
        assert(f.epoch >= ourEpoch && f.generation >= peer);                             /* I7 */
        verdict = (f.sequence > last + 1 -> GAP : FRESH);
        before = last;
        last = f.sequence
    fi
}

#ifdef ONLY
#define MAY_FAIL(client) (client == ONLY)
#else
#define MAY_FAIL(client) true
#endif

/* What the link does instead of, or besides, handing over its first frame. */
inline lose(queue) {
    queue?f;
    printf("lost: %e #%d\n", f.kind, f.sequence);
    losses--
}

inline repeat(client, queue, late) {
    queue?<f>;
    printf("will come once more: %e #%d\n", f.kind, f.sequence);
    lates--;
    late!client,f
}

#define MAY_LOSE(client, queue) (losses > 0 && !healed && MAY_FAIL(client) && len(queue) > 0)
#define MAY_REPEAT(client, queue, late) (lates > 0 && !healed && MAY_FAIL(client) && len(queue) > 0 && len(late) == 0)

/* ==== the server's half ==== */

inline say(c, kind_, phase_, which_, name_) {
    sSent[c]++;
    assert(sSent[c] < NUMBERS);
    if
    :: isUp[c] && generation[c] == sPeer[c] ->
        assert(len(down[c]) < ROOM);
        g.kind = kind_; g.epoch = epoch; g.generation = epoch; g.sequence = sSent[c]; g.ack = sHeard[c];
        g.credit = (c == KIT -> LIMIT - sFlying : 0);
        g.phase = phase_; g.which = which_; g.name = name_;
        printf("  server -> %d: %e e%d g%d #%d ack %d credit %d phase %d which %d name %d\n", c, g.kind, g.epoch,
            g.generation, g.sequence, g.ack, g.credit, g.phase, g.which, g.name);
        down[c]!g
    :: else                     /* a send to the dead succeeds, and its connection is not its successor's */
    fi
}

/* InFlight.settle: one recipient's part of a scan. */
inline settle(scan_, name_) {
    if
    :: scan_ != 0 && sParts[scan_] > 0 ->
        if :: name_ != 0 -> sSaid[scan_] = name_ :: else fi;
        sParts[scan_]--;
        if
        :: sParts[scan_] == 0 ->
            sFlying--;
            said = sSaid[scan_];
            sSaid[scan_] = 0;
            say(KIT, handled, 0, scan_, said)
        :: else
        fi
    :: else
    fi
}

inline put(app, scan_, phase_, touch_, name_) {
    say(app, touches, phase_, touch_, name_);
    assert(len(questions[app]) < ROOM);
    questions[app]!sSent[app],scan_
}

#ifndef CREDIT_IGNORED
#define CREDIT(app) (len(questions[app]) < WINDOW)
#else
#define CREDIT(app) true
#endif

inline sendWaiting(app) {
    do
    :: len(waiting[app]) > 0 && CREDIT(app) ->
        waiting[app]?u,x,y,z;
        put(app, u, x, y, z)
    :: else -> break
    od;
    assert(len(questions[app]) <= WINDOW || sFlushed)                                    /* I6 */
}

/* Router.revoke, SystemServerCore.tell: what waits for the app's window goes out before the cancel that ends it. */
inline revoke() {
    if
    :: sFinger == owned ->
        if
        :: sOwner != 0 ->
#ifndef NO_REVOKE
            do
            :: len(waiting[sOwner]) > 0 ->
                waiting[sOwner]?u,x,y,z;
                put(sOwner, u, x, y, z);
                sFlushed = true
            :: else -> break
            od;
            sFlushed = sFlushed || len(questions[sOwner]) >= WINDOW;
            put(sOwner, 0, CANCELLED, sTouch, 0)
#endif
        :: else
        fi;
        sFinger = orphaned; sOwner = 0; sTouch = 0
    :: else
    fi
}

inline kitIsGone() {
    printf("server: input-kit is gone\n");
    if
    :: sOpen[KIT] ->
        sOpen[KIT] = false;
        /* No answer is awaited any more, but unanswered frames still fill the windows of the apps. */
        i = 0;
        do :: i < NUMBERS -> sParts[i] = 0; sSaid[i] = 0; i++ :: else -> break od;
        sFlying = 0;
        i = 1;
        do
        :: i <= APPS ->
#ifdef SCANS_MIXED
            do :: len(questions[i]) > 0 -> questions[i]?x,y :: else -> break od;
#else
            n = len(questions[i]);
            do :: n > 0 -> questions[i]?x,_; questions[i]!x,0; n-- :: else -> break od;
            n = len(waiting[i]);
            do :: n > 0 -> waiting[i]?_,x,y,z; waiting[i]!0,x,y,z; n-- :: else -> break od;
#endif
            i++
        :: else -> break
        od;
        revoke();
        sFinger = lifted
    :: else
    fi
}

inline appIsGone(app) {
    printf("server: app %d is gone\n", app);
    if
    :: sOpen[app] ->
        sOpen[app] = false;
        if :: sFinger == owned && sOwner == app -> sFinger = orphaned; sOwner = 0; sTouch = 0 :: else fi;
        do
        :: len(questions[app]) > 0 ->
            questions[app]?_,n;
#ifndef NO_DEATH_ANSWERS
            settle(n, 0)
#endif
        :: else -> break
        od;
        do
        :: len(waiting[app]) > 0 ->
            waiting[app]?n,_,_,_;
            settle(n, 0)
        :: else -> break
        od;
        if :: sFront == app -> sFront = 0 :: else fi
    :: else
    fi
}

inline deliver(app, phase_, touch_) {
    if
    :: app == 0 -> settle(number, name)         /* the home screen answers in the same turn */
    :: else ->
        assert(len(waiting[app]) < ROOM);
        waiting[app]!number,phase_,touch_,name;
        sendWaiting(app)
    fi
}

inline open_(recipients) {
    sParts[number] = recipients;
    sFlying++;
    assert(sFlying <= LIMIT)                                                             /* I6 */
}

/* Router.route: a scan that lists the one finger there is. */
inline route() {
    number = f.sequence; phase = f.phase; name = f.name;
    if
    :: sFlying >= LIMIT && (phase == MOVED || phase == EMPTY) -> say(KIT, handled, 0, number, 0)
    :: else ->
        old = (sFinger == owned -> sOwner : 0); oldTouch = sTouch;
        part = sFinger == owned;
        if
        :: phase == BEGAN ->
            sNext++;
            sFinger = owned; sOwner = sFront; sTouch = sNext;
            open_((part && old != sOwner -> 2 : 1));
            if
            :: part && old != sOwner -> deliver(old, CANCELLED, oldTouch)
            :: else
            fi;
            deliver(sOwner, (part && old == sOwner -> BEGAN_AGAIN : BEGAN), sTouch)
        :: phase == MOVED && part -> open_(1); deliver(old, MOVED, oldTouch)
        :: phase == MOVED && !part -> say(KIT, handled, 0, number, 0)
        :: phase == ENDED || phase == EMPTY ->
            sFinger = lifted; sOwner = 0; sTouch = 0;
            if
            :: part -> open_(1); deliver(old, (phase == ENDED -> ENDED : CANCELLED), oldTouch)
            :: else -> say(KIT, handled, 0, number, 0)
            fi
        fi
    fi
}

/* The answer again, under its number: a receiver that lost it finds a gap behind it, an app at once. */
inline serverAnswersAgain(c) {
    n = sSent[c];
    sSent[c] = sAnswer[c] - 1;
    say(c, hello, 0, 0, 0);
    sSent[c] = n;
    if :: c != KIT && sSent[c] > sAnswer[c] -> say(c, probe, 0, 0, 0) :: else fi
}

/* A process numbers what it says once for its life, and repeats a hello under its number until it is answered: one that
 * does not come after all that was heard is an old one, or the one that opened the link. */
inline serverHeardHello(c) {
    if
#ifndef NO_HELLO_FENCING
    :: f.generation < sPeer[c] -> skip
#endif
#ifndef RENUMBERED
    :: f.generation == sPeer[c] && f.sequence <= sHeard[c] ->
        if :: sOpen[c] && f.sequence == sOpening[c] -> serverAnswersAgain(c) :: else fi
#endif
    :: else ->
        assert(f.generation >= sPeer[c]);                                                /* I7 */
        if :: c == KIT -> kitIsGone() :: else -> appIsGone(c) fi;
        tellGone[c] = false;
        sPeer[c] = f.generation;
        sHeard[c] = f.sequence; sOpening[c] = f.sequence; sMissed[c] = 0;
#ifdef RENUMBERED
        sSent[c] = 0;
#endif
        sOpen[c] = true;
        say(c, hello, 0, 0, 0);
        sAnswer[c] = sSent[c];
        if :: c == 1 && sFront == 0 -> sFront = 1 :: else fi
    fi
}

/* The app has let go of its fingers, as it missed something: so do we. */
inline agree(app) {
    if :: sFinger == owned && sOwner == app -> revoke() :: else fi
}

inline serverHeardReceipt(app) {
    if
    :: questions[app]??[eval(f.which),_] ->
#ifndef CREDIT_LEAK
        questions[app]??eval(f.which),n;
#else
        questions[app]?? <eval(f.which),n>;
#endif
        name = f.name;
        settle(n, name)
    :: else
    fi;
#ifndef NO_RESTATEMENT
    if :: f.phase == LOST -> sMissed[app]++; agree(app) :: else fi;
#endif
    sendWaiting(app)
}

/* The app has heard all up to `ack`, and has yet to answer none before `which`: the receipts between were lost. */
inline serverHeardHeard(app) {
    part = len(questions[app]);
    do
    :: part > 0 ->
        questions[app]?x,n;
        if
        :: x <= f.ack && (f.which == 0 || x < f.which) -> settle(n, 0)
        :: else -> questions[app]!x,n
        fi;
        part--
    :: else -> break
    od;
#ifndef NO_RESTATEMENT
    if :: f.phase != sMissed[app] -> sMissed[app] = f.phase; agree(app) :: else fi;
#endif
    sendWaiting(app)
}

/* The scans in flight, oldest first. */
inline serverHeardProbe() {
    i = 1;
    do
    :: i < NUMBERS && sParts[i] == 0 -> i++
    :: else -> break
    od;
    say(KIT, heard, 0, (i == NUMBERS -> 0 : i), 0)
}

/* What was lost of input-kit's is answered: it asked, whatever it was. Not before what came is in flight, as the answer
 * acknowledges it, and must not give the credit it takes. */
inline answerGap(c) {
    if
#ifndef NO_GAP_ANSWERS
    :: verdict == GAP && c == KIT ->
        before++;
        do :: before < f.sequence -> say(KIT, handled, LOST, before, 0); before++ :: else -> break od
#endif
    :: else
    fi
}

inline serverTakes(c) {
    printf("server hears of %d: %e e%d g%d #%d\n", c, f.kind, f.epoch, f.generation, f.sequence);
    if
    :: f.kind == hello -> serverHeardHello(c)
    :: f.kind != hello && !sOpen[c] -> skip     /* spoke before its hello */
    :: else ->
        accept(epoch, sPeer[c], sHeard[c]);     /* frames carry our epoch and their generation */
#ifdef ANSWERS_FIRST
        answerGap(c);
#endif
        if
        :: verdict == IGNORED
        :: verdict != IGNORED && f.kind == scan -> route()
        :: verdict != IGNORED && f.kind == handled -> serverHeardReceipt(c)
        :: verdict != IGNORED && f.kind == heard -> serverHeardHeard(c)
        :: verdict != IGNORED && f.kind == probe -> serverHeardProbe()
        fi;
#ifndef ANSWERS_FIRST
        answerGap(c)
#endif
    fi
}

proctype Server(byte c) {
end:
    do
    :: d_step { serverUp && len(up[c]) > 0 -> up[c]?f; serverTakes(c) }
    :: d_step { serverUp && lateUp?[eval(c),f] -> lateUp?eval(c),f; serverTakes(c) }
    :: d_step { MAY_LOSE(c, up[c]) -> lose(up[c]) }
    :: d_step { MAY_REPEAT(c, up[c], lateUp) -> repeat(c, up[c], lateUp) }
    :: d_step {
        serverUp && tellGone[c] ->
        tellGone[c] = false;
        if :: c == KIT -> kitIsGone() :: else -> appIsGone(c) fi
    }
    od
}

/* ==== an app's half ==== */

inline appSays(app, kind_, phase_, which_, name_) {
    aSent[app]++;
    assert(aSent[app] < NUMBERS);
    if
    :: serverUp ->
        assert(len(up[app]) < ROOM);
        g.kind = kind_; g.epoch = aEpoch[app]; g.generation = generation[app];
        g.sequence = aSent[app]; g.ack = aHeard[app]; g.credit = 0;
        g.phase = phase_; g.which = which_; g.name = name_;
        printf("  app %d -> server: %e e%d g%d #%d ack %d which %d name %d\n", app, g.kind, g.epoch, g.generation,
            g.sequence, g.ack, g.which, g.name);
        up[app]!g
    :: else
    fi
}

/* The app's own word, behind what has arrived. */
inline cancelFingers(app) {
    if
    :: aFinger[app] != 0 ->
        assert(len(inbox[app]) < ROOM);
        inbox[app]!0,CANCELLED,aFinger[app],0,0;
        aFinger[app] = 0
    :: else
    fi
}

inline appGreets(app) {
    aState[app] = greeting; aMissed[app] = 0;
#ifdef RENUMBERED
    aSent[app] = 0; aHeard[app] = 0;
#endif
    appSays(app, hello, 0, 0, 0);
    aGreeting[app] = aSent[app]
}

/* The first event not handled; 0 when all are. */
/* A hello again, under its number. */
inline appGreetsAgain(app) {
    aSent[app]--;
    appSays(app, hello, 0, 0, 0)
}

inline appHeardProbe(app) {
    part = len(inbox[app]); v = 0;
    do
    :: part > 0 ->
        inbox[app]?u,x,y,z,w; inbox[app]!u,x,y,z,w;
        if :: v == 0 && u != 0 && z == aLink[app] -> v = u :: else fi;
        part--
    :: else -> break
    od;
    appSays(app, heard, aMissed[app], v, 0);
    v = 0
}

#define DEAD(app) (f.phase != BEGAN && f.phase != BEGAN_AGAIN && f.which != aFinger[app])

inline appTakes(app) {
    printf("app %d hears: %e e%d #%d phase %d which %d\n", app, f.kind, f.epoch, f.sequence, f.phase, f.which);
    if
    :: f.kind == hello && !(aState[app] == open && f.epoch == aEpoch[app]) ->
        if
        :: aState[app] == away -> skip
#ifndef NO_HELLO_FENCING
        :: aState[app] != away && (f.ack < aGreeting[app] || f.epoch < aEpoch[app]) -> skip
#endif
        :: else ->
            assert(f.epoch >= aEpoch[app]);                                              /* I7 */
#ifndef NO_LOST_CANCEL
            cancelFingers(app);
#endif
            aEpoch[app] = f.epoch; aHeard[app] = f.sequence;
            aState[app] = open;
            aLink[app]++
        fi
    :: aState[app] == open && !(f.kind == hello && f.epoch != aEpoch[app]) ->
        accept(aEpoch[app], aEpoch[app], aHeard[app]);
        /* What was lost is answered now, and what it said of the finger is unknown. */
        if
        :: verdict == GAP ->
#ifndef NO_GAP_CANCEL
            cancelFingers(app);
#endif
            before++;
            do
#ifndef NO_GAP_ANSWERS
            :: before < f.sequence -> aMissed[app]++; appSays(app, handled, LOST, before, 0); before++
#endif
            :: else -> break
            od
        :: else
        fi;
        if
        :: verdict != IGNORED && f.kind == probe -> appHeardProbe(app)
        :: verdict != IGNORED && f.kind == touches ->
            if
            /* Of a finger that has ended here: sent to no app. */
            :: DEAD(app) -> u = f.sequence; v = f.name; appSays(app, handled, 0, u, v); v = 0
            :: !DEAD(app) && len(inbox[app]) < WINDOW ->
                inbox[app]!f.sequence,f.phase,f.which,aLink[app],f.name;
                if
                :: f.phase == BEGAN || f.phase == BEGAN_AGAIN -> aFinger[app] = f.which
                :: (f.phase == ENDED || f.phase == CANCELLED) && f.which == aFinger[app] -> aFinger[app] = 0
                :: else
                fi
            :: else ->                          /* more than it gave credit for */
                cancelFingers(app);
                u = f.sequence;
                aMissed[app]++;
                appSays(app, handled, LOST, u, 0)
            fi
        :: else
        fi
    :: else                                     /* of a link without hello */
    fi
}

/* The main loop handles one event, and what it was a part of is answered. */
inline appHandles(app) {
    inbox[app]?u,x,y,z,w;
    printf("app %d handles #%d: phase %d, touch %d, link %d\n", app, u, x, y, z);
    if
    :: x == BEGAN || x == BEGAN_AGAIN ->
        if :: x == BEGAN_AGAIN -> aShown[app] = 0 :: else fi;
        assert(aShown[app] == 0);                                                        /* I1: the one before ended */
        assert(y > aLast[app] || z != aLastLink[app]);                                   /* I1: began once */
        aShown[app] = y; aLast[app] = y; aLastLink[app] = z
    :: (x == ENDED || x == CANCELLED) && y == aShown[app] -> aShown[app] = 0
    :: else                                     /* moved; or of a touch that never began here, or is over */
    fi;
    if
#ifndef STALE_RECEIPTS
    :: u != 0 && aState[app] == open && z == aLink[app] -> appSays(app, handled, 0, u, w)
#else
    :: u != 0 && aState[app] == open -> appSays(app, handled, 0, u, w)
#endif
    :: else
    fi
}

proctype App(byte a) {
end:
    do
    :: d_step { isUp[a] && len(down[a]) > 0 -> down[a]?f; appTakes(a) }
    :: d_step { isUp[a] && lateDown?[eval(a),f] -> lateDown?eval(a),f; appTakes(a) }
    :: d_step { MAY_LOSE(a, down[a]) -> lose(down[a]) }
    :: d_step { MAY_REPEAT(a, down[a], lateDown) -> repeat(a, down[a], lateDown) }
    :: d_step { isUp[a] && len(inbox[a]) > 0 -> appHandles(a) }
    :: d_step {
        isUp[a] && tellUp[a] ->
        tellUp[a] = false; tellLost[a] = false;
#ifndef NO_LOST_CANCEL
        cancelFingers(a);
#endif
        appGreets(a)
    }
    :: d_step {
        isUp[a] && tellLost[a] ->
        tellLost[a] = false;
        if
        :: aState[a] != away ->
            aState[a] = away;
#ifndef NO_LOST_CANCEL
            cancelFingers(a)
#endif
        :: else
        fi
    }
    od
}

/* ==== input-kit ==== */

inline kitSays(kind_, phase_, name_) {
    kSent++;
    assert(kSent < NUMBERS);
    if
    :: serverUp ->
        assert(len(up[KIT]) < ROOM);
        g.kind = kind_; g.epoch = kEpoch; g.generation = generation[KIT];
        g.sequence = kSent; g.ack = kHeard; g.credit = 0;
        g.phase = phase_; g.which = 0; g.name = name_;
        printf("  input-kit -> server: %e e%d g%d #%d ack %d phase %d name %d\n", g.kind, g.epoch, g.generation,
            g.sequence, g.ack, g.phase, g.name);
        up[KIT]!g
    :: else
    fi
}

/* The process that knew the finger has ended: no answer comes, and the finger counts again from its next landing. */
inline kitForgets() {
    printf("input-kit forgets\n");
    kDown = false; kRestates = false;
    i = 0;
    do :: i < NUMBERS -> kNames[i] = 0; i++ :: else -> break od;
    i = 0
}

inline kitGreets() {
    printf("input-kit greets\n");
    kState = greeting;
#ifdef RENUMBERED
    kSent = 0; kHeard = 0; kAcknowledged = 0;
#endif
    kitSays(hello, 0, 0);
    kGreeting = kSent
}

/* A hello again, under its number. */
inline kitGreetsAgain() {
    kSent--;
    kitSays(hello, 0, 0)
}

inline kitTakes() {
    printf("input-kit hears: %e e%d #%d phase %d which %d name %d\n", f.kind, f.epoch, f.sequence, f.phase, f.which,
        f.name);
    if
    :: f.kind == hello && !(kState == open && f.epoch == kEpoch) ->
        if
        :: kState == away -> skip
#ifndef NO_HELLO_FENCING
        :: kState != away && (f.ack < kGreeting || f.epoch < kEpoch) -> skip
#endif
        :: else ->
            assert(f.epoch >= kEpoch);                                                   /* I7 */
            if :: kState == open -> kitForgets() :: else fi;
            kState = open;
            kEpoch = f.epoch; kHeard = f.sequence; kAcknowledged = f.ack; kCredit = f.credit
        fi
    :: kState == open && !(f.kind == hello && f.epoch != kEpoch) ->
        accept(kEpoch, kEpoch, kHeard);
        if
        :: verdict != IGNORED ->
            kAcknowledged = (f.ack > kAcknowledged -> f.ack : kAcknowledged);
            kCredit = f.credit
        :: else
        fi;
        if
        :: verdict != IGNORED && f.kind == handled ->
            assert(kNames[f.which] != 0 || f.phase == LOST);                             /* I4: asked, answered once */
            assert(f.name == 0 || f.name == kNames[f.which]);                            /* I4: of what was asked */
#ifndef NO_RESTATEMENT
            if :: f.phase == LOST && kNames[f.which] != 0 -> kRestates = true :: else fi;
#endif
            kNames[f.which] = 0
        :: verdict != IGNORED && f.kind == heard ->
            i = 0;
            do
            :: i < NUMBERS ->
                if
                :: kNames[i] != 0 && i <= f.ack && (f.which == 0 || i < f.which) ->
                    kNames[i] = 0;
#if !defined(NO_RESTATEMENT) && !defined(RESTATED_ONCE)
                    kRestates = true
#endif
                :: else
                fi;
                i++
            :: else -> break
            od
        :: else
        fi
    :: else
    fi
}

#define KIT_MAY_SEND (isUp[KIT] && kState == open && kSent - kAcknowledged < kCredit)
#ifndef STILL
#define KIT_WANTS (kScans < SCANS || (healed && kLast < 2))
#else
#define KIT_WANTS (kScans < SCANS)
#endif

inline kitScans(phase_) {
    kName++;
    assert(kName < NAMES);
    kitSays(scan, phase_, kName);
    kNames[kSent] = kName
}

inline kitPlays(phase_) { d_step { kDown = phase_ != ENDED; kScans++; kitScans(phase_) } }

proctype InputKit() {
end:
    do
    :: d_step { isUp[KIT] && len(down[KIT]) > 0 -> down[KIT]?f; kitTakes() }
    :: d_step { isUp[KIT] && lateDown?[KIT,f] -> lateDown?KIT,f; kitTakes() }
    :: d_step { MAY_LOSE(KIT, down[KIT]) -> lose(down[KIT]) }
    :: d_step { MAY_REPEAT(KIT, down[KIT], lateDown) -> repeat(KIT, down[KIT], lateDown) }
    /* Whatever the credit: it takes the place of what was lost. */
    :: d_step { isUp[KIT] && kState == open && kRestates -> kRestates = false; kitScans((kDown -> MOVED : EMPTY)) }
    :: atomic {
        KIT_MAY_SEND && !kRestates && KIT_WANTS ->
        if
        :: !healed && !kDown -> kitPlays(BEGAN)
        :: !healed && kDown -> if :: kitPlays(MOVED) :: kitPlays(ENDED) fi
        /* One whole stroke that no fault disturbs; if the end of a link was told in it, once more. */
        :: healed && !kDown -> kitPlays(BEGAN); kLast = 1
        :: healed && kDown -> kitPlays(ENDED); kLast = (kLast == 1 -> 2 : 0)
        fi
    }
    :: d_step {
        isUp[KIT] && tellUp[KIT] ->
        tellUp[KIT] = false; tellLost[KIT] = false;
        if :: kState == open -> kitForgets() :: else fi;
        kitGreets()
    }
    :: d_step {
        isUp[KIT] && tellLost[KIT] ->
        tellLost[KIT] = false;
        if :: kState != away -> kState = away; kitForgets() :: else fi
    }
    od
}

/* ==== the supervisor, and what it works against ==== */

inline drainFrames(queue) { do :: len(queue) > 0 -> queue?f :: else -> break od; true }

inline crashClient(c) {
    printf("%d dies\n", c);
    crashes--;
    d_step {
        isUp[c] = false; tellUp[c] = false; tellLost[c] = false;
        if :: serverUp -> tellGone[c] = true :: else fi;
        drainFrames(down[c]);
        if :: lateDown?[eval(c),f] -> lateDown?eval(c),f :: else fi;
        if
        :: c == KIT -> kState = away; kEpoch = 0; kSent = 0; kHeard = 0; kAcknowledged = 0; kCredit = 0; kGreeting = 0;
            kitForgets()
        :: else ->
            aState[c] = away; aEpoch[c] = 0; aSent[c] = 0; aHeard[c] = 0; aGreeting[c] = 0; aMissed[c] = 0;
            aLink[c] = 0; aFinger[c] = 0;
            aShown[c] = 0; aLast[c] = 0; aLastLink[c] = 0;
            do :: len(inbox[c]) > 0 -> inbox[c]?u,x,y,z,w :: else -> break od;
            true
        fi
    }
    /* What it had said may have left it, or not. */
    if :: true :: len(up[c]) > 0 -> d_step { drainFrames(up[c]) } fi
}

inline crashServer() {
    printf("server dies\n");
    crashes--;
    d_step {
        serverUp = false;
        j = 0;
        do
        :: j <= APPS ->
            tellUp[j] = false; tellLost[j] = isUp[j]; tellGone[j] = false;
            drainFrames(up[j]);
            sOpen[j] = false; sPeer[j] = 0; sSent[j] = 0; sHeard[j] = 0; sOpening[j] = 0; sMissed[j] = 0;
            do :: len(questions[j]) > 0 -> questions[j]?x,y :: else -> break od;
            do :: len(waiting[j]) > 0 -> waiting[j]?u,x,y,z :: else -> break od;
            j++
        :: else -> break
        od;
        i = 0;
        do :: i < NUMBERS -> sParts[i] = 0; sSaid[i] = 0; i++ :: else -> break od;
        sFront = 0; sFinger = lifted; sOwner = 0; sTouch = 0; sNext = 0; sFlying = 0; sFlushed = false; j = 0
    }
}

inline restartServer() {
    printf("server starts again\n");
    d_step {
        epoch++;
        serverUp = true;
        j = 0;
        do :: j <= APPS -> tellUp[j] = isUp[j]; j++ :: else -> break od;
        j = 0
    }
}

proctype Fate() {
end:
    do
    :: atomic { crashes > 0 && !healed && isUp[KIT] -> crashClient(KIT) }
    :: atomic { crashes > 0 && !healed && isUp[1] -> crashClient(1) }
#if APPS > 1
    :: atomic { crashes > 0 && !healed && isUp[2] -> crashClient(2) }
#endif
    :: atomic { crashes > 0 && !healed && serverUp -> crashServer() }
    :: atomic { !isUp[KIT] -> d_step { isUp[KIT] = true; generation[KIT]++; tellUp[KIT] = serverUp } }
    :: atomic { !isUp[1] -> d_step { isUp[1] = true; generation[1]++; tellUp[1] = serverUp } }
#if APPS > 1
    :: atomic { !isUp[2] -> d_step { isUp[2] = true; generation[2]++; tellUp[2] = serverUp } }
#endif
    :: atomic { !serverUp -> restartServer() }
    /* Another app, or the home screen, comes to front. */
    :: atomic {
        acts > 0 && !healed && serverUp -> acts--;
        if
        :: sFront != 0 -> d_step { revoke(); sFront = 0 }
#if APPS > 1
        :: sFront != 2 && sOpen[2] -> d_step { revoke(); sFront = 2 }
#endif
        :: sFront != 1 && sOpen[1] -> d_step { revoke(); sFront = 1 }
        :: else
        fi
    }
    :: atomic { !healed && kScans >= SCANS -> healed = true }
    od
}

/* ==== time ==== */

/* Long after anything else has happened: each process that waits for a message asks for it. */
#define KIT_WAITS (isUp[KIT] && kState == greeting)
#ifndef GREET_ONCE
#define APP_WAITS(a) (isUp[a] && aState[a] == greeting)
#else
#define APP_WAITS(a) false
#endif
#ifndef NO_PROBES
#define ASKED_APP(a) (sOpen[a] && len(questions[a]) > 0)
#define KIT_ASKED (isUp[KIT] && kState == open && (kSent > kAcknowledged || kWaits))
#else
#define ASKED_APP(a) false
#define KIT_ASKED false
#endif
#if APPS > 1
#define APPS_WAIT (APP_WAITS(1) || APP_WAITS(2))
#define APPS_ASKED (ASKED_APP(1) || ASKED_APP(2))
#else
#define APPS_WAIT APP_WAITS(1)
#define APPS_ASKED ASKED_APP(1)
#endif

inline look() {
    i = 0; kWaits = false;
    do :: i < NUMBERS -> kWaits = kWaits || kNames[i] != 0; i++ :: else -> break od;
    i = 0
}

proctype Time() {
    do
    :: timeout ->
        atomic {
            look();
            if
            :: KIT_WAITS || KIT_ASKED || APPS_WAIT || APPS_ASKED ->
                assert(crashes < CRASHES || losses < LOSSES || lates < LATES);  /* else no process has to ask */
                if :: KIT_WAITS -> kitGreetsAgain() :: KIT_ASKED -> kitSays(probe, 0, 0) :: else fi;
                j = 1;
                do
                :: j <= APPS ->
                    if :: APP_WAITS(j) -> appGreetsAgain(j) :: else fi;
                    if :: ASKED_APP(j) -> say(j, probe, 0, 0, 0) :: else fi;
                    j++
                :: else -> break
                od;
                j = 0
            :: else -> break
            fi
        }
    od;
    true;                       /* nothing will ever happen again */
    d_step {
        assert(healed && !KIT_WANTS && kState == open && sOpen[KIT] && kEpoch == epoch);
        assert(kDown || sFinger == lifted);
        assert(sFlying == 0);                                                            /* I4: nothing in flight */
        j = 1;
        do
        :: j <= APPS ->
            assert(aState[j] == open && sOpen[j] && aEpoch[j] == epoch);
            assert(sPeer[j] == generation[j]);
            assert(len(questions[j]) == 0 && len(waiting[j]) == 0);
            assert(aShown[j] == aFinger[j]);
            assert(aShown[j] == 0 || kDown && sOwner == j && sTouch == aShown[j]);       /* I1: every touch has ended */
            j++
        :: else -> break
        od;
        j = 0;
        /* I4: every scan was answered. */
        do :: j < NUMBERS -> assert(kNames[j] == 0); j++ :: else -> break od;
        j = 0;
        settled = true
    }
}

init {
    atomic {
        epoch = 1; serverUp = true;
        j = 0;
        do
        :: j <= APPS -> isUp[j] = true; generation[j] = 1; tellUp[j] = true; aState[j] = away; j++
        :: else -> break
        od;
        j = 0;
        run Server(KIT); run Server(1); run App(1); run InputKit(); run Fate(); run Time();
#if APPS > 1
        run Server(2); run App(2)
#endif
    }
}
