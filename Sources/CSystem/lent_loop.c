// lent_loop.c: the loop of libzmq's I/O thread, run by the thread of the host while that waits.
//
// libzmq gives each process an I/O thread. A frame then wakes three threads on each link. Here the thread stops inside
// its epoll_wait with its stack as it is, and the host's thread, which watches the same epoll instance, continues on
// that stack whenever something is ready:
//
//     I/O thread   loop ─▶ epoll_wait ─▶ parked; the thread itself sleeps beside its stack
//     host         its wait ─▶ ready ─▶ switch to the stack ─▶ loop: receive, send ─▶ epoll_wait ─▶ switch back
//
// The thread goes on by itself for the timers of libzmq (heartbeats), and when the host is busy for longer than
// `absence`: then it serves its loop until the host comes back. All signals between the two stay in the kernel, so each
// of them finds what is ready whoever runs the loop.
//
// libzmq compares the running thread with its own (pthread_self), which is therefore answered here. It keeps nothing else
// of a thread across its wait: no lock, and errno only for a wait that failed, which is not reported.

#define _GNU_SOURCE
#include "awake.h"
#include "libzmq_state.h"
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if ANSWERS_CALLS && (defined(__x86_64__) || defined(__aarch64__))

// Saves the registers that a function preserves on this stack, its position in `from`, and continues on another stack.
void libzmq_switch_stacks(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n"
        ".hidden libzmq_switch_stacks\n"
        ".globl libzmq_switch_stacks\n"
        ".type libzmq_switch_stacks, @function\n"
        "libzmq_switch_stacks:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size libzmq_switch_stacks, . - libzmq_switch_stacks\n");
// The saved registers, the address to continue at, and the alignment of a function's first instruction.
enum { saved_words = 6, return_word = 6, first_words = 8 };
#else
__asm__(".text\n"
        ".hidden libzmq_switch_stacks\n"
        ".globl libzmq_switch_stacks\n"
        ".type libzmq_switch_stacks, %function\n"
        "libzmq_switch_stacks:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size libzmq_switch_stacks, . - libzmq_switch_stacks\n");
enum { saved_words = 20, return_word = 11, first_words = 20 };
#endif

// Who runs the loop. The parked loop is run by the one who changes `parked`.
enum holder { parked, held_by_host, held_by_thread };

// How long the host may be in one turn before the thread serves its loop, in nanoseconds.
static const int64_t absence = 20000000;
// How much earlier than the thread's alarm a timer of libzmq must be due for the thread to be woken.
static const int64_t slack = 5000000;

static struct {
    // The epoll instance of the loop, its mailbox with the event that reports it, and its thread.
    _Atomic int epoll;
    int mailbox;
    struct epoll_event mail;
    pthread_t thread;
    _Atomic int is_lent;
    _Atomic uint32_t holder;
    _Atomic int is_wanted;
    // The host: whether it sleeps, and a number that changes with each of its turns.
    _Atomic int is_asleep;
    _Atomic uint32_t turn;
    // The stacks of the loop, of the thread beside it, and of the host while that runs the loop.
    void *loop, *beside, *host;
    // The wait of the loop: its arguments and its outcome.
    struct epoll_event *events;
    int capacity, outcome;
    // When a timer of libzmq is due; and until when the thread sleeps.
    _Atomic int64_t due, alarm;
    // Changes when the thread has to look again.
    _Atomic uint32_t bell;
} lent = {.epoll = -1};

// The host's thread, and whether it runs the loop.
static __thread int is_host, runs_loop;

static void futex(void *word, int operation, uint32_t value, int64_t nanoseconds) {
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    syscall(SYS_futex, word, operation, value, nanoseconds < INT64_MAX ? &time : NULL, NULL, 0);
}

// MARK: pthread_self

pthread_t pthread_self(void) {
    static pthread_t (*_Atomic own)(void);
    if (runs_loop) return lent.thread;
    pthread_t (*function)(void) = atomic_load_explicit(&own, memory_order_relaxed);
    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "pthread_self");
        atomic_store_explicit(&own, function, memory_order_relaxed);
    }
    return function();
}

// MARK: The loop

// The loops of libzmq's threads, by their epoll instance plus one; 0 for a place that is free.
static struct {
    _Atomic int epoll;
    pthread_t thread;
} loops[8];
enum { loop_limit = sizeof loops / sizeof *loops };

void libzmq_loop_begins(int epoll) {
    for (int i = 0; i < loop_limit; i++) {
        int none = 0;
        // Negative while its thread is not stored yet.
        if (!atomic_compare_exchange_strong(&loops[i].epoll, &none, -1)) continue;
        loops[i].thread = pthread_self();
        atomic_store(&loops[i].epoll, epoll + 1);
        return;
    }
}

void libzmq_loop_ends(int epoll) {
    for (int i = 0; i < loop_limit; i++) {
        int value = epoll + 1;
        if (atomic_compare_exchange_strong(&loops[i].epoll, &value, 0)) return;
    }
}

// libzmq names its threads: an I/O thread ZMQbg/IO/0, and the one that closes sockets ZMQbg/Reaper. A confined process
// cannot read the name of another thread, so the latest I/O threads are noted here.
static _Atomic pthread_t io_threads[loop_limit];

static int is_io_thread(pthread_t thread) {
    for (int i = 0; i < loop_limit; i++)
        if (atomic_load(&io_threads[i]) == thread) return 1;
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
    static int (*_Atomic own)(pthread_t, const char *);
    int (*function)(pthread_t, const char *) = atomic_load_explicit(&own, memory_order_relaxed);
    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "pthread_setname_np");
        atomic_store_explicit(&own, function, memory_order_relaxed);
    }
    if (libzmq_is_caller(__builtin_return_address(0))) {
        int is_io = strstr(name, "/IO/") != NULL;
        for (int i = 0; i < loop_limit; i++) {
            // The number of a thread that has ended is used again.
            pthread_t earlier = thread, none = 0;
            atomic_compare_exchange_strong(&io_threads[i], &earlier, 0);
            if (is_io && atomic_compare_exchange_strong(&io_threads[i], &none, thread)) is_io = 0;
        }
    }
    return function(thread, name);
}

// Finds the I/O thread. The number of I/O threads.
static int find_thread(void) {
    int count = 0;
    for (int i = 0; i < loop_limit; i++) {
        int epoll = atomic_load(&loops[i].epoll) - 1;
        if (epoll < 0 || !is_io_thread(loops[i].thread)) continue;
        count++;
        lent.thread = loops[i].thread;
        atomic_store(&lent.epoll, epoll);
    }
    return count;
}

// MARK: Signals between the host and its loop

// By descriptor: the mailboxes of the sockets that only the host uses.
static unsigned char host_mailboxes[answered_descriptors];

int libzmq_keeps_signals(int fd) {
    if (!is_host || !atomic_load_explicit(&lent.is_lent, memory_order_relaxed)) return 0;
    if (fd == lent.mailbox) return atomic_load(&lent.holder) != held_by_thread;
    return runs_loop && host_mailboxes[fd];
}

void libzmq_loop_closes(int fd) { host_mailboxes[fd] = 0; }

// MARK: The turns

static void release(void) {
    atomic_store(&lent.holder, parked);
    if (atomic_load(&lent.is_wanted)) futex(&lent.holder, FUTEX_WAKE_PRIVATE, 1, INT64_MAX);
}

static int take(uint32_t holder) {
    uint32_t free = parked;
    if (!atomic_compare_exchange_strong(&lent.holder, &free, holder)) return 0;
    // From here on the host passes its signals to the kernel.
    if (holder == held_by_thread) libzmq_pass_kept(lent.mailbox);
    return 1;
}

// Waits for the loop, until a timer of libzmq is due, or for the longest time. The number of ready descriptors.
static int wait_in_kernel(int64_t now, int64_t longest) {
    int64_t due = atomic_load(&lent.due), left = due == INT64_MAX ? INT64_MAX : due > now ? due - now : 0;
    if (left > longest) left = longest;
    int milliseconds = left == INT64_MAX ? -1 : (int)((left + 999999) / 1000000);
    int ready = libzmq_kernel_wait(atomic_load(&lent.epoll), lent.events, lent.capacity, milliseconds);
    return ready > 0 ? ready : 0;
}

// The thread beside its stack. It returns when it has to run the loop, as its holder, with the outcome of the wait.
static int wait_beside(void) {
    release();
    // The turn in which the thread found the host, and when; never if the host waited.
    uint32_t turn = 0;
    int64_t found_at = INT64_MAX;
    for (;;) {
        uint32_t bell = atomic_load(&lent.bell);
        int64_t now = system_clock();
        int64_t due = atomic_load(&lent.due);
        if (!atomic_load(&lent.is_lent)) {
            if (take(held_by_thread)) return wait_in_kernel(now, INT64_MAX);
            futex(&lent.holder, FUTEX_WAIT_PRIVATE, held_by_host, 1000000);
            continue;
        }
        // What has arrived comes before a timer: libzmq may end a connection whose answer has arrived already.
        if (due <= now && take(held_by_thread)) return wait_in_kernel(now, 0);
        if (atomic_load(&lent.is_asleep)) {
            found_at = INT64_MAX;
        } else if (found_at == INT64_MAX || turn != atomic_load(&lent.turn)) {
            (turn = atomic_load(&lent.turn), found_at = now);
        } else if (now - found_at >= absence && take(held_by_thread)) {
            awake_follow();
            int ready = wait_in_kernel(now, absence);
            if (ready > 0) return ready;
            release();
            continue;
        }
        int64_t until = found_at < INT64_MAX && found_at + absence < due ? found_at + absence : due;
        // The host runs the loop at this moment, which will have another time then.
        if (until <= now) until = now + 1000000;
        atomic_store(&lent.alarm, until);
        // The host may have run the loop since, and not have seen this alarm.
        int64_t latest = atomic_load(&lent.due);
        if (latest != due && latest < until - slack) continue;
        futex(&lent.bell, FUTEX_WAIT_PRIVATE, bell, until < INT64_MAX ? until - now : INT64_MAX);
    }
}

static void stay_beside(void) {
    for (;;) {
        lent.outcome = wait_beside();
        libzmq_switch_stacks(&lent.beside, lent.loop);
    }
}

static void *first_stack(void) {
    static _Alignas(64) void *words[8192];
    void **top = words + sizeof words / sizeof *words - first_words;
    memset(top, 0, first_words * sizeof *top);
    top[return_word] = (void *)stay_beside;
    return top;
}

int libzmq_loop_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    if (!atomic_load_explicit(&lent.is_lent, memory_order_acquire) || epoll != atomic_load(&lent.epoll))
        return libzmq_kernel_wait(epoll, events, capacity, milliseconds);
    (lent.events = events, lent.capacity = capacity);
    int64_t due = milliseconds < 0 ? INT64_MAX : system_clock() + milliseconds * 1000000LL;
    atomic_store(&lent.due, due);
    if (runs_loop) {
        if (due < INT64_MAX && due + slack < atomic_load(&lent.alarm)) {
            atomic_fetch_add(&lent.bell, 1);
            futex(&lent.bell, FUTEX_WAKE_PRIVATE, 1, INT64_MAX);
        }
        libzmq_switch_stacks(&lent.loop, lent.host);
    } else {
        if (!lent.beside) lent.beside = first_stack();
        libzmq_switch_stacks(&lent.loop, lent.beside);
    }
    return lent.outcome;
}

// MARK: The host

int libzmq_lend_loop(const int *sockets, int count) {
    if (atomic_load(&lent.is_lent)) return -1;
    int threads = find_thread();
    // It may not have begun its first wait.
    for (int i = 0; i < 100 && threads == 0; i++) (usleep(100), threads = find_thread());
    if (threads != 1) return -1;
    int epoll = atomic_load(&lent.epoll);
    lent.mailbox = libzmq_mailbox_of(epoll, &lent.mail);
    if (lent.mailbox < 0) return -1;
    for (int i = 0; i < count; i++)
        if (libzmq_is_mailbox(sockets[i])) host_mailboxes[sockets[i]] = 1;
    (lent.beside = NULL, is_host = 1);
    // The thread waits in the kernel, and parks the loop when it comes back to its wait.
    atomic_store(&lent.holder, held_by_thread);
    atomic_store(&lent.due, INT64_MAX);
    atomic_store(&lent.is_lent, 1);
    return epoll;
}

void libzmq_end_loan(void) {
    if (!atomic_exchange(&lent.is_lent, 0)) return;
    libzmq_pass_kept(lent.mailbox);
    for (int fd = 0; fd < answered_descriptors; fd++)
        if (host_mailboxes[fd]) libzmq_pass_kept(fd);
    memset(host_mailboxes, 0, sizeof host_mailboxes);
    is_host = 0;
    atomic_fetch_add(&lent.bell, 1);
    futex(&lent.bell, FUTEX_WAKE_PRIVATE, 1, INT64_MAX);
}

// Waits until the thread has stopped running the loop. 1 if the host holds it.
static int take_from_thread(void) {
    atomic_store(&lent.is_wanted, 1);
    if (atomic_load(&lent.holder) == held_by_thread)
        futex(&lent.holder, FUTEX_WAIT_PRIVATE, held_by_thread, 1000000);
    atomic_store(&lent.is_wanted, 0);
    return take(held_by_host);
}

int libzmq_run_loop(int is_ready) {
    if (!atomic_load_explicit(&lent.is_lent, memory_order_relaxed)) return 0;
    if (!is_ready && !libzmq_has_kept(lent.mailbox)) return 0;
    if (!take(held_by_host)) {
        libzmq_pass_kept(lent.mailbox);
        if (!is_ready || !take_from_thread()) return 0;
    }
    int has_run = 0;
    // The loop may give itself a signal.
    for (int round = 0; round < 4; round++) {
        int ready = 0;
        if (libzmq_has_kept(lent.mailbox)) lent.events[ready++] = lent.mail;
        if (is_ready && round == 0) {
            int found = libzmq_kernel_wait(atomic_load(&lent.epoll), lent.events + ready, lent.capacity - ready, 0);
            if (found > 0) ready += found;
        }
        if (ready == 0) break;
        lent.outcome = ready;
        (has_run = 1, runs_loop = 1);
        libzmq_switch_stacks(&lent.host, lent.loop);
        runs_loop = 0;
    }
    libzmq_pass_kept(lent.mailbox);
    release();
    return has_run;
}

void libzmq_host_turns(int sleeps) {
    atomic_fetch_add_explicit(&lent.turn, 1, memory_order_relaxed);
    atomic_store_explicit(&lent.is_asleep, sleeps, memory_order_relaxed);
}

#else

void libzmq_loop_begins(int epoll) { (void)epoll; }
void libzmq_loop_ends(int epoll) { (void)epoll; }
int libzmq_loop_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    return libzmq_kernel_wait(epoll, events, capacity, milliseconds);
}
int libzmq_keeps_signals(int fd) { return (void)fd, 0; }
void libzmq_loop_closes(int fd) { (void)fd; }
int libzmq_lend_loop(const int *sockets, int count) { return (void)sockets, (void)count, -1; }
void libzmq_end_loan(void) {}
int libzmq_run_loop(int is_ready) { return (void)is_ready, 0; }
void libzmq_host_turns(int sleeps) { (void)sleeps; }

#endif
