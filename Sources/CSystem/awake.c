// awake.c: one CPU for the threads of a process, and a thread that keeps it from sleeping.
//
//     hold    ─▶ generation: this thread at once, libzmq's threads before their next wait
//             ─▶ until: the spinner, which sleeps on the generation while there is no hold

#define _GNU_SOURCE
#include "awake.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Where threads may run without a hold, and the CPU of a hold; -1 until it is chosen.
static cpu_set_t usual;
static int chosen = -1;
static int has_spinner;
// Odd while the CPU is held.
static _Atomic uint32_t generation;
static _Atomic int64_t held_until;
// Whether the spinner runs, and whether it sleeps until the generation changes.
static _Atomic int is_spinning, is_asleep;
static __thread uint32_t followed;

static int is_held(uint32_t number) { return number & 1; }

void awake_follow(void) {
    uint32_t number = atomic_load_explicit(&generation, memory_order_acquire);
    if (number == followed) return;
    // A change that was taken back meanwhile needs no move.
    if (is_held(number) != is_held(followed)) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET((size_t)chosen, &one);
        // A CPU that is no longer allowed leaves the thread where it is.
        sched_setaffinity(0, sizeof one, is_held(number) ? &one : &usual);
    }
    followed = number;
}

static void rest(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// A longer gap than the threads of a touch cause, and the time until the CPU is tried again.
static const int64_t company_gap = 1000000;
static const struct timespec company_pause = {.tv_nsec = 100000000};

static int has_work(uint32_t number) {
    return is_held(number) && atomic_load(&generation) == number && system_clock() < atomic_load(&held_until);
}

static void *spin(void *ready) {
    struct sched_param none = {0};
    int outcome = sched_setscheduler(0, SCHED_IDLE, &none);
    system_name_thread("awake");
    has_spinner = outcome == 0;
    sem_post(ready);
    while (outcome == 0) {
        uint32_t number = atomic_load(&generation);
        // The end of the hold is read after this, and the hold reads this after it has set its end.
        atomic_store(&is_asleep, 1);
        if (!has_work(number)) syscall(SYS_futex, &generation, FUTEX_WAIT_PRIVATE, number, NULL, NULL, 0);
        atomic_store(&is_asleep, 0);
        if (!has_work(number)) continue;
        awake_follow();
        atomic_store(&is_spinning, 1);
        int has_company = 0;
        for (int64_t last = system_clock(), now; has_work(number) && !has_company; last = now) {
            for (int i = 0; i < 32; i++) rest();
            now = system_clock();
            has_company = now - last > company_gap;
        }
        atomic_store(&is_spinning, 0);
        // Another process keeps this CPU awake, and the share of this one must be left for its other threads.
        if (has_company) nanosleep(&company_pause, NULL);
    }
    return NULL;
}

static int start_spinner(void) {
    sem_t ready;
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&ready, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 << 10);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failure = pthread_create(&thread, &attributes, spin, &ready);
    pthread_attr_destroy(&attributes);
    // It has its policy before this process is confined.
    if (!failure) while (sem_wait(&ready) != 0) {}
    sem_destroy(&ready);
    errno = failure;
    return failure ? -1 : 0;
}

int awake_prepare(int spins) {
    if (sched_getaffinity(0, sizeof usual, &usual) != 0) return -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, &usual)) chosen = cpu;
    return spins && !has_spinner ? start_spinner() : 0;
}

void awake_hold(int64_t until) {
    if (chosen < 0) return;
    atomic_store(&held_until, until);
    uint32_t number = atomic_load(&generation);
    int wakes = has_spinner && atomic_load(&is_asleep);
    if (is_held(number) && !wakes) return;
    atomic_store(&generation, number + (is_held(number) ? 2 : 1));
    awake_follow();
    if (wakes) syscall(SYS_futex, &generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void awake_release(void) {
    if (!is_held(atomic_load(&generation))) return;
    atomic_fetch_add(&generation, 1);
    awake_follow();
}

int awake_held_cpu(void) { return is_held(atomic_load(&generation)) ? chosen : -1; }
int awake_is_spinning(void) { return atomic_load(&is_spinning); }

// MARK: Control groups

static int is_limited(const char *folder) {
    char path[PATH_MAX + 16], text[64] = "";
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 && strncmp(text, "max", 3) != 0;
}

int awake_is_rationed(void) {
    static const char root[] = "/sys/fs/cgroup";
    char folder[PATH_MAX] = "", line[PATH_MAX];
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups && fgets(line, sizeof line, groups))
        // The one line of version 2.
        if (strncmp(line, "0::/", 4) == 0) {
            line[strcspn(line, "\n")] = 0;
            snprintf(folder, sizeof folder, "%s%s", root, line + 3);
        }
    if (groups) fclose(groups);
    // A group has the limits of the groups around it.
    for (;;) {
        if (folder[0] && is_limited(folder)) return 1;
        char *end = strrchr(folder, '/');
        if (!end || (size_t)(end - folder) < sizeof root - 1) return 0;
        *end = 0;
    }
}
