// output_polls.c: libzmq's watch for room to write, without the calls that change nothing.
//
// Around a message libzmq asks the kernel to watch the connection for writing, sends, waits, is told at once that there
// is room, finds that it has nothing left to send, and takes the watch back: two epoll_ctl and one epoll_wait.
//
//     epoll_ctl (watch for writing)      ─▶ noted                 ─┐
//     send: all of it                    ─▶ noted                  │ none of these
//     epoll_wait                         ─▶ answered: writable     │ reaches the kernel
//     epoll_ctl (do not watch)           ─▶ as the kernel has it  ─┘ but the send
//
// Writable is answered only for a connection whose last send was accepted in full since libzmq asked. Any other change
// that was noted reaches the kernel before the next wait: a send that found no room, a connection that is being made.

#define _GNU_SOURCE
#include "awake.h"
#include "libzmq_state.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if ANSWERS_CALLS

enum { late_limit = 16 };

// An epoll instance of libzmq. Only the thread that waits for it uses it, from its first wait on. Its memory is never
// freed: it serves the next instance with this descriptor.
struct instance {
    _Atomic int is_open;
    // The descriptors whose watch the kernel does not have yet.
    int late[late_limit];
    int late_count;
    // Whether the last wait was answered without the kernel.
    int is_behind;
    // Whether its first wait has begun.
    int is_used;
};

// By descriptor: what libzmq watches it for, and what the kernel does.
struct watch {
    struct instance *instance;
    int epoll;
    uint32_t wanted, kept;
    epoll_data_t data;
    // Whether all bytes of the last send were accepted since libzmq asked for room.
    int has_sent;
};

static struct instance *_Atomic instances[answered_descriptors];
static struct watch watches[answered_descriptors];

static int is_known(int fd) { return fd >= 0 && fd < answered_descriptors; }

static struct instance *instance_of(int epoll) {
    if (!is_known(epoll)) return NULL;
    struct instance *instance = atomic_load_explicit(&instances[epoll], memory_order_acquire);
    return instance && atomic_load_explicit(&instance->is_open, memory_order_acquire) ? instance : NULL;
}

static int kernel_control(int epoll, int operation, int fd, struct epoll_event *event) {
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}

int libzmq_kernel_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    return (int)syscall(SYS_epoll_pwait, epoll, events, capacity, milliseconds, NULL, 8);
}

static void remove_late(struct instance *instance, int fd) {
    for (int i = 0; i < instance->late_count; i++)
        if (instance->late[i] == fd) {
            instance->late[i] = instance->late[--instance->late_count];
            return;
        }
}

// Notes a change for the next wait. 0 if too many are noted.
static int add_late(struct instance *instance, int fd) {
    for (int i = 0; i < instance->late_count; i++)
        if (instance->late[i] == fd) return 1;
    if (instance->late_count == late_limit) return 0;
    instance->late[instance->late_count++] = fd;
    return 1;
}

void libzmq_output_closes(int fd) {
    struct watch *watch = &watches[fd];
    if (watch->instance) remove_late(watch->instance, fd);
    watch->instance = NULL;
    struct instance *own = instance_of(fd);
    if (!own) return;
    libzmq_loop_ends(fd);
    atomic_store(&own->is_open, 0);
}

int libzmq_mailbox_of(int epoll, struct epoll_event *event) {
    struct instance *instance = instance_of(epoll);
    for (int fd = 0; instance && fd < answered_descriptors; fd++)
        if (watches[fd].instance == instance && libzmq_is_mailbox(fd)) {
            *event = (struct epoll_event){.events = EPOLLIN, .data = watches[fd].data};
            return fd;
        }
    return -1;
}

int epoll_create1(int flags) {
    int epoll = (int)syscall(SYS_epoll_create1, flags);
    if (!is_known(epoll) || !libzmq_is_caller(__builtin_return_address(0))) return epoll;
    struct instance *instance = atomic_load(&instances[epoll]);
    if (!instance) instance = calloc(1, sizeof *instance);
    if (!instance) return epoll;
    instance->late_count = instance->is_behind = instance->is_used = 0;
    atomic_store(&instance->is_open, 1);
    atomic_store(&instances[epoll], instance);
    return epoll;
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
    struct instance *instance = instance_of(epoll);
    if (!instance || !is_known(fd)) return kernel_control(epoll, operation, fd, event);
    struct watch *watch = &watches[fd];
    if (operation == EPOLL_CTL_MOD && watch->instance == instance) {
        watch->wanted = event->events;
        watch->data = event->data;
        watch->has_sent = 0;
        if (((watch->wanted ^ watch->kept) & ~(uint32_t)EPOLLOUT) == 0) {
            if (watch->wanted == watch->kept) {
                remove_late(instance, fd);
                return 0;
            }
            if (add_late(instance, fd)) return 0;
        }
    }
    int outcome = kernel_control(epoll, operation, fd, event);
    if (operation == EPOLL_CTL_DEL || outcome != 0) {
        if (watch->instance == instance) {
            remove_late(instance, fd);
            watch->instance = NULL;
        }
    } else {
        *watch = (struct watch){
            .instance = instance, .epoll = epoll, .wanted = event->events, .kept = event->events, .data = event->data};
        remove_late(instance, fd);
    }
    return outcome;
}

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    int is_watched = is_known(fd) && watches[fd].instance != NULL;
    // libzmq's threads block SIGPIPE, and the host, which may run their loop, does not.
    if (is_watched) flags |= MSG_NOSIGNAL;
    ssize_t sent = syscall(SYS_sendto, fd, bytes, size, flags, NULL, 0);
    if (is_watched) watches[fd].has_sent = sent == (ssize_t)size;
    return sent;
}

// Passes the noted changes to the kernel, or answers them. The number of answers.
static int settle(struct instance *instance, struct epoll_event *events, int capacity) {
    int answered = 0;
    for (int i = instance->late_count - 1; i >= 0; i--) {
        int fd = instance->late[i];
        struct watch *watch = &watches[fd];
        if ((watch->wanted & EPOLLOUT) && watch->has_sent && answered < capacity) {
            events[answered++] = (struct epoll_event){.events = EPOLLOUT, .data = watch->data};
            watch->has_sent = 0;
            continue;
        }
        struct epoll_event event = {.events = watch->wanted, .data = watch->data};
        kernel_control(watch->epoll, EPOLL_CTL_MOD, fd, &event);
        watch->kept = watch->wanted;
        remove_late(instance, fd);
    }
    return answered;
}

int epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    struct instance *instance = instance_of(epoll);
    if (!instance) return libzmq_kernel_wait(epoll, events, capacity, milliseconds);
    if (!instance->is_used) (instance->is_used = 1, libzmq_loop_begins(epoll));
    awake_follow();
    int answered = instance->late_count > 0 ? settle(instance, events, capacity) : 0;
    if (answered == 0) {
        instance->is_behind = 0;
        return libzmq_loop_wait(epoll, events, capacity, milliseconds);
    }
    // A connection with more and more to send must not keep the others from being read.
    int found = 0;
    if (instance->is_behind && answered < capacity)
        found = libzmq_kernel_wait(epoll, events + answered, capacity - answered, 0);
    instance->is_behind = !instance->is_behind;
    return answered + (found > 0 ? found : 0);
}

#endif
