// conditions.c: what a measurement sets and counts from outside: schedulers, CPUs that stay awake, counters of perf.

#define _GNU_SOURCE
#include "reference.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Counters

int reference_counter_open(uint32_t type, uint64_t event, int32_t thread, int inherits) {
    struct perf_event_attr attributes = {
        .type = type, .size = sizeof attributes, .config = event, .inherit = inherits != 0,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

uint64_t reference_counter_read(int counter) {
    uint64_t count = 0;
    if (counter < 0 || read(counter, &count, sizeof count) != sizeof count) return 0;
    return count;
}

// MARK: Scheduling

_Static_assert(sizeof(cpu_set_t) == sizeof((struct reference_scheduling *)NULL)->cpus, "a set of CPUs fits");

int reference_policy_fifo(void) { return SCHED_FIFO; }

int reference_scheduling_get(int32_t thread, struct reference_scheduling *scheduling) {
    struct sched_param parameters;
    cpu_set_t cpus;
    int policy = sched_getscheduler(thread);
    if (policy < 0 || sched_getparam(thread, &parameters) != 0) return -1;
    CPU_ZERO(&cpus);
    if (sched_getaffinity(thread, sizeof cpus, &cpus) != 0) return -1;
    *scheduling = (struct reference_scheduling){.policy = policy, .priority = parameters.sched_priority};
    memcpy(scheduling->cpus, &cpus, sizeof cpus);
    return 0;
}

int reference_scheduling_set(int32_t thread, const struct reference_scheduling *scheduling) {
    cpu_set_t cpus;
    memcpy(&cpus, scheduling->cpus, sizeof cpus);
    if (sched_setaffinity(thread, sizeof cpus, &cpus) != 0) return -1;
    struct sched_param parameters = {.sched_priority = scheduling->priority};
    return sched_setscheduler(thread, scheduling->policy, &parameters);
}

// MARK: CPUs that stay awake

struct reference_waker {
    pthread_t thread;
    int cpu;
    atomic_int is_stopped;
};

static void *spin(void *argument) {
    struct reference_waker *waker = argument;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)waker->cpu, &cpus);
    struct sched_param parameters = {0};
    // The policy first: as an ordinary thread it would delay others of this CPU.
    if (sched_setscheduler(0, SCHED_IDLE, &parameters) != 0 || sched_setaffinity(0, sizeof cpus, &cpus) != 0)
        return NULL;
    // Without a pause instruction, which may leave a virtual machine.
    while (!atomic_load_explicit(&waker->is_stopped, memory_order_relaxed)) {}
    return NULL;
}

struct reference_waker *reference_waker_start(int cpu) {
    struct reference_waker *waker = calloc(1, sizeof *waker);
    if (!waker) return NULL;
    waker->cpu = cpu;
    int failure = pthread_create(&waker->thread, NULL, spin, waker);
    if (!failure) return waker;
    free(waker);
    errno = failure;
    return NULL;
}

void reference_waker_stop(struct reference_waker *waker) {
    atomic_store(&waker->is_stopped, 1);
    pthread_join(waker->thread, NULL);
    free(waker);
}

int reference_hold_latency(void) {
    int device = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (device < 0) return -1;
    int32_t microseconds = 0;
    if (write(device, &microseconds, sizeof microseconds) == sizeof microseconds) return device;
    int error = errno;
    close(device);
    errno = error;
    return -1;
}
