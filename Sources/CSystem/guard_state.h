// guard_state.h: what the two halves of a guard share: the half that libzmq calls (guard.c) and the listener's (guard_listener.c).

#ifndef TOUCHLINE_GUARD_STATE_H
#define TOUCHLINE_GUARD_STATE_H

#include "guard.h"
#include "zmtp.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { guard_limit = 64, event_limit = 64, refused_limit = 1024, descriptor_limit = 65536 };
// Of one guard. Memory of connections is never given back: an I/O thread that ends may still look at it.
enum { connection_limit = 1024 };

// What libzmq keeps for a message beside its bytes.
enum { message_cost = 64 };
// A connection that is encrypted says, besides its messages, that it is there: so many bytes a second at most.
enum { pings_per_second = 1024 };
// A connection with less than one large message is not ended for what all connections have sent.
enum { spared_backlog = 128 << 10 };

struct connection {
    // -1: free. These two are read without the lock, by every thread that reads from any socket.
    _Atomic int fd;
    _Atomic uint64_t cookie;
    int32_t pid;
    uint32_t uid;
    uint64_t order;
    // By the clock of the guard, in seconds.
    uint64_t accepted_at;
    _Atomic int is_proven, is_doomed;
    // Bytes: what libzmq was given, and what the listener took.
    _Atomic uint64_t given, taken;
    uint64_t leaked_at;
    // Of the I/O thread alone.
    struct zmtp_stream stream;
};

struct guard {
    _Atomic int is_open;
    int listener;
    // Of its listener: another listener may have the same descriptor before this guard is closed.
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
    // Bytes of all connections that the listener has not taken, also of those that have ended: libzmq keeps their messages.
    _Atomic int64_t waiting;
    // Those of connections that were ended for what all had sent, at most.
    _Atomic int64_t ended;
    struct guard_event events[event_limit];
    unsigned first_event, event_count;
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
// The descriptor may be another connection's since, of this guard or of another: that one stays as it is.
// Called with the lock held.
void guard_forget(struct guard *guard, struct connection *connection);
// Connections that libzmq has closed since: no function tells of them, so they are looked for when room is needed.
// Called with the lock held.
uint32_t guard_sweep(struct guard *guard);
// Bytes that the listener has not taken.
uint64_t guard_backlog_of(const struct connection *connection);
void guard_count_taken(struct guard *guard, uint64_t bytes);
// 1 if the connection is there still. Called with the lock held.
int guard_end(struct connection *connection);

#pragma GCC visibility pop

#endif
