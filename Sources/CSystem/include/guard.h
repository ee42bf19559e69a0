// guard.h: limits on the connections of libzmq's listening sockets.
//
// libzmq calls the C library's accept4 and recv by name, and a program's own functions of these names take precedence.
// The two functions here do the same as the C library's. For the connections of a guarded listening socket they first
// decide whether to accept the connection, and its bytes. Docs/Decisions/Guard.md has the reasons.
//
// A guard belongs to one listening socket. accept4 and recv run on libzmq's I/O thread; all other functions may be
// called on any thread.

#ifndef TOUCHLINE_GUARD_H
#define TOUCHLINE_GUARD_H

#include <stddef.h>
#include <stdint.h>

// The reason why a connection was refused or ended.
enum {
    guard_other_user = 1,   // its process belongs to another user
    guard_refused_process,  // its process is on the list of guard_release
    guard_process_share,    // its process has the maximum number of connections
    guard_door_share,       // the listener has the maximum number of connections, all proved
    guard_evicted,          // it was not proved, and a new connection arrived at the limit
    guard_no_descriptors,   // this process, or this machine, had no descriptor left
    guard_no_zmtp,          // not ZMTP 3, or an invalid frame
    guard_named_itself,     // it chose its own routing id
    guard_multipart,        // a message of more than one part
    guard_backlog,          // more bytes that the listener has not taken than its limit
    guard_door_backlog,     // it had the most bytes not taken when the total was over the limit
};

struct guard_event {
    int32_t reason;
    int32_t pid;    // 0 if the kernel reports none
    uint32_t uid;   // UINT32_MAX if the kernel reports none
    uint32_t count; // equal events in a row
};

struct guard_limits {
    uint32_t connections;         // of the listener, at once
    uint32_t process_connections; // of one process, at once; 0 for no such limit
    uint64_t backlog;             // bytes of one connection that the listener has not taken
    uint64_t door_backlog;        // bytes of all connections that the listener has not taken; 0 for no limit
    uint32_t silence;             // seconds before a new connection may replace one that is not proved; 0 for no limit
    int only_user;                // 1: only connections of `user`
    uint32_t user;
    int is_plain;                 // 1: frames are inspected; 0: they are encrypted, and only counted
};

// 1 if libzmq's calls arrive here: no other library of this process overrides them.
int guard_is_in_place(void);

// Guards a listening socket from here on. The number of the guard, or -1 (errno: ENOMEM, ENOSPC, or a descriptor's).
int guard_open(int listener, const struct guard_limits *limits);
void guard_close(int guard);

// A descriptor that is readable when there are events.
int guard_descriptor(int guard);
// Removes the next event: 1, or 0 if none waits.
int guard_next(int guard, struct guard_event *event);

// Between these two calls no connection is accepted. Afterwards the processes of `pids` are refused; the list replaces
// the earlier one.
void guard_hold(int guard);
void guard_release(int guard, const int32_t *pids, size_t count);

// Marks a connection as proved: it is not evicted.
void guard_prove(int guard, int connection);
// The listener has taken a message of `bytes` bytes of this connection from libzmq.
void guard_took(int guard, int connection, size_t bytes);
// The listener has taken all that libzmq had.
void guard_took_all(int guard);
// Ends this connection.
void guard_hang_up(int guard, int connection);
// The number of connections.
uint32_t guard_count(int guard);

// Moves the clock of this guard forward; for tests.
void guard_advance(int guard, uint32_t seconds);

// accept4 as libzmq calls it, but not blocking; for tests.
int guard_accept(int listener);

#endif
