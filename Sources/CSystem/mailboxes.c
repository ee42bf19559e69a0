// mailboxes.c: the eventfds by which libzmq's threads wake each other, without the calls that find nothing.
//
//     writer   getpid, write                       ─▶ write
//     owner    getpid, poll, getpid, read,         ─▶ read
//              getpid, poll: nothing more          ─▶
//
// `signals` is at least the kernel's count at every moment: a writer adds to it before it writes, and a reader subtracts
// what it has read. So a mailbox that the kernel reports as readable has signals here too. The other way round, a
// signal may be counted that the kernel does not have yet. The read that follows fails then, libzmq takes that for an
// empty mailbox, and waits in the kernel.

#define _GNU_SOURCE
#include "guard_state.h"
#include "libzmq_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if ANSWERS_CALLS

static _Atomic int passes;

void libzmq_calls_pass(void) { atomic_store(&passes, 1); }

int libzmq_calls_are_answered(void) {
    return !atomic_load(&passes) && dlsym(RTLD_DEFAULT, "eventfd") == (void *)eventfd
        && dlsym(RTLD_DEFAULT, "poll") == (void *)poll && dlsym(RTLD_DEFAULT, "read") == (void *)read
        && dlsym(RTLD_DEFAULT, "write") == (void *)write && dlsym(RTLD_DEFAULT, "close") == (void *)close;
}

int libzmq_is_caller(const void *address) {
    Dl_info library;
    if (atomic_load_explicit(&passes, memory_order_relaxed) || dladdr(address, &library) == 0 || !library.dli_fname)
        return 0;
    const char *name = strrchr(library.dli_fname, '/');
    return strncmp(name ? name + 1 : library.dli_fname, "libzmq.", 7) == 0;
}

// MARK: getpid

// libzmq compares its process with the one that made a mailbox at each use of it. The page is zero in a forked process.
static pid_t *own_process;

__attribute__((constructor)) static void remember_process(void) {
    void *page = mmap(NULL, sizeof *own_process, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || madvise(page, sizeof *own_process, MADV_WIPEONFORK) != 0) return;
    own_process = page;
    *own_process = (pid_t)syscall(SYS_getpid);
}

pid_t getpid(void) {
    if (own_process && *own_process != 0) return *own_process;
    pid_t process = (pid_t)syscall(SYS_getpid);
    // A process that shares this memory, as a starting one does for a moment, finds the page filled and leaves it so.
    if (own_process) *own_process = process;
    return process;
}

// MARK: Signals

// By descriptor: the signals of a mailbox plus one; 0 for any other descriptor.
static _Atomic int64_t signals[answered_descriptors];

static _Atomic int64_t *mailbox(int fd) {
    if (fd < 0 || fd >= answered_descriptors) return NULL;
    return atomic_load_explicit(&signals[fd], memory_order_acquire) != 0 ? &signals[fd] : NULL;
}

// By descriptor: signals among them that the kernel does not have, because one thread is the writer and the owner
// (lent_loop.c).
static _Atomic int64_t kept[answered_descriptors];

int libzmq_is_mailbox(int fd) { return mailbox(fd) != NULL; }
int libzmq_has_kept(int fd) { return atomic_load_explicit(&kept[fd], memory_order_relaxed) > 0; }

void libzmq_pass_kept(int fd) {
    uint64_t count = (uint64_t)atomic_exchange(&kept[fd], 0);
    if (count > 0) syscall(SYS_write, fd, &count, sizeof count);
}

long long libzmq_signals(int fd) { return mailbox(fd) ? atomic_load(&signals[fd]) - 1 : 0; }

int eventfd(unsigned count, int flags) {
    int fd = (int)syscall(SYS_eventfd2, count, flags);
    if (fd >= 0 && fd < answered_descriptors && !(flags & EFD_SEMAPHORE)
        && libzmq_is_caller(__builtin_return_address(0)))
        atomic_store(&signals[fd], (int64_t)count + 1);
    return fd;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    _Atomic int64_t *box = size == sizeof(uint64_t) ? mailbox(fd) : NULL;
    if (!box) return syscall(SYS_write, fd, bytes, size);
    uint64_t count;
    memcpy(&count, bytes, sizeof count);
    atomic_fetch_add(box, (int64_t)count);
    if (libzmq_keeps_signals(fd)) {
        atomic_fetch_add(&kept[fd], (int64_t)count);
        return (ssize_t)size;
    }
    ssize_t written = syscall(SYS_write, fd, bytes, size);
    if (written != (ssize_t)size) atomic_fetch_sub(box, (int64_t)count);
    return written;
}

ssize_t read(int fd, void *bytes, size_t size) {
    _Atomic int64_t *box = size == sizeof(uint64_t) ? mailbox(fd) : NULL;
    if (!box) return syscall(SYS_read, fd, bytes, size);
    uint64_t count = libzmq_has_kept(fd) ? (uint64_t)atomic_exchange(&kept[fd], 0) : 0;
    ssize_t got = sizeof count;
    if (count > 0) memcpy(bytes, &count, sizeof count);
    else got = syscall(SYS_read, fd, bytes, size);
    if (got != sizeof count) return got;
    memcpy(&count, bytes, sizeof count);
    atomic_fetch_sub(box, (int64_t)count);
    return got;
}

// The C library's own function, under its other name.
int __poll(struct pollfd *items, nfds_t count, int milliseconds);

int poll(struct pollfd *items, nfds_t count, int milliseconds) {
    if (count != 1 || milliseconds != 0 || items->events != POLLIN) return __poll(items, count, milliseconds);
    _Atomic int64_t *box = mailbox(items->fd);
    if (!box) return __poll(items, count, milliseconds);
    items->revents = atomic_load(box) > 1 ? POLLIN : 0;
    return items->revents != 0;
}

int close(int fd) {
    if (fd >= 0 && fd < answered_descriptors) {
        atomic_store(&signals[fd], 0);
        atomic_store(&kept[fd], 0);
        libzmq_loop_closes(fd);
        libzmq_output_closes(fd);
        guard_closes(fd);
    }
    return (int)syscall(SYS_close, fd);
}

#else

void libzmq_calls_pass(void) {}
int libzmq_calls_are_answered(void) { return 0; }
int libzmq_is_mailbox(int fd) { return (void)fd, 0; }
long long libzmq_signals(int fd) { return (void)fd, 0; }

#endif
