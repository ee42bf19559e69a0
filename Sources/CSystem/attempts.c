// attempts.c: tries what confine.c forbids, in confined child processes. For tests.
#define _GNU_SOURCE
#include "confine.h"
#include "libzmq_calls.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int signalled_by_pipe(int command, long value) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    int outcome = (int)syscall(SYS_fcntl, ends[0], command, value);
    int failure = errno;
    close(ends[0]);
    close(ends[1]);
    errno = failure;
    return outcome < 0 ? -1 : 0;
}

static int affinity_of(pid_t pid) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
    return (int)syscall(SYS_sched_setaffinity, pid, sizeof set, &set);
}

static void *nothing(void *context) { return context; }

/// Starts a thread as the C library does.
static int thread(void) {
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, nothing, NULL);
    if (!failure) failure = pthread_join(thread, NULL);
    errno = failure;
    return failure ? -1 : 0;
}

/// Starts a thread by flags that the C library does not use. It has no stack: the filter decides before the kernel.
static int other_thread(unsigned long more) {
    unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | more;
    return (int)syscall(SYS_clone, flags, NULL, NULL, NULL, 0);
}

static int attempt_call(int what, const char *folder) {
    static char *const none[] = {NULL};
    switch (what) {
    case system_attempt_program: return execve("/bin/true", none, none);
    case system_attempt_thread: return thread();
    case system_attempt_thread_namespace: return other_thread(CLONE_NEWNET);
    case system_attempt_thread_user: return other_thread(CLONE_NEWUSER);
    case system_attempt_folder: {
        char path[4096];
        snprintf(path, sizeof path, "%s/folder", folder);
        return mkdir(path, 0700);
    }
    case system_attempt_move: return chdir("/");
    case system_attempt_fork: return (int)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    case system_attempt_trace: return (int)syscall(SYS_ptrace, 0, 0, NULL, NULL);
    case system_attempt_network: return socket(AF_INET, SOCK_STREAM, 0);
    case system_attempt_local: return socket(AF_UNIX, SOCK_STREAM, 0);
    case system_attempt_code:
        return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
    case system_attempt_signal: return kill(getppid(), 0);
    case system_attempt_write: return open("/tmp/touchline-confined", O_WRONLY | O_CREAT | O_EXCL, 0600);
    case system_attempt_write_inside: {
        int place = open(folder, O_RDONLY | O_DIRECTORY);
        return place < 0 ? -1 : openat(place, "inside", O_WRONLY | O_CREAT, 0600);
    }
    case system_attempt_read: return open("/etc/passwd", O_RDONLY);
    case system_attempt_datagram: return socket(AF_INET, SOCK_DGRAM, 0);
    case system_attempt_raw: return socket(AF_PACKET, SOCK_RAW, 0);
    case system_attempt_ioctl: return (int)syscall(SYS_ioctl, 0, 0, NULL);
    case system_attempt_owner: return signalled_by_pipe(F_SETOWN, getppid());
    case system_attempt_owner_ex: {
        struct f_owner_ex owner = {.type = F_OWNER_PID, .pid = getppid()};
        return signalled_by_pipe(F_SETOWN_EX, (long)&owner);
    }
    case system_attempt_owner_signal: return signalled_by_pipe(F_SETSIG, SIGKILL);
    case system_attempt_lease: return signalled_by_pipe(F_SETLEASE, F_RDLCK);
    case system_attempt_device_owner: {
        pid_t owner = getppid();
        return (int)syscall(SYS_ioctl, 0, FIOSETOWN, &owner);
    }
    case system_attempt_flags: return signalled_by_pipe(F_GETFL, 0);
    case system_attempt_own_affinity: return affinity_of(0);
    case system_attempt_affinity: return affinity_of(getppid());
    case system_attempt_scheduler: {
        struct sched_param parameters = {0};
        // The filter answers 0 without the call, so the result is checked.
        if (syscall(SYS_sched_setscheduler, getppid(), SCHED_IDLE, &parameters) != 0) return -1;
        if (sched_getscheduler(getppid()) == SCHED_IDLE) return 0;
        errno = EPERM;
        return -1;
    }
    case system_attempt_priority: return (int)syscall(SYS_setpriority, 0, getppid(), 19);
    case system_attempt_limits: {
        uint64_t limits[2];
        return (int)syscall(SYS_prlimit64, getppid(), 7, NULL, limits);
    }
    case system_attempt_own_limits: {
        uint64_t limits[2];
        return (int)syscall(SYS_prlimit64, 0, 7, NULL, limits);
    }
    case system_attempt_thread_signal: return (int)syscall(SYS_tgkill, getppid(), getppid(), 0);
    case system_attempt_queue_signal: {
        siginfo_t info = {.si_code = SI_QUEUE};
        return (int)syscall(SYS_rt_sigqueueinfo, getppid(), 0, &info);
    }
    case system_attempt_timer_signal: {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        int timer;
        return (int)syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
    }
    case system_attempt_pidfd: return (int)syscall(SYS_pidfd_open, getppid(), 0);
    default: errno = EINVAL; return -1;
    }
}

/// Connects to a path by an address of `length` bytes; missing bytes are zeros.
static int connect_as(const char *path, int length) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int call = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return call < 0 ? -1 : connect(call, (struct sockaddr *)&address, (socklen_t)length);
}
// With the address length that libzmq passes.
static int connect_to(const char *path) { return connect_as(path, 2 + (int)strlen(path)); }

static int attempt_with(int what, const char *path) {
    switch (what) {
    case system_attempt_open: return open(path, O_RDONLY | O_NONBLOCK);
    case system_attempt_change: return open(path, O_WRONLY | O_APPEND);
    case system_attempt_cut: return open(path, O_WRONLY | O_TRUNC);
    case system_attempt_list: return open(path, O_RDONLY | O_DIRECTORY);
    case system_attempt_remove: return unlink(path);
    case system_attempt_make: return open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    case system_attempt_link: return symlink("/etc/passwd", path);
    case system_attempt_place: return open(path, O_PATH);
    case system_attempt_connect: return connect_to(path);
    case system_attempt_rename: {
        char other[4096];
        snprintf(other, sizeof other, "%s.moved", path);
        return rename(path, other);
    }
    default: errno = EINVAL; return -1;
    }
}

struct files {
    const char *const *writable, *const *readable;
    size_t writable_count, readable_count;
};

/// A system call to try, and its arguments.
struct trial {
    int (*call)(int, const char *);
    int what;
    const char *path;
    // For a connection: the socket that is the process's door, or NULL, and the length of the address.
    const char *door;
    int length;
};

static int stand_at_door(const char *path) {
    int place = path ? open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (place < 0 || dup2(place, system_door_descriptor) < 0) return -1;
    // A child has no other descriptors; the test process may have more such sockets.
    close(system_door_descriptor - 1);
    if (syscall(SYS_close_range, system_door_descriptor + 1, ~0u, 0) != 0) return -1;
    return system_stand_at_door();
}

// Runs a trial in a child process that is confined to its files and its calls.
static int attempt(const struct files *files, int may, const struct trial *trial) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        // From here on only system calls: the parent has other threads, so the child must not use the C library's
        // locks.
        if ((trial->door && stand_at_door(trial->door) != 0) || system_keep_secrets() != 0
            || system_keep_to_files(files->writable, files->writable_count, files->readable, files->readable_count) < 0
            || system_confine_calls(may, system_door_length) != 0)
            syscall(SYS_exit_group, 255);
        int outcome
            = trial->call ? trial->call(trial->what, trial->path) : connect_as(trial->path, trial->length);
        syscall(SYS_exit_group, outcome < 0 ? errno : 0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

int system_attempt_confined(int what, const char *folder, int may) {
    const struct files files = {.writable = &folder, .writable_count = 1};
    return attempt(&files, may, &(struct trial){.call = attempt_call, .what = what, .path = folder});
}

int system_attempt_with(
    int what, const char *path, const char *const writable[], size_t writable_count, const char *const readable[],
    size_t readable_count) {
    const struct files files = {writable, readable, writable_count, readable_count};
    return attempt(&files, 0, &(struct trial){.call = attempt_with, .what = what, .path = path});
}

int system_attempt_connection(const char *door, const char *path, int length, int may) {
    const struct files files = {.writable_count = 0};
    return attempt(&files, may, &(struct trial){.path = path, .door = door, .length = length});
}

int system_send_descriptors(int fd, int carried, int count) {
    enum { most = 64 };
    char byte = 'x';
    struct iovec content = {.iov_base = &byte, .iov_len = 1};
    union {
        char bytes[CMSG_SPACE(most * sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    if (count > most) return -1;
    struct msghdr message = {.msg_iov = &content,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    for (int i = 0; i < count; i++) memcpy(CMSG_DATA(header) + (size_t)i * sizeof(int), &carried, sizeof carried);
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int libzmq_kernel_has_signals(int fd) {
    struct pollfd item = {.fd = fd, .events = POLLIN};
    struct timespec none = {0};
    return ppoll(&item, 1, &none, NULL) == 1;
}

int libzmq_process_is_known(void) {
    pid_t child = fork();
    if (child == 0) {
        int is_known = getpid() == (pid_t)syscall(SYS_getpid) && getpid() == (pid_t)syscall(SYS_getpid);
        syscall(SYS_exit_group, is_known ? 0 : 1);
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status == 0 && getpid() == (pid_t)syscall(SYS_getpid);
}

// MARK: Other users

struct attempt {
    const char *path;
    uint32_t uid;
    int listener;
    int count, successes, failure;
};

// The raw system calls change this thread only; the C library's functions would change all threads.
static int become(uint32_t uid) {
    return syscall(SYS_setresgid, uid, uid, uid) == 0 && syscall(SYS_setresuid, uid, uid, uid) == 0 ? 0 : -1;
}

static void *knock(void *context) {
    struct attempt *attempt = context;
    if (become(attempt->uid) != 0) {
        attempt->failure = errno;
        return NULL;
    }
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, attempt->path, sizeof address.sun_path - 1);
    for (int i = 0; i < attempt->count; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) attempt->successes++;
        if (fd >= 0) close(fd);
    }
    return NULL;
}

static void *listen_as(void *context) {
    struct attempt *attempt = context;
    if (become(attempt->uid) != 0 || listen(attempt->listener, attempt->count) != 0) attempt->failure = errno;
    return NULL;
}

static int on_thread_of_its_own(void *(*body)(void *), struct attempt *attempt) {
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, body, attempt);
    if (!failure) {
        pthread_join(thread, NULL);
        failure = attempt->failure;
    }
    errno = failure;
    return failure ? -1 : attempt->successes;
}

int system_knock_as(uint32_t uid, const char *path, int count) {
    struct attempt attempt = {.path = path, .uid = uid, .count = count};
    return on_thread_of_its_own(knock, &attempt);
}

int system_listen_as(uint32_t uid, int listener, int backlog) {
    struct attempt attempt = {.uid = uid, .listener = listener, .count = backlog};
    return on_thread_of_its_own(listen_as, &attempt);
}
