// guard.h: what stands between libzmq and whoever connects to its listening sockets.
//
// libzmq takes its connections and its bytes from the C library by name (accept4, recv), and a program's own functions of
// these names come first. The two here do what the C library's do, and for a listening socket that is guarded they
// decide first whether a connection is let in and whether what it sends may go on. Why: Docs/Decisions/Guard.md.
//
// A guard belongs to one listening socket. accept4 and recv run on libzmq's I/O thread; everything else may be called
// on any thread.

#ifndef TOUCHLINE_GUARD_H
#define TOUCHLINE_GUARD_H

#include <stddef.h>
#include <stdint.h>

// Why a connection was refused, or ended.
enum {
    guard_other_user = 1,   // its process belongs to another user
    guard_refused_process,  // its process is on the list of guard_refuse
    guard_process_share,    // its process has as many connections as one may have
    guard_door_share,       // the door has as many connections as it may have, and all of them have proved themselves
    guard_evicted,          // it had not proved itself, and somebody else came when the door was full
    guard_no_descriptors,   // this process, or this machine, had no descriptor left
    guard_no_zmtp,          // not ZMTP 3, or a frame that ZMTP has not
    guard_named_itself,     // it chose its own routing id
    guard_multipart,        // a message of more than one part
    guard_backlog,          // more bytes than the listener has taken from libzmq
    guard_door_backlog,     // it had most of the bytes that the listener has not taken, when the door had too many
};

struct guard_event {
    int32_t reason;
    int32_t pid;    // 0 where the kernel names none
    uint32_t uid;   // UINT32_MAX where the kernel names none
    uint32_t count; // so many in a row, alike
};

struct guard_limits {
    uint32_t connections;         // at the door, at once
    uint32_t process_connections; // of one process, at once; 0 for no limit of its own
    uint64_t backlog;             // bytes of one connection that the listener has not taken
    uint64_t door_backlog;        // bytes of all connections that the listener has not taken; 0 for no limit
    uint32_t silence;             // seconds before a newcomer ends a connection that is not proved; 0 for no such limit
    int only_user;                // 1: connections of `user` alone
    uint32_t user;
    int is_plain;                 // 1: frames are looked at; 0: they are encrypted, and only counted
};

// 1 where libzmq's calls come here: no other library of this process stands before it.
int guard_is_in_place(void);

// Guards a listening socket from here on. The number of the guard, or -1 (errno: ENOMEM, ENOSPC, or a descriptor's).
int guard_open(int listener, const struct guard_limits *limits);
void guard_close(int guard);

// Readable when there are events.
int guard_descriptor(int guard);
// The next event: 1, or 0 when there is none.
int guard_next(int guard, struct guard_event *event);

// Between the two nobody is let in; from then on these processes are not, which replaces the list of before.
void guard_hold(int guard);
void guard_release(int guard, const int32_t *pids, size_t count);

// A connection is one of those the door is there for: it is not evicted.
void guard_prove(int guard, int connection);
// The listener has taken a message of so many bytes of this connection from libzmq.
void guard_took(int guard, int connection, size_t bytes);
// The listener has taken all that libzmq had.
void guard_took_all(int guard);
// Ends this connection.
void guard_hang_up(int guard, int connection);
// How many connections there are.
uint32_t guard_count(int guard);

// Puts the clock of this guard forward; for tests.
void guard_advance(int guard, uint32_t seconds);

// accept4 as libzmq calls it, but not blocking; for tests.
int guard_accept(int listener);

#endif
