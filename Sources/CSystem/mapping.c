// mapping.c: file mappings that survive the truncation of their file.

#define _GNU_SOURCE
#include "mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { limit = 256 };

// A free entry has the end 0. The handler reads entries at any time, so the end is set after the start and the cut.
static struct {
    atomic_uintptr_t start, end;
    atomic_int is_cut;
} mappings[limit];

static struct sigaction before;
static uintptr_t page_size;

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    int failure = errno;
    uintptr_t place = (uintptr_t)info->si_addr;
    for (int i = 0; i < limit; i++) {
        uintptr_t end = atomic_load(&mappings[i].end);
        if (place < atomic_load(&mappings[i].start) || place >= end) continue;
        // All pages up to the end: a file that lost this page has lost the pages after it.
        uintptr_t page = place / page_size * page_size;
        void *memory = mmap((void *)page, end - page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (memory == MAP_FAILED) break;
        atomic_store(&mappings[i].is_cut, 1);
        errno = failure;
        return;
    }
    // Not a guarded mapping: the previous handler is restored, and the same access raises the signal again.
    sigaction(signal, &before, NULL);
    errno = failure;
}

static int outcome;

static void install(void) {
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    outcome = sigaction(SIGBUS, &action, &before) == 0 ? 0 : errno;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

int system_mapping_guard(void *start, size_t size) {
    pthread_once(&once, install);
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < limit && found < 0 && outcome == 0; i++) {
        if (atomic_load(&mappings[i].end) != 0) continue;
        found = i;
        atomic_store(&mappings[i].is_cut, 0);
        atomic_store(&mappings[i].start, (uintptr_t)start);
        atomic_store(&mappings[i].end, (uintptr_t)start + size);
    }
    pthread_mutex_unlock(&lock);
    if (found < 0) errno = outcome != 0 ? outcome : ENOSPC;
    return found;
}

int system_mapping_is_cut(int mapping) { return atomic_load_explicit(&mappings[mapping].is_cut, memory_order_relaxed); }
void system_mapping_release(int mapping) { atomic_store(&mappings[mapping].end, 0); }
