// confine.c: restricts a process to its files (Landlock) and its system calls (seccomp).

#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <asm/ioctls.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

int system_is_sanitized(void) { return SANITIZED; }
int system_keep_secrets(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// MARK: Files

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

// The kernel's structure of Landlock 6, which headers before 2025 lack.
struct ruleset {
    uint64_t handled_access_fs, handled_access_net, scoped;
};
enum { scope_abstract_sockets = 1, scope_signals = 2 };

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t of_a_file
    = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;

static int allow(int ruleset, const char *path, uint64_t rights) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = rights};
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    // A missing file needs no right.
    if (beneath.parent_fd < 0) return 0;
    struct stat status;
    // A file has no entries, and the kernel refuses rights to them.
    if (fstat(beneath.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode)) beneath.allowed_access &= of_a_file;
    int outcome = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    int failure = errno;
    close(beneath.parent_fd);
    errno = failure;
    return outcome;
}

int system_landlock_version(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : version;
}

int system_keep_to_files(
    const char *const writable[], size_t writable_count, const char *const readable[], size_t readable_count) {
    int version = system_landlock_version();
    if (version < 1) return 0;
    uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
        | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
        | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
        | LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 3) writing |= LANDLOCK_ACCESS_FS_TRUNCATE;
    struct ruleset attributes = {.handled_access_fs = writing | reading | LANDLOCK_ACCESS_FS_EXECUTE};
    // No signals to, and no abstract sockets of, processes outside this confinement.
    if (version >= 6) attributes.scoped = scope_abstract_sockets | scope_signals;
    size_t size = version >= 6 ? sizeof attributes : sizeof attributes.handled_access_fs;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return -1;
    int failure = 0;
    for (size_t i = 0; i < writable_count && !failure; i++)
        if (allow(ruleset, writable[i], writing | reading) != 0) failure = errno;
    for (size_t i = 0; i < readable_count && !failure; i++)
        if (allow(ruleset, readable[i], reading) != 0) failure = errno;
    if (!failure && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = errno;
    if (!failure && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) failure = errno;
    close(ruleset);
    errno = failure;
    return failure ? -1 : 1;
}

// MARK: Calls

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Found by strace over the group's whole life: plays, restarts, rotation, traces, chaos, live devices, the end. The
// list also has the occasional calls of the C library, Swift's runtime and libzmq.
static const int allowed[] = {
    // Files: journals, traces, recordings, device nodes.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_fstat, SYS_lseek,
    SYS_flock, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_getdents64, SYS_unlinkat,
    SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_statx, SYS_getcwd,
    SYS_dup, SYS_dup3, SYS_newfstatat,
    // Memory.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_msync,
    // Waiting and time.
    SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_ppoll, SYS_pselect6, SYS_eventfd2, SYS_timerfd_create,
    SYS_timerfd_settime, SYS_timerfd_gettime, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep,
    SYS_clock_nanosleep, SYS_sched_yield, SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_pipe2,
    // Communication. New sockets are below.
    SYS_accept, SYS_accept4, SYS_shutdown, SYS_getsockname, SYS_getpeername,
    SYS_getsockopt, SYS_setsockopt, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg,
    // Threads and the exit.
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier, SYS_gettid,
    SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_getrusage,
    SYS_getcpu, SYS_sysinfo, SYS_uname, SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall, SYS_exit,
    SYS_exit_group,
#ifdef __x86_64__
    // Calls that other architectures have only under newer names.
    SYS_stat, SYS_lstat, SYS_poll, SYS_select, SYS_access, SYS_pipe, SYS_dup2, SYS_getdents,
    SYS_rmdir, SYS_unlink, SYS_readlink, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd,
    SYS_time, SYS_arch_prctl,
#endif
};

// The group's programs never make these calls. A process that does is compromised, so the kernel kills it at once.
static const int fatal[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
    SYS_setns, SYS_unshare, SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_capset,
    SYS_open_by_handle_at, SYS_io_uring_setup, SYS_reboot, SYS_swapon, SYS_sethostname, SYS_settimeofday,
    SYS_clock_settime,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
};

enum { program_limit = 2 * (sizeof allowed + sizeof fatal) / sizeof(int) + 128 };

struct program {
    struct sock_filter steps[program_limit];
    unsigned short count;
};

static void put(struct program *program, struct sock_filter step) {
    if (program->count < program_limit) program->steps[program->count++] = step;
}
static void load(struct program *program, size_t offset) {
    put(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}
static void answer(struct program *program, unsigned what) {
    put(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}
/// Returns `what` for one call. The call number is loaded.
static void rule(struct program *program, int call, unsigned what) {
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1));
    answer(program, what);
}

static const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;

enum { low_half = 0, high_half = 4 };
static size_t argument(int number, int half) {
    return offsetof(struct seccomp_data, args) + 8 * (size_t)number + (size_t)half;
}

/// Allows this call only if its masked argument equals `value`.
static void only(struct program *program, int call, int number, unsigned mask, unsigned value, unsigned otherwise) {
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 5));
    load(program, argument(number, low_half));
    put(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, otherwise);
}

/// Returns `inside` for this call if its argument is one of `values`, otherwise `outside`.
static void among(
    struct program *program, int call, int number, const unsigned *values, int count, unsigned inside, unsigned outside) {
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, (uint8_t)(2 * count + 2)));
    load(program, argument(number, low_half));
    for (int i = 0; i < count; i++) {
        put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1));
        answer(program, inside);
    }
    answer(program, outside);
}

// Commands by which the kernel signals any process for a descriptor.
static const unsigned signalling_commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
// Requests that do the same, or write into a terminal.
static const unsigned signalling_requests[] = {FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI, TIOCSCTTY, TIOCLINUX};

// The flags with which the C library starts a thread.
static const unsigned thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD
    | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

/// Allows a new stream socket of this family; the following rules decide about other families.
static void stream(struct program *program, unsigned family) {
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 8));
    load(program, argument(0, low_half));
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 5));
    load(program, argument(1, low_half));
    put(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(unsigned)(SOCK_CLOEXEC | SOCK_NONBLOCK)));
    put(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 0, 1));
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, refuse);
    load(program, offsetof(struct seccomp_data, nr));
}

int system_stand_at_door(void) { return chdir("/proc/self/fd"); }

int system_confine_calls(int may, int address_length) {
    static struct program program;
    program.count = 0;
    load(&program, offsetof(struct seccomp_data, arch));
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // From here on the numbers are x32 calls.
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    answer(&program, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) rule(&program, allowed[i], SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) rule(&program, fatal[i], SECCOMP_RET_KILL_PROCESS);
    // Local sockets only: no netlink and no network, except for an app that connects to another machine's server.
    if (may & system_may_call_tcp) {
        stream(&program, AF_INET);
        stream(&program, AF_INET6);
    }
    // A datagram names its receiver in memory, which a filter cannot read. So only streams are allowed, except for
    // simulated devices. An app of another machine needs no local socket.
    if (may & system_may_ask_devices) only(&program, SYS_socket, 0, ~0u, AF_UNIX, refuse);
    else if (!(may & system_may_call_tcp)) stream(&program, AF_UNIX);
    // A filter sees the length of an address, not its bytes. Three bytes are a family and one character. That excludes
    // absolute paths and leaves names in the working directory, /proc/self/fd (see system_stand_at_door).
    unsigned lengths[] = {(unsigned)address_length, (unsigned)address_length};
    if (may & system_may_call_tcp) {
        lengths[0] = sizeof(struct sockaddr_in);
        lengths[1] = sizeof(struct sockaddr_in6);
    }
    if (address_length < 0) rule(&program, SYS_connect, SECCOMP_RET_ALLOW);
    else among(&program, SYS_connect, 2, lengths, 2, SECCOMP_RET_ALLOW, refuse);
    only(&program, SYS_openat, 2, O_PATH, 0, refuse);
#ifdef __x86_64__
    only(&program, SYS_open, 1, O_PATH, 0, refuse);
#endif
    // No executable memory besides the loaded code.
    only(&program, SYS_mmap, 2, PROT_EXEC, 0, refuse);
    only(&program, SYS_mprotect, 2, PROT_EXEC, 0, refuse);
    // Only threads as pthread_create makes them: no namespaces and no processes. A filter cannot read the arguments of
    // clone3; after ENOSYS the C library uses clone.
    only(&program, SYS_clone, 0, ~0u, thread_flags, SECCOMP_RET_KILL_PROCESS);
    rule(&program, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    // abort() and raise() signal their own process; no other process may be signalled.
    only(&program, SYS_tgkill, 0, ~0u, (unsigned)getpid(), refuse);
    // A descriptor that signals its owner could signal any process.
    among(&program, SYS_fcntl, 1, signalling_commands, sizeof signalling_commands / sizeof *signalling_commands, refuse,
          SECCOMP_RET_ALLOW);
    // Only its own scheduling: a thread names itself by 0.
    only(&program, SYS_sched_setaffinity, 0, ~0u, 0, refuse);
    // libzmq sets the scheduler of each new thread, by its number and to the current value, and aborts on refusal. So
    // the call returns success without any effect.
    only(&program, SYS_sched_setscheduler, 0, ~0u, 0, SECCOMP_RET_ERRNO | 0);
    // Names of threads.
    only(&program, SYS_prctl, 0, ~0u, PR_SET_NAME, refuse);
    // Limits may be read and not set: the third argument must be NULL.
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8));
    load(&program, argument(0, low_half));
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5));
    load(&program, argument(2, low_half));
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    load(&program, argument(2, high_half));
    put(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    answer(&program, SECCOMP_RET_ALLOW);
    answer(&program, refuse);
    if (may & system_may_ask_devices)
        among(&program, SYS_ioctl, 1, signalling_requests, sizeof signalling_requests / sizeof *signalling_requests, refuse,
              SECCOMP_RET_ALLOW);
    // A call that the list lacks fails, and does not kill the process.
    answer(&program, refuse);
    if (program.count >= program_limit) {
        errno = E2BIG;
        return -1;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    // Applies to all threads, including libzmq's.
    long outcome = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (outcome > 0) errno = ESRCH;
    return outcome == 0 ? 0 : -1;
}

#else

int system_confine_calls(int may, int address_length) {
    (void)may;
    (void)address_length;
    errno = ENOSYS;
    return -1;
}

#endif
