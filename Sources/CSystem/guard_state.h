// guard_state.h: the state of a guard, shared by libzmq's half (guard.c) and the listener's half (guard_listener.c).

#ifndef TOUCHLINE_GUARD_STATE_H
#define TOUCHLINE_GUARD_STATE_H

#include "guard.h"
#include "zmtp.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { guard_limit = 64, event_limit = 64, refused_limit = 1024, descriptor_limit = 65536 };
// The connections of one guard. Their memory is never freed: an ending I/O thread may still read it.
enum { connection_limit = 1024 };

// The bytes that libzmq keeps for a message besides its content.
enum { message_cost = 64 };
// An encrypted connection also sends heartbeats: at most this many bytes a second.
enum { pings_per_second = 1024 };
// A connection with less than one large message is not ended because of the total.
enum { spared_backlog = 128 << 10 };

struct connection {
    // -1: free. Every thread that reads from any socket reads these two without the lock.
    _Atomic int fd;
    _Atomic uint64_t cookie;
    int32_t pid;
    uint32_t uid;
    uint64_t order;
    // By the clock of the guard, in seconds.
    uint64_t accepted_at;
    _Atomic int is_proven, is_doomed;
    // Bytes that libzmq has received, and bytes that the listener has taken.
    _Atomic uint64_t given, taken;
    uint64_t leaked_at;
    // Only the I/O thread uses this.
    struct zmtp_stream stream;
};

struct guard {
    _Atomic int is_open;
    int listener;
    // Identifies the listener: another listener may get the same descriptor before this guard is closed.
    uint64_t listener_cookie;
    struct guard_limits limits;
    pthread_mutex_t lock;
    int is_made;
    struct connection *connections;
    uint64_t next_order;
    // Seconds by which its clock is ahead of CLOCK_MONOTONIC_COARSE; 0 outside tests.
    _Atomic uint64_t ahead;
    int spare;
    int wake;
    // Bytes of all connections that the listener has not taken, also of ended ones: libzmq keeps their messages.
    _Atomic int64_t waiting;
    // An upper bound of the waiting bytes of connections that were ended because of the total.
    _Atomic int64_t ended;
    struct guard_event events[event_limit];
    unsigned first_event;
    // Changed with the lock held.
    _Atomic unsigned event_count;
    int32_t refused[refused_limit];
    size_t refused_count;
};

#pragma GCC visibility push(hidden)

extern struct guard guards[guard_limit];
extern pthread_mutex_t guards_lock;

// NULL for a guard that is not open.
struct guard *guard_at_number(int number);
// NULL for a descriptor of no guard.
struct connection *guard_connection_of(int fd, struct guard **guard);
uint64_t guard_cookie_of(int fd);
// The descriptor is about to be closed: the next connection with it is another one.
void guard_closes(int fd);
// Removes a connection. Its descriptor may belong to another connection by now, which stays. Called with the lock held.
void guard_forget(struct guard *guard, struct connection *connection);
// Removes connections that libzmq has closed and returns the number of the others. libzmq does not report a close, so
// this runs when room is needed. Called with the lock held.
uint32_t guard_sweep(struct guard *guard);
// Bytes that the listener has not taken.
uint64_t guard_backlog_of(const struct connection *connection);
void guard_count_taken(struct guard *guard, uint64_t bytes);
// 1 if the connection still existed. Called with the lock held.
int guard_end(struct connection *connection);

#pragma GCC visibility pop

#endif
