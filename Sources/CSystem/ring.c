// ring.c: packets between two processes through shared memory. ring.h draws the memory.

#define _GNU_SOURCE
#include "ring.h"
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Headers before 2023 lack the flag.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

enum {
    word_size = 8,
    lane_words = ring_capacity / word_size,
    data_offset = 4096,
    seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW,
};

struct lane {
    _Alignas(128) _Atomic uint64_t head;
    _Alignas(128) _Atomic uint64_t tail;
    _Alignas(128) _Atomic uint32_t sleeps;
};

_Static_assert(sizeof(struct lane) == 384 && 2 * sizeof(struct lane) <= data_offset, "as ring.h draws it");
_Static_assert((ring_capacity & (ring_capacity - 1)) == 0, "the low bits of a position are the place in the lane");
_Static_assert(ring_capacity >= ring_packet_limit + word_size, "the largest packet fits");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2, "a lock would be in one process only");

static struct lane *lane_of(const struct ring_end *end, int number) { return (struct lane *)end->memory + number; }
static _Atomic uint64_t *words_of(const struct ring_end *end, int number) {
    return (_Atomic uint64_t *)((char *)end->memory + data_offset + (size_t)number * ring_capacity);
}

// MARK: Memory

int ring_create(void) {
    int memory = memfd_create("touchline-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    // Linux before 6.3 has no flag against execution. Children may map no memory for execution in any case.
    if (memory < 0 && errno == EINVAL) memory = memfd_create("touchline-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    // All pages exist from the start: no packet waits for the kernel to find one.
    int failure = ftruncate(memory, ring_size) != 0 ? errno : posix_fallocate(memory, 0, ring_size);
    if (!failure && fcntl(memory, F_ADD_SEALS, seals) != 0) failure = errno;
    if (!failure) return memory;
    close(memory);
    errno = failure;
    return -1;
}

/// A write to a bell whose reader has ended fails, and does not end this process.
static void ignore_closed_bells(void) {
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) != 0 || now.sa_handler != SIG_DFL) return;
    now = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &now, NULL);
}

int ring_open(struct ring_end *end, int memory, int lane) {
    struct stat status;
    if (fstat(memory, &status) != 0) return -1;
    int found = fcntl(memory, F_GET_SEALS);
    if (found < 0 || (found & seals) != seals || status.st_size != ring_size) {
        errno = EINVAL;
        return -1;
    }
    void *mapping = mmap(NULL, ring_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    if (mapping == MAP_FAILED) return -1;
    // The other end can give pages back to the kernel, which may have none when this end accesses them again.
    int guard = system_mapping_guard(mapping, ring_size);
    if (guard < 0) {
        int failure = errno;
        munmap(mapping, ring_size);
        errno = failure;
        return -1;
    }
    ignore_closed_bells();
    *end = (struct ring_end){.memory = mapping, .mapping = guard, .lane = lane != 0};
    return 0;
}

void ring_close(struct ring_end *end) {
    if (!end->memory) return;
    system_mapping_release(end->mapping);
    munmap(end->memory, ring_size);
    end->memory = NULL;
}

// MARK: Packets

/// Copies bytes to a lane, in whole words. The other end may read or write the same words at any time, so each access is
/// atomic; on the CPUs in use that is a plain load or store.
static void put(_Atomic uint64_t *words, uint64_t position, const void *bytes, size_t count) {
    const char *next = bytes;
    size_t index = position / word_size % lane_words;
    for (uint64_t word; count >= word_size; count -= word_size, next += word_size) {
        memcpy(&word, next, word_size);
        atomic_store_explicit(&words[index], word, memory_order_relaxed);
        index = (index + 1) % lane_words;
    }
    if (count > 0) {
        uint64_t word = 0;
        memcpy(&word, next, count);
        atomic_store_explicit(&words[index], word, memory_order_relaxed);
    }
}

static void get(_Atomic uint64_t *words, uint64_t position, void *bytes, size_t count) {
    char *next = bytes;
    size_t index = position / word_size % lane_words;
    for (; count >= word_size; count -= word_size, next += word_size) {
        uint64_t word = atomic_load_explicit(&words[index], memory_order_relaxed);
        memcpy(next, &word, word_size);
        index = (index + 1) % lane_words;
    }
    if (count > 0) {
        uint64_t word = atomic_load_explicit(&words[index], memory_order_relaxed);
        memcpy(next, &word, count);
    }
}

static int fail(struct ring_end *end, enum ring_fault fault, uint64_t value, uint64_t limit) {
    end->fault = fault;
    end->fault_value = value;
    end->fault_limit = limit;
    return ring_faulty;
}

static uint64_t space_for(uint64_t count) {
    return word_size + (count + word_size - 1) / word_size * word_size;
}

/// Reads how far the other end has taken what this end wrote.
static int read_tail(struct ring_end *end) {
    uint64_t tail = atomic_load_explicit(&lane_of(end, end->lane)->tail, memory_order_acquire);
    if (tail % word_size != 0) return fail(end, ring_fault_position, tail, word_size);
    // Between the last tail and what is written. The differences wrap like the positions.
    uint64_t most = end->written - end->written_and_taken;
    if (tail - end->written_and_taken > most)
        return fail(end, ring_fault_taken, tail - end->written_and_taken, most);
    end->written_and_taken = tail;
    return ring_done;
}

int ring_write(struct ring_end *end, const void *packet, size_t count) {
    if (end->fault) return ring_faulty;
    struct lane *lane = lane_of(end, end->lane);
    uint64_t space = space_for(count);
    if (space > ring_capacity - (end->written - end->written_and_taken)) {
        if (read_tail(end) == ring_faulty) return ring_faulty;
        if (space > ring_capacity - (end->written - end->written_and_taken)) return ring_not_now;
    }
    _Atomic uint64_t *words = words_of(end, end->lane);
    atomic_store_explicit(&words[end->written / word_size % lane_words], (uint64_t)count, memory_order_relaxed);
    put(words, end->written + word_size, packet, count);
    end->written += space;
    // This store and the load below are in one order with the store and the load of ring_sleep. So either the reader
    // finds the packet, or this end finds that the reader sleeps.
    atomic_store_explicit(&lane->head, end->written, memory_order_seq_cst);
    if (atomic_load_explicit(&lane->sleeps, memory_order_seq_cst) == 0) return ring_done;
    return atomic_exchange_explicit(&lane->sleeps, 0, memory_order_seq_cst) == 0 ? ring_done : ring_done_wake;
}

/// Reads how far the other end has written. The position is checked before it is believed.
static int read_head(struct ring_end *end, uint64_t head) {
    if (head % word_size != 0) return fail(end, ring_fault_position, head, word_size);
    if (head - end->read > ring_capacity) return fail(end, ring_fault_waiting, head - end->read, ring_capacity);
    end->readable = head;
    return ring_done;
}

int ring_read(struct ring_end *end, void *packet, size_t *count) {
    if (end->fault) return ring_faulty;
    struct lane *lane = lane_of(end, 1 - end->lane);
    if (end->readable == end->read) {
        uint64_t head = atomic_load_explicit(&lane->head, memory_order_acquire);
        if (read_head(end, head) == ring_faulty) return ring_faulty;
        if (end->readable == end->read) return ring_not_now;
    }
    _Atomic uint64_t *words = words_of(end, 1 - end->lane);
    uint64_t length = atomic_load_explicit(&words[end->read / word_size % lane_words], memory_order_relaxed);
    if (length == 0 || length > ring_packet_limit) return fail(end, ring_fault_length, length, ring_packet_limit);
    uint64_t space = space_for(length);
    if (space > end->readable - end->read) return fail(end, ring_fault_cut, space, end->readable - end->read);
    get(words, end->read + word_size, packet, length);
    end->read += space;
    atomic_store_explicit(&lane->tail, end->read, memory_order_release);
    *count = length;
    return ring_done;
}

int ring_sleep(struct ring_end *end) {
    if (end->fault || end->readable != end->read) return 0;
    struct lane *lane = lane_of(end, 1 - end->lane);
    atomic_store_explicit(&lane->sleeps, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&lane->head, memory_order_seq_cst) == end->read) return 1;
    atomic_store_explicit(&lane->sleeps, 0, memory_order_relaxed);
    return 0;
}

// MARK: The bell

int ring_bell_create(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

void ring_bell(int writing) {
    // A full pipe has signals that the other end has not taken, and a closed one has no other end: nothing to do.
    if (write(writing, "", 1) < 0) return;
}

int ring_bell_clear(int reading) {
    char signals[4096];
    ssize_t count = read(reading, signals, sizeof signals);
    return count > 0 ? (int)count : 0;
}
