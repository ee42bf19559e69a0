// system.c: Linux calls that Swift's Glibc module lacks, or that are variadic C.

#define _GNU_SOURCE
#include "system.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec; }

int64_t system_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return nanoseconds(&now);
}

_Static_assert(system_readable == EPOLLIN && system_writable == EPOLLOUT && system_failed == EPOLLERR
                   && system_hung_up == EPOLLHUP && 0x80000000u == EPOLLET,
               "the header's names are epoll's");

int system_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, fd, &event);
}
int system_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}
int system_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}
int system_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int system_epoll_wait(int epoll, struct system_ready *ready, int capacity, int milliseconds) {
    struct epoll_event events[64];
    if (capacity > 64) capacity = 64;
    int count = epoll_wait(epoll, events, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        ready[i].token = events[i].data.u64;
        ready[i].events = events[i].events;
    }
    return count;
}

int system_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
void system_eventfd_signal(int fd) { eventfd_write(fd, 1); }
void system_eventfd_clear(int fd) {
    eventfd_t count;
    eventfd_read(fd, &count);
}

int system_timerfd_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
int system_timerfd_set(int fd, int64_t moment) {
    struct itimerspec when = {0};
    if (moment != INT64_MAX) {
        // Zero would disarm the timer; a past time expires at once anyway.
        if (moment < 1) moment = 1;
        when.it_value.tv_sec = moment / 1000000000;
        when.it_value.tv_nsec = moment % 1000000000;
    }
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}
void system_timerfd_clear(int fd) {
    uint64_t expirations;
    ssize_t got = read(fd, &expirations, sizeof expirations);
    (void)got;
}

_Static_assert(sizeof(sigset_t) <= SYSTEM_MASK_SIZE, "a signal mask fits");

int system_signalfd_create(uint8_t previous[SYSTEM_MASK_SIZE]) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    int failure = pthread_sigmask(SIG_BLOCK, &set, &old);
    if (failure) {
        errno = failure;
        return -1;
    }
    memset(previous, 0, SYSTEM_MASK_SIZE);
    memcpy(previous, &old, sizeof old);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}
int system_signalfd_next(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}
void system_restore_signals(const uint8_t previous[SYSTEM_MASK_SIZE]) {
    sigset_t old;
    memcpy(&old, previous, sizeof old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int system_pidfd_open(int32_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
int system_pidfd_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}
int system_pidfd_reap(int pidfd, int *was_signalled, int *code) {
    siginfo_t info = {0};
    if (waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG) != 0) return -1;
    if (info.si_pid == 0) return 0;
    *was_signalled = info.si_code != CLD_EXITED;
    *code = info.si_status;
    return 1;
}

int system_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
int system_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
int system_random(void *to, size_t count) { return getrandom(to, count, 0) == (ssize_t)count ? 0 : -1; }
void system_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void system_limit_file_size(uint64_t bytes) {
    struct rlimit limit;
    // The hard limit stays: a person may raise the soft limit from outside, and a confined process cannot.
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
}

int system_pin(const int *cpus, size_t count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = 0; i < count; i++) CPU_SET((size_t)cpus[i], &set);
    return sched_setaffinity(0, sizeof set, &set);
}

// The first version of the kernel's `struct sched_attr`, which C libraries before 2025 lack.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int system_set_slice(int64_t nanoseconds) {
    struct scheduling now = {0};
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return -1;
    now.size = sizeof now;
    now.runtime = (uint64_t)nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &now, 0);
}

int64_t system_slice(int32_t thread) {
    struct scheduling now = {0};
    if (syscall(SYS_sched_getattr, thread, &now, sizeof now, 0) != 0) return -1;
    return (int64_t)now.runtime;
}

int system_peer(int fd, int32_t *pid, uint32_t *uid) {
    struct ucred other;
    socklen_t size = sizeof other;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0) return -1;
    *pid = other.pid;
    *uid = other.uid;
    return 0;
}

int system_unix_listen(const char *path, int backlog) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    // The file gets the mode of the unbound socket: never wider than 0600, even for a moment.
    if (fchmod(fd, 0600) == 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
        && listen(fd, backlog) == 0)
        return fd;
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}
int system_tcp_listen(const char *address, uint16_t port, int backlog) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const struct sockaddr *name = (struct sockaddr *)&four;
    socklen_t size = sizeof four;
    if (inet_pton(AF_INET, address, &four.sin_addr) != 1) {
        if (inet_pton(AF_INET6, address, &six.sin6_addr) != 1) {
            errno = EINVAL;
            return -1;
        }
        name = (struct sockaddr *)&six;
        size = sizeof six;
    }
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    // A restarted group must not wait until the kernel forgets the last group's connections.
    int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, name, size) == 0 && listen(fd, backlog) == 0) return fd;
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}
uint16_t system_tcp_port(int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } name;
    socklen_t size = sizeof name;
    if (getsockname(fd, &name.any, &size) != 0) return 0;
    if (name.any.sa_family == AF_INET) return ntohs(name.four.sin_port);
    return name.any.sa_family == AF_INET6 ? ntohs(name.six.sin6_port) : 0;
}
int system_unix_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}
void system_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
void system_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
void system_hold_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        // The lowest free number is the one that is closed.
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
}

int64_t system_modified(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    return nanoseconds(&status.st_mtim);
}

enum { tree_depth = 64, tree_entries = 1 << 20 };

static int remove_in(int parent, const char *name, int depth, int *entries) {
    if (unlinkat(parent, name, 0) == 0) return 0;
    if (errno != EISDIR && errno != EPERM) return -1;
    int failure = 0;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    if (!list) {
        failure = errno;
        if (folder >= 0) close(folder);
        errno = failure;
        return -1;
    }
    struct dirent *entry;
    while (!failure && (entry = readdir(list))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (depth == 0 || --*entries < 0) failure = ENOTEMPTY;
        else if (remove_in(folder, entry->d_name, depth - 1, entries) != 0) failure = errno;
    }
    closedir(list);
    if (!failure && unlinkat(parent, name, AT_REMOVEDIR) != 0) failure = errno;
    errno = failure;
    return failure ? -1 : 0;
}

int system_remove_tree(const char *path) {
    int entries = tree_entries;
    return remove_in(AT_FDCWD, path, tree_depth, &entries);
}

static int identify(int result, const struct stat *status, struct system_file *file) {
    if (result != 0) return -1;
    file->device = status->st_dev;
    file->number = status->st_ino;
    file->changed = 0;
    if (!S_ISDIR(status->st_mode)) file->changed = nanoseconds(&status->st_ctim);
    return 0;
}

int system_file_at(const char *path, struct system_file *file) {
    struct stat status;
    return identify(lstat(path, &status), &status, file);
}

int system_file_of(int fd, struct system_file *file) {
    struct stat status;
    return identify(fstat(fd, &status), &status, file);
}
int system_open_place(const char *path) {
    int fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || system_is_place(fd)) return fd;
    close(fd);
    errno = ENOTSOCK;
    return -1;
}
int system_is_place(int fd) {
    struct stat status;
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_PATH) && fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}
int system_packet_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends);
}
void system_publish_record(void *to, const void *record, size_t count) {
    uint32_t first;
    memcpy(&first, record, sizeof first);
    memcpy((char *)to + sizeof first, (const char *)record + sizeof first, count - sizeof first);
    __atomic_store_n((uint32_t *)to, first, __ATOMIC_RELEASE);
}

void system_prefetch_for_writing(const void *start, size_t count) {
    for (size_t offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)start + offset, 1);
}

ssize_t system_packet_send(int fd, const void *bytes, size_t count, int carried) {
    struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (carried >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof carried);
        memcpy(CMSG_DATA(header), &carried, sizeof carried);
    }
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

ssize_t system_packet_receive(int fd, void *bytes, size_t capacity, int *carried, int *unwanted) {
    struct iovec content = {.iov_base = bytes, .iov_len = capacity};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    *unwanted = 0;
    if (carried) {
        *carried = -1;
        message.msg_control = control.bytes;
        // Room for one descriptor: with the padding there would be room for two.
        message.msg_controllen = CMSG_LEN(sizeof *carried);
    }
    ssize_t count = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    // The kernel has closed the descriptors without room.
    if (message.msg_flags & MSG_CTRUNC) *unwanted = 1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        for (size_t at = 0; at + sizeof(int) <= header->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
            int found;
            memcpy(&found, CMSG_DATA(header) + at, sizeof found);
            if (*carried < 0 && !*unwanted) {
                *carried = found;
            } else {
                close(found);
                *unwanted = 1;
            }
        }
    }
    if (*unwanted && carried && *carried >= 0) {
        close(*carried);
        *carried = -1;
    }
    return count;
}

int system_is_packet_socket(int fd) {
    int domain = 0, type = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return 0;
    size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return 0;
    return domain == AF_UNIX && type == SOCK_SEQPACKET;
}
int system_duplicate_above(int fd, int least) { return fcntl(fd, F_DUPFD_CLOEXEC, least); }
int system_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
int system_close_on_exec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }

int system_spawn(const char *path, char *const arguments[], char *const environment[], const int *fds, int count,
                 int output, int32_t *pid) {
    enum { most = 8 };
    int high[most];
    if (count > most) return EINVAL;
    // As low as possible: a limit on open files bounds the number too.
    int least = 3 + count;
    int failure = 0;
    int made = 0;
    // First moves the descriptors above 3, 4, …, so that placing one cannot close another.
    for (; made < count; made++) {
        high[made] = fcntl(fds[made], F_DUPFD_CLOEXEC, least);
        if (high[made] < 0) {
            failure = errno;
            break;
        }
    }
    if (!failure) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        for (int fd = 1; fd <= 2 && output >= 0; fd++) posix_spawn_file_actions_adddup2(&actions, output, fd);
        for (int i = 0; i < count; i++) posix_spawn_file_actions_adddup2(&actions, high[i], 3 + i);
        posix_spawn_file_actions_addclosefrom_np(&actions, 3 + count);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        pid_t child = 0;
        failure = posix_spawn(&child, path, &actions, &attributes, arguments, environment);
        if (!failure) *pid = child;
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    for (int i = 0; i < made; i++) close(high[i]);
    return failure;
}
