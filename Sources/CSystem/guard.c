#define _GNU_SOURCE
#include "guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: The kernel's own

static int kernel_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags) {
    return (int)syscall(SYS_accept4, fd, address, size, flags);
}
static ssize_t kernel_recv(int fd, void *to, size_t size, int flags) {
    return syscall(SYS_recvfrom, fd, to, size, flags, NULL, NULL);
}

// MARK: State

enum { guard_limit = 64, event_limit = 64, refused_limit = 1024, descriptor_limit = 65536 };
// Of one guard. Memory of connections is never given back: an I/O thread that ends may still look at it.
enum { connection_limit = 1024 };

// ZMTP 3: a greeting, then frames of flags, length and body.
enum { greeting_size = 64, command_limit = 256, header_limit = 9 };
enum { flag_more = 1, flag_long = 2, flag_command = 4 };
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
    // Where the stream is; of the I/O thread alone.
    uint32_t greeted;
    uint8_t header[header_limit];
    uint32_t header_count;
    uint64_t body_left;
    uint8_t body[command_limit];
    uint32_t body_count;
    int is_command, is_ready;
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

static struct guard guards[guard_limit];
static pthread_mutex_t guards_lock = PTHREAD_MUTEX_INITIALIZER;
// By descriptor: the number of its guard and of its connection, plus one; 0 for none.
static _Atomic uint32_t owners[descriptor_limit];
// By descriptor: the cookie of the last connection there that had to make room. libzmq closes it when it reads the end,
// and is not to read what came before the end.
static _Atomic uint64_t evicted[descriptor_limit];

static struct guard *guard_of(int number) {
    return number >= 0 && number < guard_limit && atomic_load(&guards[number].is_open) ? &guards[number] : NULL;
}

static uint64_t cookie_of(int fd) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

// Called with the lock held.
static void note(struct guard *guard, int reason, int32_t pid, uint32_t uid) {
    if (guard->event_count > 0) {
        struct guard_event *last = &guard->events[(guard->first_event + guard->event_count - 1) % event_limit];
        if (last->reason == reason && last->pid == pid && last->uid == uid) {
            if (last->count < UINT32_MAX) last->count++;
            return;
        }
    }
    if (guard->event_count == event_limit) {
        guard->first_event = (guard->first_event + 1) % event_limit;
        guard->event_count--;
    }
    guard->events[(guard->first_event + guard->event_count++) % event_limit] =
        (struct guard_event){.reason = reason, .pid = pid, .uid = uid, .count = 1};
    eventfd_write(guard->wake, 1);
}

static uint32_t owner_of(const struct guard *guard, const struct connection *connection) {
    return ((uint32_t)(guard - guards) << 16 | (uint32_t)(connection - guard->connections)) + 1;
}

// The descriptor may be another connection's since, of this guard or of another: that one stays as it is.
// Called with the lock held.
static void forget(struct guard *guard, struct connection *connection) {
    int fd = atomic_exchange(&connection->fd, -1);
    uint32_t owner = owner_of(guard, connection);
    if (fd >= 0 && fd < descriptor_limit) atomic_compare_exchange_strong(&owners[fd], &owner, 0);
}

// Connections that libzmq has closed since: nobody tells of them, so they are looked for when room is needed.
// Called with the lock held.
static uint32_t sweep(struct guard *guard) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0) continue;
        if (cookie_of(connection->fd) == connection->cookie) count++;
        else forget(guard, connection);
    }
    return count;
}

static int is_refused(const struct guard *guard, int32_t pid) {
    for (size_t i = 0; i < guard->refused_count; i++)
        if (guard->refused[i] == pid) return 1;
    return 0;
}

// MARK: accept4

// A caller that no descriptor is left for: it is taken with the one that is kept for it, and hung up on, so that it does
// not wait for ever and nobody behind it does. Called with the lock held.
static void shed(struct guard *guard) {
    if (guard->spare < 0) return;
    close(guard->spare);
    int caller = kernel_accept4(guard->listener, NULL, NULL, SOCK_CLOEXEC);
    if (caller >= 0) {
        struct ucred who = {.uid = UINT32_MAX};
        socklen_t size = sizeof who;
        getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &who, &size);
        close(caller);
        note(guard, guard_no_descriptors, who.pid, who.uid);
    }
    guard->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// libzmq is told of its end as of any connection that its peer has closed. Called with the lock held.
static void evict(struct guard *guard, struct connection *connection) {
    atomic_store(&evicted[connection->fd], connection->cookie);
    shutdown(connection->fd, SHUT_RDWR);
    note(guard, guard_evicted, connection->pid, connection->uid);
    forget(guard, connection);
}

static uint64_t seconds_now(struct guard *guard) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec + atomic_load(&guard->ahead);
}

// Ends connections that had the time to show what they are and have not. Called with the lock held.
static void end_silent(struct guard *guard) {
    if (guard->limits.silence == 0) return;
    uint64_t now = seconds_now(guard);
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0 || atomic_load(&connection->is_proven)) continue;
        if (now - connection->accepted_at <= guard->limits.silence) continue;
        if (cookie_of(connection->fd) == connection->cookie) evict(guard, connection);
        else forget(guard, connection);
    }
}

// A place for a newcomer of this process; NULL and the reason where there is none. Called with the lock held.
static struct connection *place_for(struct guard *guard, int32_t pid, int *reason) {
    struct connection *free_place = NULL, *oldest = NULL;
    uint32_t of_process = 0;
    for (int is_swept = 0;; is_swept = 1) {
        free_place = oldest = NULL;
        of_process = 0;
        for (uint32_t i = 0; i < guard->limits.connections; i++) {
            struct connection *connection = &guard->connections[i];
            if (connection->fd < 0) {
                if (!free_place) free_place = connection;
                continue;
            }
            if (pid > 0 && connection->pid == pid) of_process++;
            int may_go = atomic_load(&connection->is_doomed) || !atomic_load(&connection->is_proven);
            if (may_go && (!oldest || connection->order < oldest->order)) oldest = connection;
        }
        int is_crowd = guard->limits.process_connections > 0 && of_process >= guard->limits.process_connections;
        if (free_place && !is_crowd) return free_place;
        if (is_swept) {
            if (is_crowd) {
                *reason = guard_process_share;
                return NULL;
            }
            break;
        }
        sweep(guard);
    }
    if (!oldest) {
        *reason = guard_door_share;
        return NULL;
    }
    evict(guard, oldest);
    return oldest;
}

static int admit(struct guard *guard, int caller) {
    struct ucred who = {.pid = 0, .uid = UINT32_MAX};
    socklen_t size = sizeof who;
    if (guard->limits.is_plain) getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &who, &size);
    int reason = 0;
    struct connection *place = NULL;
    if (guard->limits.only_user && who.uid != guard->limits.user) reason = guard_other_user;
    else if (is_refused(guard, who.pid) && who.pid > 0) reason = guard_refused_process;
    else if (caller >= descriptor_limit) reason = guard_door_share;
    else {
        end_silent(guard);
        place = place_for(guard, who.pid, &reason);
    }
    if (!place) {
        note(guard, reason, who.pid, who.uid);
        return 0;
    }
    atomic_store(&place->cookie, cookie_of(caller));
    place->pid = who.pid;
    place->uid = who.uid;
    place->order = guard->next_order++;
    place->accepted_at = seconds_now(guard);
    atomic_store(&place->is_proven, 0);
    atomic_store(&place->is_doomed, 0);
    atomic_store(&place->given, 0);
    atomic_store(&place->taken, 0);
    place->leaked_at = 0;
    place->greeted = place->header_count = place->body_count = 0;
    place->body_left = 0;
    place->is_command = place->is_ready = 0;
    atomic_store(&place->fd, caller);
    atomic_store(&owners[caller], owner_of(guard, place));
    return 1;
}

static struct guard *guard_at(int listener) {
    uint64_t cookie = 0;
    for (int i = 0; i < guard_limit; i++) {
        struct guard *guard = &guards[i];
        if (!atomic_load(&guard->is_open) || guard->listener != listener) continue;
        if (cookie == 0) cookie = cookie_of(listener);
        if (guard->listener_cookie == cookie) return guard;
    }
    return NULL;
}

int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags) {
    struct guard *guard = guard_at(listener);
    if (!guard) return kernel_accept4(listener, address, size, flags);
    pthread_mutex_lock(&guard->lock);
    if (!atomic_load(&guard->is_open)) {
        pthread_mutex_unlock(&guard->lock);
        return kernel_accept4(listener, address, size, flags);
    }
    int caller = -1, failure = EAGAIN;
    // libzmq is woken again for whoever still waits.
    for (int attempts = 0; attempts < 64; attempts++) {
        caller = kernel_accept4(listener, address, size, flags);
        if (caller < 0) {
            failure = errno;
            if (failure == EMFILE || failure == ENFILE) shed(guard);
            // libzmq ends the process for other errors than these, and there is none that it has to end for.
            if (failure != EAGAIN && failure != EINTR) failure = ECONNABORTED;
            break;
        }
        if (admit(guard, caller)) break;
        close(caller);
        caller = -1;
        failure = ECONNABORTED;
    }
    pthread_mutex_unlock(&guard->lock);
    if (caller < 0) errno = failure;
    return caller;
}

// MARK: recv

// The properties of a READY: whether they name a routing id. -1 where they are no properties.
static int names_itself(const uint8_t *body, uint32_t count) {
    uint32_t at = 6; // behind the command's own name
    while (at < count) {
        uint32_t name = body[at++];
        if (name == 0 || count - at < name + 4) return -1;
        const uint8_t *text = body + at;
        at += name;
        uint32_t value = (uint32_t)body[at] << 24 | (uint32_t)body[at + 1] << 16 | (uint32_t)body[at + 2] << 8 | body[at + 3];
        at += 4;
        if (count - at < value) return -1;
        if (name == 8 && strncasecmp((const char *)text, "Identity", 8) == 0 && value > 0) return 1;
        at += value;
    }
    return 0;
}

static int is_named(const struct connection *connection, const char *name) {
    return connection->body_count >= 5 && connection->body[0] == 4 && memcmp(connection->body + 1, name, 4) == 0;
}

static int end_command(struct connection *connection) {
    static const uint8_t ready[] = {5, 'R', 'E', 'A', 'D', 'Y'};
    // libzmq hands over other commands as messages, which nothing has counted.
    if (connection->is_ready)
        return is_named(connection, "PING") || is_named(connection, "PONG") ? 0 : guard_no_zmtp;
    if (connection->body_count < sizeof ready || memcmp(connection->body, ready, sizeof ready) != 0)
        return guard_no_zmtp;
    connection->is_ready = 1;
    int named = names_itself(connection->body, connection->body_count);
    return named < 0 ? guard_no_zmtp : named ? guard_named_itself : 0;
}

static int greet(struct connection *connection, uint8_t byte) {
    uint32_t at = connection->greeted++;
    if (at == 0) return byte == 0xff ? 0 : guard_no_zmtp;
    if (at == 9) return byte & 1 ? 0 : guard_no_zmtp;
    // A peer of before ZMTP 3 says its routing id in a message of its own.
    if (at == 10) return byte >= 3 ? 0 : guard_no_zmtp;
    return 0;
}

// A length that a connection claims may be anything; what is larger than its own limit ends it.
static void count_given(struct guard *guard, struct connection *connection, uint64_t length) {
    if (length > guard->limits.backlog) length = guard->limits.backlog;
    atomic_fetch_add(&connection->given, length + message_cost);
    atomic_fetch_add(&guard->waiting, (int64_t)(length + message_cost));
}

static void count_taken(struct guard *guard, uint64_t bytes) {
    // Never below zero: messages may be taken that were given before `waiting` was cleared.
    int64_t waiting = atomic_load(&guard->waiting);
    while (!atomic_compare_exchange_weak(&guard->waiting, &waiting,
                                         waiting > (int64_t)bytes ? waiting - (int64_t)bytes : 0)) {}
}

// The header is whole.
static int begin_frame(struct guard *guard, struct connection *connection) {
    uint8_t flags = connection->header[0];
    uint64_t length = 0;
    for (uint32_t i = 1; i < connection->header_count; i++) length = length << 8 | connection->header[i];
    if (flags & ~(flag_more | flag_long | flag_command)) return guard_no_zmtp;
    connection->is_command = (flags & flag_command) != 0;
    if (connection->is_command) {
        if (flags & flag_more || length > command_limit) return guard_no_zmtp;
    } else {
        if (!connection->is_ready) return guard_no_zmtp;
        if (flags & flag_more) return guard_multipart;
        count_given(guard, connection, length);
    }
    connection->body_left = length;
    connection->body_count = connection->header_count = 0;
    return length == 0 && connection->is_command ? end_command(connection) : 0;
}

static int inspect_plain(struct guard *guard, struct connection *connection, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count;) {
        int reason = 0;
        if (connection->greeted < greeting_size) {
            reason = greet(connection, bytes[i++]);
        } else if (connection->body_left > 0) {
            size_t part = connection->body_left < count - i ? (size_t)connection->body_left : count - i;
            if (connection->is_command) {
                memcpy(connection->body + connection->body_count, bytes + i, part);
                connection->body_count += (uint32_t)part;
            }
            connection->body_left -= part;
            i += part;
            if (connection->body_left == 0 && connection->is_command) reason = end_command(connection);
        } else {
            connection->header[connection->header_count++] = bytes[i++];
            uint32_t whole = connection->header[0] & flag_long ? 9 : 2;
            if (connection->header_count == whole) reason = begin_frame(guard, connection);
        }
        if (reason) return reason;
    }
    return 0;
}

// Frames are told apart though they cannot be read; what was taken of a connection tells that all before it has been.
static int inspect_sealed(struct guard *guard, struct connection *connection, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count;) {
        if (connection->greeted < greeting_size) {
            connection->greeted++;
            i++;
        } else if (connection->body_left > 0) {
            size_t part = connection->body_left < count - i ? (size_t)connection->body_left : count - i;
            connection->body_left -= part;
            i += part;
        } else {
            connection->header[connection->header_count++] = bytes[i++];
            uint32_t whole = connection->header[0] & flag_long ? 9 : 2;
            if (connection->header_count < whole) continue;
            uint64_t length = 0;
            for (uint32_t k = 1; k < whole; k++) length = length << 8 | connection->header[k];
            connection->header_count = 0;
            connection->body_left = length;
            count_given(guard, connection, length);
        }
    }
    uint64_t second = seconds_now(guard);
    if (connection->leaked_at == 0) connection->leaked_at = second;
    uint64_t leak = (second - connection->leaked_at) * pings_per_second;
    connection->leaked_at = second;
    uint64_t given = atomic_load(&connection->given), taken = atomic_load(&connection->taken);
    if (leak > 0 && given > taken) {
        if (leak > given - taken) leak = given - taken;
        atomic_fetch_add(&connection->taken, leak);
        count_taken(guard, leak);
    }
    return 0;
}

static struct connection *connection_of(int fd, struct guard **guard) {
    if (fd < 0 || fd >= descriptor_limit) return NULL;
    uint32_t owner = atomic_load_explicit(&owners[fd], memory_order_relaxed);
    if (owner == 0) return NULL;
    owner--;
    *guard = guard_of((int)(owner >> 16));
    if (!*guard) return NULL;
    struct connection *connection = &(*guard)->connections[owner & 0xffff];
    return connection->fd == fd ? connection : NULL;
}

static int is_evicted(int fd) {
    if (fd < 0 || fd >= descriptor_limit) return 0;
    uint64_t cookie = atomic_load_explicit(&evicted[fd], memory_order_relaxed);
    if (cookie == 0) return 0;
    if (cookie_of(fd) == cookie) return 1;
    atomic_compare_exchange_strong(&evicted[fd], &cookie, 0);
    return 0;
}

static uint64_t backlog_of(const struct connection *connection) {
    uint64_t given = atomic_load(&connection->given), taken = atomic_load(&connection->taken);
    return given > taken ? given - taken : 0;
}

// 1 if the connection is there still. Called with the lock held.
static int end_connection(struct connection *connection) {
    atomic_store(&connection->is_doomed, 1);
    if (connection->fd < 0 || cookie_of(connection->fd) != connection->cookie) return 0;
    shutdown(connection->fd, SHUT_RDWR);
    return 1;
}

// Whether all connections have sent too much. What ended connections have sent goes by being taken, so another one is not
// ended for it at once, but if there is as much again.
static int is_overfull(struct guard *guard) {
    int64_t limit = (int64_t)guard->limits.door_backlog;
    int64_t waiting = atomic_load_explicit(&guard->waiting, memory_order_relaxed);
    if (limit == 0 || waiting <= limit) return 0;
    int64_t ended = atomic_load(&guard->ended);
    return waiting > 2 * limit || waiting - (ended < waiting ? ended : waiting) > limit;
}

// Ends the connection that has sent most of what waits. 1 if that is the one that is being read, which its reader ends.
static int end_largest(struct guard *guard, const struct connection *reading) {
    pthread_mutex_lock(&guard->lock);
    struct connection *largest = NULL;
    uint64_t most = spared_backlog;
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0 || atomic_load(&connection->is_doomed) || backlog_of(connection) <= most) continue;
        most = backlog_of(connection);
        largest = connection;
    }
    if (largest) atomic_fetch_add(&guard->ended, (int64_t)backlog_of(largest));
    if (largest && largest != reading && end_connection(largest))
        note(guard, guard_door_backlog, largest->pid, largest->uid);
    pthread_mutex_unlock(&guard->lock);
    return largest && largest == reading;
}

ssize_t recv(int fd, void *to, size_t size, int flags) {
    struct guard *guard = NULL;
    struct connection *connection = connection_of(fd, &guard);
    // The number may have been given to another socket since.
    if (!connection || cookie_of(fd) != connection->cookie) {
        if (!is_evicted(fd)) return kernel_recv(fd, to, size, flags);
        errno = ECONNRESET;
        return -1;
    }
    if (atomic_load(&connection->is_doomed)) {
        errno = ECONNRESET;
        return -1;
    }
    ssize_t count = kernel_recv(fd, to, size, flags);
    if (count <= 0) return count;
    uint64_t before = atomic_load(&connection->given);
    int reason = guard->limits.is_plain ? inspect_plain(guard, connection, to, (size_t)count)
                                        : inspect_sealed(guard, connection, to, (size_t)count);
    if (!reason && backlog_of(connection) > guard->limits.backlog) reason = guard_backlog;
    if (!reason && is_overfull(guard) && end_largest(guard, connection)) reason = guard_door_backlog;
    if (!reason) return count;
    // libzmq is not given these.
    count_taken(guard, atomic_load(&connection->given) - before);
    atomic_store(&connection->is_doomed, 1);
    pthread_mutex_lock(&guard->lock);
    note(guard, reason, connection->pid, connection->uid);
    pthread_mutex_unlock(&guard->lock);
    errno = ECONNRESET;
    return -1;
}

// MARK: The listener's side

int guard_is_in_place(void) {
    return dlsym(RTLD_DEFAULT, "accept4") == (void *)accept4 && dlsym(RTLD_DEFAULT, "recv") == (void *)recv;
}

int guard_open(int listener, const struct guard_limits *limits) {
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int number = -1, failure = wake < 0 || spare < 0 ? errno : ENOSPC;
    pthread_mutex_lock(&guards_lock);
    for (int i = 0; i < guard_limit && wake >= 0 && spare >= 0 && number < 0; i++)
        if (!atomic_load(&guards[i].is_open)) number = i;
    struct guard *guard = number < 0 ? NULL : &guards[number];
    if (guard && !guard->is_made) {
        pthread_mutex_init(&guard->lock, NULL);
        guard->connections = calloc(connection_limit, sizeof *guard->connections);
        guard->is_made = guard->connections != NULL;
        if (!guard->is_made) {
            number = -1;
            failure = ENOMEM;
        }
    }
    if (number >= 0) {
        guard->listener = listener;
        guard->listener_cookie = cookie_of(listener);
        guard->limits = *limits;
        if (guard->limits.connections > connection_limit) guard->limits.connections = connection_limit;
        for (uint32_t i = 0; i < connection_limit; i++) guard->connections[i].fd = -1;
        guard->next_order = 0;
        atomic_store(&guard->ahead, 0);
        guard->spare = spare;
        guard->wake = wake;
        atomic_store(&guard->waiting, 0);
        atomic_store(&guard->ended, 0);
        guard->first_event = guard->event_count = 0;
        guard->refused_count = 0;
        atomic_store(&guard->is_open, 1);
    }
    pthread_mutex_unlock(&guards_lock);
    if (number >= 0) return number;
    if (wake >= 0) close(wake);
    if (spare >= 0) close(spare);
    errno = failure;
    return -1;
}

void guard_close(int number) {
    struct guard *guard = guard_of(number);
    if (!guard) return;
    pthread_mutex_lock(&guards_lock);
    pthread_mutex_lock(&guard->lock);
    atomic_store(&guard->is_open, 0);
    for (uint32_t i = 0; i < guard->limits.connections; i++)
        if (guard->connections[i].fd >= 0) forget(guard, &guard->connections[i]);
    close(guard->wake);
    if (guard->spare >= 0) close(guard->spare);
    guard->wake = guard->spare = -1;
    pthread_mutex_unlock(&guard->lock);
    pthread_mutex_unlock(&guards_lock);
}

int guard_descriptor(int number) {
    struct guard *guard = guard_of(number);
    return guard ? guard->wake : -1;
}

int guard_next(int number, struct guard_event *event) {
    struct guard *guard = guard_of(number);
    if (!guard) return 0;
    pthread_mutex_lock(&guard->lock);
    eventfd_t woken;
    eventfd_read(guard->wake, &woken);
    int is_there = guard->event_count > 0;
    if (is_there) {
        *event = guard->events[guard->first_event];
        guard->first_event = (guard->first_event + 1) % event_limit;
        guard->event_count--;
    }
    pthread_mutex_unlock(&guard->lock);
    return is_there;
}

void guard_hold(int number) {
    struct guard *guard = guard_of(number);
    if (guard) pthread_mutex_lock(&guard->lock);
}

void guard_release(int number, const int32_t *pids, size_t count) {
    struct guard *guard = guard_of(number);
    if (!guard) return;
    // The latest of too many.
    if (count > refused_limit) {
        pids += count - refused_limit;
        count = refused_limit;
    }
    if (count > 0) memcpy(guard->refused, pids, count * sizeof *pids);
    guard->refused_count = count;
    pthread_mutex_unlock(&guard->lock);
}

static struct connection *of_guard(int number, int fd) {
    struct guard *guard = NULL;
    struct connection *connection = connection_of(fd, &guard);
    return connection && guard == guard_of(number) ? connection : NULL;
}

void guard_prove(int number, int fd) {
    struct connection *connection = of_guard(number, fd);
    if (connection) atomic_store(&connection->is_proven, 1);
}

void guard_took(int number, int fd, size_t bytes) {
    struct guard *guard = guard_of(number);
    struct connection *connection = of_guard(number, fd);
    if (!guard) return;
    uint64_t size = bytes + message_cost;
    if (connection) {
        // No credit beyond what it has sent: the message may be of the last connection of this descriptor.
        uint64_t backlog = backlog_of(connection);
        // What an encrypted connection has sent before this message has been taken too, or was no message.
        if (!guard->limits.is_plain) size = backlog;
        atomic_fetch_add(&connection->taken, size < backlog ? size : backlog);
    }
    count_taken(guard, size);
}

void guard_took_all(int number) {
    struct guard *guard = guard_of(number);
    if (!guard || atomic_load_explicit(&guard->waiting, memory_order_relaxed) == 0) return;
    atomic_store(&guard->waiting, 0);
    atomic_store(&guard->ended, 0);
}

void guard_hang_up(int number, int fd) {
    struct connection *connection = of_guard(number, fd);
    if (!connection) return;
    pthread_mutex_lock(&guards[number].lock);
    end_connection(connection);
    pthread_mutex_unlock(&guards[number].lock);
}

uint32_t guard_count(int number) {
    struct guard *guard = guard_of(number);
    if (!guard) return 0;
    pthread_mutex_lock(&guard->lock);
    uint32_t count = sweep(guard);
    pthread_mutex_unlock(&guard->lock);
    return count;
}

void guard_advance(int number, uint32_t seconds) {
    struct guard *guard = guard_of(number);
    if (guard) atomic_fetch_add(&guard->ahead, seconds);
}

int guard_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
