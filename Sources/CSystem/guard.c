// guard.c: the half of a guard that libzmq calls: accept4 and recv, with the guard's limits.

#define _GNU_SOURCE
#include "guard_state.h"
#include "libzmq_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: Kernel calls

static int kernel_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags) {
    return (int)syscall(SYS_accept4, fd, address, size, flags);
}
static ssize_t kernel_recv(int fd, void *to, size_t size, int flags) {
    return syscall(SYS_recvfrom, fd, to, size, flags, NULL, NULL);
}

struct guard guards[guard_limit];
pthread_mutex_t guards_lock = PTHREAD_MUTEX_INITIALIZER;
// By descriptor: the numbers of its guard and its connection, plus one; 0 for none.
static _Atomic uint32_t owners[descriptor_limit];
// By descriptor: the cookie of the last connection there that was evicted. libzmq closes it when it reads the end, and
// must not read the bytes before the end.
static _Atomic uint64_t evicted[descriptor_limit];

struct guard *guard_at_number(int number) {
    return number >= 0 && number < guard_limit && atomic_load(&guards[number].is_open) ? &guards[number] : NULL;
}

uint64_t guard_cookie_of(int fd) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

// Adds an event, or counts it as a repetition of the last one. Called with the lock held.
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

void guard_forget(struct guard *guard, struct connection *connection) {
    int fd = atomic_exchange(&connection->fd, -1);
    uint32_t owner = owner_of(guard, connection);
    if (fd >= 0 && fd < descriptor_limit) atomic_compare_exchange_strong(&owners[fd], &owner, 0);
}

uint32_t guard_sweep(struct guard *guard) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0) continue;
        if (guard_cookie_of(connection->fd) == connection->cookie) count++;
        else guard_forget(guard, connection);
    }
    return count;
}

static int is_refused(const struct guard *guard, int32_t pid) {
    for (size_t i = 0; i < guard->refused_count; i++)
        if (guard->refused[i] == pid) return 1;
    return 0;
}

// MARK: accept4

// Accepts and closes a connection for which no descriptor is left, with a spare descriptor. Otherwise it would wait
// forever and block the connections behind it. Called with the lock held.
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

// Ends a connection to make room. libzmq sees its end as if the peer had closed it. Called with the lock held.
static void evict(struct guard *guard, struct connection *connection) {
    atomic_store(&evicted[connection->fd], connection->cookie);
    shutdown(connection->fd, SHUT_RDWR);
    note(guard, guard_evicted, connection->pid, connection->uid);
    guard_forget(guard, connection);
}

static uint64_t seconds_now(struct guard *guard) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec + atomic_load(&guard->ahead);
}

// Ends connections that have not proved themselves in time. Called with the lock held.
static void end_silent(struct guard *guard) {
    if (guard->limits.silence == 0) return;
    uint64_t now = seconds_now(guard);
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0 || atomic_load(&connection->is_proven)) continue;
        if (now - connection->accepted_at <= guard->limits.silence) continue;
        if (guard_cookie_of(connection->fd) == connection->cookie) evict(guard, connection);
        else guard_forget(guard, connection);
    }
}

// A free entry for a new connection of this process; NULL and the reason if there is no room. Called with the lock
// held.
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
        guard_sweep(guard);
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
    atomic_store(&place->cookie, guard_cookie_of(caller));
    place->pid = who.pid;
    place->uid = who.uid;
    place->order = guard->next_order++;
    place->accepted_at = seconds_now(guard);
    atomic_store(&place->is_proven, 0);
    atomic_store(&place->is_doomed, 0);
    atomic_store(&place->given, 0);
    atomic_store(&place->taken, 0);
    place->leaked_at = 0;
    memset(&place->stream, 0, sizeof place->stream);
    atomic_store(&place->fd, caller);
    atomic_store(&owners[caller], owner_of(guard, place));
    return 1;
}

static struct guard *guard_at(int listener) {
    uint64_t cookie = 0;
    for (int i = 0; i < guard_limit; i++) {
        struct guard *guard = &guards[i];
        if (!atomic_load(&guard->is_open) || guard->listener != listener) continue;
        if (cookie == 0) cookie = guard_cookie_of(listener);
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
    // After 64 attempts libzmq is woken again for the connections that still wait.
    for (int attempts = 0; attempts < 64; attempts++) {
        caller = kernel_accept4(listener, address, size, flags);
        if (caller < 0) {
            failure = errno;
            if (failure == EMFILE || failure == ENFILE) shed(guard);
            // Other errors make libzmq abort the process, and none of them justifies that.
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

void guard_count_taken(struct guard *guard, uint64_t bytes) {
    // Never below zero: taken messages may have been counted before `waiting` was cleared.
    int64_t waiting = atomic_load(&guard->waiting);
    while (!atomic_compare_exchange_weak(&guard->waiting, &waiting,
                                         waiting > (int64_t)bytes ? waiting - (int64_t)bytes : 0)) {}
}

uint64_t guard_backlog_of(const struct connection *connection) {
    uint64_t given = atomic_load(&connection->given), taken = atomic_load(&connection->taken);
    return given > taken ? given - taken : 0;
}

// Counts some bytes a second of an encrypted connection as taken. A taken message shows that all earlier bytes are
// taken too, but frames that are no messages are never taken.
static void leak(struct guard *guard, struct connection *connection) {
    uint64_t second = seconds_now(guard);
    if (connection->leaked_at == 0) connection->leaked_at = second;
    uint64_t bytes = (second - connection->leaked_at) * pings_per_second;
    connection->leaked_at = second;
    uint64_t backlog = guard_backlog_of(connection);
    if (bytes > backlog) bytes = backlog;
    if (bytes == 0) return;
    atomic_fetch_add(&connection->taken, bytes);
    guard_count_taken(guard, bytes);
}

// Inspects the bytes that were just read. 0, or the reason why the connection ends.
static int inspect(struct guard *guard, struct connection *connection, const uint8_t *bytes, size_t count) {
    // A peer may claim any length; a length above its limit ends the connection.
    struct zmtp_messages messages = {.length_limit = guard->limits.backlog};
    int is_plain = guard->limits.is_plain;
    enum zmtp_fault fault = is_plain ? zmtp_inspect(&connection->stream, bytes, count, &messages) : zmtp_no_fault;
    if (!is_plain) zmtp_measure(&connection->stream, bytes, count, &messages);
    // libzmq receives no bytes with a fault.
    if (fault == zmtp_malformed) return guard_no_zmtp;
    if (fault == zmtp_names_itself) return guard_named_itself;
    if (fault == zmtp_multipart) return guard_multipart;
    uint64_t given = messages.bytes + messages.count * message_cost;
    atomic_fetch_add(&connection->given, given);
    atomic_fetch_add(&guard->waiting, (int64_t)given);
    if (!is_plain) leak(guard, connection);
    return 0;
}

struct connection *guard_connection_of(int fd, struct guard **guard) {
    if (fd < 0 || fd >= descriptor_limit) return NULL;
    uint32_t owner = atomic_load_explicit(&owners[fd], memory_order_relaxed);
    if (owner == 0) return NULL;
    owner--;
    *guard = guard_at_number((int)(owner >> 16));
    if (!*guard) return NULL;
    struct connection *connection = &(*guard)->connections[owner & 0xffff];
    return connection->fd == fd ? connection : NULL;
}

void guard_closes(int fd) {
    if (fd < 0 || fd >= descriptor_limit) return;
    atomic_store(&owners[fd], 0);
    atomic_store(&evicted[fd], 0);
}

// Whether a connection is still the one that was accepted with its descriptor. Where closes are seen, it is.
static int is_current(int fd, uint64_t cookie) { return libzmq_closes_are_seen || guard_cookie_of(fd) == cookie; }

static int is_evicted(int fd) {
    if (fd < 0 || fd >= descriptor_limit) return 0;
    uint64_t cookie = atomic_load_explicit(&evicted[fd], memory_order_relaxed);
    if (cookie == 0) return 0;
    if (is_current(fd, cookie)) return 1;
    atomic_compare_exchange_strong(&evicted[fd], &cookie, 0);
    return 0;
}

int guard_end(struct connection *connection) {
    atomic_store(&connection->is_doomed, 1);
    if (connection->fd < 0 || guard_cookie_of(connection->fd) != connection->cookie) return 0;
    shutdown(connection->fd, SHUT_RDWR);
    return 1;
}

// Whether all connections together have sent too much. The bytes of ended connections disappear only when they are
// taken. So another connection is ended only if as many bytes wait again.
static int is_overfull(struct guard *guard) {
    int64_t limit = (int64_t)guard->limits.door_backlog;
    int64_t waiting = atomic_load_explicit(&guard->waiting, memory_order_relaxed);
    if (limit == 0 || waiting <= limit) return 0;
    int64_t ended = atomic_load(&guard->ended);
    return waiting > 2 * limit || waiting - (ended < waiting ? ended : waiting) > limit;
}

// Ends the connection with the most waiting bytes. 1 if that is `reading`, which the caller ends itself.
static int end_largest(struct guard *guard, const struct connection *reading) {
    pthread_mutex_lock(&guard->lock);
    struct connection *largest = NULL;
    uint64_t most = spared_backlog;
    for (uint32_t i = 0; i < guard->limits.connections; i++) {
        struct connection *connection = &guard->connections[i];
        if (connection->fd < 0 || atomic_load(&connection->is_doomed) || guard_backlog_of(connection) <= most) continue;
        most = guard_backlog_of(connection);
        largest = connection;
    }
    if (largest) atomic_fetch_add(&guard->ended, (int64_t)guard_backlog_of(largest));
    if (largest && largest != reading && guard_end(largest))
        note(guard, guard_door_backlog, largest->pid, largest->uid);
    pthread_mutex_unlock(&guard->lock);
    return largest && largest == reading;
}

ssize_t recv(int fd, void *to, size_t size, int flags) {
    struct guard *guard = NULL;
    struct connection *connection = guard_connection_of(fd, &guard);
    // The descriptor may belong to another socket by now.
    if (!connection || !is_current(fd, connection->cookie)) {
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
    int reason = inspect(guard, connection, to, (size_t)count);
    if (!reason && guard_backlog_of(connection) > guard->limits.backlog) reason = guard_backlog;
    if (!reason && is_overfull(guard) && end_largest(guard, connection)) reason = guard_door_backlog;
    if (!reason) return count;
    // libzmq does not receive these bytes.
    guard_count_taken(guard, atomic_load(&connection->given) - before);
    atomic_store(&connection->is_doomed, 1);
    pthread_mutex_lock(&guard->lock);
    note(guard, reason, connection->pid, connection->uid);
    pthread_mutex_unlock(&guard->lock);
    errno = ECONNRESET;
    return -1;
}
