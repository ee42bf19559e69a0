// guard_listener.c: the half of a guard that the listener calls.

#define _GNU_SOURCE
#include "guard_state.h"
#include "libzmq_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int guard_is_in_place(void) {
    return dlsym(RTLD_DEFAULT, "accept4") == (void *)accept4 && dlsym(RTLD_DEFAULT, "recv") == (void *)recv
        && (!libzmq_closes_are_seen || dlsym(RTLD_DEFAULT, "close") == (void *)close);
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
        guard->listener_cookie = guard_cookie_of(listener);
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
    struct guard *guard = guard_at_number(number);
    if (!guard) return;
    pthread_mutex_lock(&guards_lock);
    pthread_mutex_lock(&guard->lock);
    atomic_store(&guard->is_open, 0);
    for (uint32_t i = 0; i < guard->limits.connections; i++)
        if (guard->connections[i].fd >= 0) guard_forget(guard, &guard->connections[i]);
    close(guard->wake);
    if (guard->spare >= 0) close(guard->spare);
    guard->wake = guard->spare = -1;
    pthread_mutex_unlock(&guard->lock);
    pthread_mutex_unlock(&guards_lock);
}

int guard_descriptor(int number) {
    struct guard *guard = guard_at_number(number);
    return guard ? guard->wake : -1;
}

int guard_next(int number, struct guard_event *event) {
    struct guard *guard = guard_at_number(number);
    // The listener asks whenever packets arrive, and a refusal is rare. A refusal that comes now wakes the listener.
    if (!guard || atomic_load(&guard->event_count) == 0) return 0;
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
    struct guard *guard = guard_at_number(number);
    if (guard) pthread_mutex_lock(&guard->lock);
}

void guard_release(int number, const int32_t *pids, size_t count) {
    struct guard *guard = guard_at_number(number);
    if (!guard) return;
    // Beyond the limit, only the latest ones.
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
    struct connection *connection = guard_connection_of(fd, &guard);
    return connection && guard == guard_at_number(number) ? connection : NULL;
}

void guard_prove(int number, int fd) {
    struct connection *connection = of_guard(number, fd);
    if (connection) atomic_store(&connection->is_proven, 1);
}

void guard_took(int number, int fd, size_t bytes) {
    struct guard *guard = guard_at_number(number);
    struct connection *connection = of_guard(number, fd);
    if (!guard) return;
    uint64_t size = bytes + message_cost;
    if (connection) {
        // At most the backlog is credited: the message may belong to an earlier connection of this descriptor.
        uint64_t backlog = guard_backlog_of(connection);
        // All bytes that an encrypted connection sent before this message are taken, or belong to no message.
        if (!guard->limits.is_plain) size = backlog;
        atomic_fetch_add(&connection->taken, size < backlog ? size : backlog);
    }
    guard_count_taken(guard, size);
}

void guard_took_all(int number) {
    struct guard *guard = guard_at_number(number);
    if (!guard || atomic_load_explicit(&guard->waiting, memory_order_relaxed) == 0) return;
    atomic_store(&guard->waiting, 0);
    atomic_store(&guard->ended, 0);
}

void guard_hang_up(int number, int fd) {
    struct connection *connection = of_guard(number, fd);
    if (!connection) return;
    pthread_mutex_lock(&guards[number].lock);
    guard_end(connection);
    pthread_mutex_unlock(&guards[number].lock);
}

uint32_t guard_count(int number) {
    struct guard *guard = guard_at_number(number);
    if (!guard) return 0;
    pthread_mutex_lock(&guard->lock);
    uint32_t count = guard_sweep(guard);
    pthread_mutex_unlock(&guard->lock);
    return count;
}

void guard_advance(int number, uint32_t seconds) {
    struct guard *guard = guard_at_number(number);
    if (guard) atomic_fetch_add(&guard->ahead, seconds);
}

int guard_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
