// ring_link.c: two rings of fixed slots in shared memory, one for each direction, with one sender and one receiver.
//
//     sender     write the slot, head + 1; if the receiver sleeps: futex wake
//     receiver   head = tail: note that it sleeps, look once more, futex wait until head changes
//
// A system call happens only where a process sleeps or is woken. The receiver does not spin before it sleeps: on a
// shared CPU that would keep the sender from running, and between two scans at a rate any short spin is in vain. With
// `spins` it never sleeps.

#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { slot_count = 256, slot_size = 256, line_size = 64 };

_Static_assert(slot_size >= reference_packet_limit, "a packet fits into a slot");

// One direction. What the sender writes and what the receiver writes are in different cache lines.
struct lane {
    _Alignas(line_size) _Atomic uint32_t head;
    _Alignas(line_size) _Atomic uint32_t tail;
    _Alignas(line_size) _Atomic uint32_t is_asleep;
    _Alignas(line_size) unsigned char slots[slot_count][slot_size];
};

struct ring {
    struct lane to_middle, from_middle;
};

struct ring_link {
    struct link link;
    struct ring *ring;
    struct lane *out, *in;
    // Whether the receiver still reads the slot at its tail.
    int holds_slot;
};

// The futex is shared by processes, so the calls are not those for private ones.
static void futex_wait(_Atomic uint32_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static unsigned char *prepare(struct link *link) {
    struct lane *lane = ((struct ring_link *)link)->out;
    uint32_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);
    // A full ring is no case of a measurement of latency.
    while (head - atomic_load_explicit(&lane->tail, memory_order_acquire) == slot_count) sched_yield();
    return lane->slots[head % slot_count];
}

static int send_slot(struct link *link, size_t count) {
    (void)count;
    struct lane *lane = ((struct ring_link *)link)->out;
    // Sequentially consistent, as the receiver's pair of accesses: one of the two sees the other's write.
    atomic_fetch_add(&lane->head, 1);
    if (atomic_load(&lane->is_asleep) && atomic_exchange(&lane->is_asleep, 0)) futex_wake(&lane->head);
    return 0;
}

static const unsigned char *receive(struct link *link) {
    struct ring_link *self = (struct ring_link *)link;
    struct lane *lane = self->in;
    uint32_t tail = atomic_load_explicit(&lane->tail, memory_order_relaxed);
    if (self->holds_slot) atomic_store_explicit(&lane->tail, ++tail, memory_order_release);
    while (atomic_load_explicit(&lane->head, memory_order_acquire) == tail) {
        if (link->spins) {
            sched_yield();
            continue;
        }
        atomic_store(&lane->is_asleep, 1);
        if (atomic_load(&lane->head) == tail) futex_wait(&lane->head, tail);
        atomic_store_explicit(&lane->is_asleep, 0, memory_order_relaxed);
    }
    self->holds_slot = 1;
    return lane->slots[tail % slot_count];
}

static void close_link(struct link *link) {
    munmap(((struct ring_link *)link)->ring, sizeof(struct ring));
    free(link);
}

static const struct transport transport = {prepare, send_slot, receive, close_link};

int ring_link_create(void) {
    int memory = memfd_create("touchline-ring", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, sizeof(struct ring)) == 0) return memory;
    int error = errno;
    close(memory);
    errno = error;
    return -1;
}

struct link *ring_link_open(int memory, int is_middle, int spins) {
    struct ring_link *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    void *ring = mmap(NULL, sizeof(struct ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    if (ring == MAP_FAILED) {
        int error = errno;
        free(self);
        errno = error;
        return NULL;
    }
    self->link = (struct link){.transport = &transport, .spins = spins};
    self->ring = ring;
    self->out = is_middle ? &self->ring->from_middle : &self->ring->to_middle;
    self->in = is_middle ? &self->ring->to_middle : &self->ring->from_middle;
    return &self->link;
}
