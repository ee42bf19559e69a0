// system.h: Linux calls that Swift's Glibc module lacks, or that are variadic C.
//
// Functions that fail return -1 and set errno, unless their comment says otherwise.

#ifndef TOUCHLINE_SYSTEM_H
#define TOUCHLINE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "confine.h"
#include "devices.h"

// CLOCK_MONOTONIC, nanoseconds.
int64_t system_clock(void);

// A ready descriptor, by the token it was watched with.
struct system_ready {
    uint64_t token;
    uint32_t events;
};

enum { system_readable = 0x001, system_writable = 0x004, system_failed = 0x008, system_hung_up = 0x010 };
// Reports each change to readable once, although it is never read (EPOLLET).
static const uint32_t system_edge = 0x80000000;

int system_epoll_create(void);
int system_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int system_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int system_epoll_remove(int epoll, int fd);
// `milliseconds` -1 waits without limit. An interrupted wait returns 0.
int system_epoll_wait(int epoll, struct system_ready *ready, int capacity, int milliseconds);

int system_eventfd_create(void);
void system_eventfd_signal(int fd);
void system_eventfd_clear(int fd);

// A timer on CLOCK_MONOTONIC. Times are absolute nanoseconds; INT64_MAX disarms it.
int system_timerfd_create(void);
int system_timerfd_set(int fd, int64_t moment);
void system_timerfd_clear(int fd);

// Blocks SIGTERM, SIGINT and SIGHUP in this thread and returns a descriptor to read them; `previous` receives the mask.
#define SYSTEM_MASK_SIZE 128
int system_signalfd_create(uint8_t previous[SYSTEM_MASK_SIZE]);
// The next signal's number; 0 if none is pending.
int system_signalfd_next(int fd);
void system_restore_signals(const uint8_t previous[SYSTEM_MASK_SIZE]);

int system_pidfd_open(int32_t pid);
int system_pidfd_signal(int pidfd, int signal);
// Reaps the child behind a pidfd. 1: it has ended, and `code` is its exit code or signal; 0: it runs.
int system_pidfd_reap(int pidfd, int *was_signalled, int *code);

// The kernel kills this process with SIGKILL when the thread that started it ends.
int system_die_with_parent(void);
int system_no_new_privileges(void);
// Random bytes from the kernel: at most 256, all or none.
int system_random(void *to, size_t count);
// Raises the soft limit of open descriptors to the hard limit.
void system_raise_descriptor_limit(void);

// Limits the size of the files that this process writes (EFBIG), unless its limit is lower already.
void system_limit_file_size(uint64_t bytes);

// Pins this thread, and threads it starts from now on, to these CPUs.
int system_pin(const int *cpus, size_t count);

// Sets the scheduler slice of this thread and of the threads and processes it starts later. The slice in nanoseconds is
// how long it may keep a CPU while another thread waits. Linux before 6.12 accepts the call without effect.
int system_set_slice(int64_t nanoseconds);
// The slice of a thread in nanoseconds, as the kernel reports it; -1 on failure.
int64_t system_slice(int32_t thread);

// The process at the other end of a unix socket; for a client, the process that called listen.
int system_peer(int fd, int32_t *pid, uint32_t *uid);

// The modification time of a folder or a file, in nanoseconds of the wall clock; -1 if it is missing.
int64_t system_modified(const char *path);

// Removes a file, or a folder with its content, and follows no link. -1 with errno if something remains. ENOTEMPTY for
// more than 64 nested folders or a million entries.
int system_remove_tree(const char *path);

// The identity of a file independent of its path. For a file, `changed` is its status change time in nanoseconds of the
// wall clock; 0 for a folder. File systems reuse the number of a removed file, so the number alone is not enough.
struct system_file {
    uint64_t device, number;
    int64_t changed;
};
// The file at a path (a link itself, not its target), or an open file.
int system_file_at(const char *path, struct system_file *file);
int system_file_of(int fd, struct system_file *file);

// A listening stream socket in the file system, mode 0600, not blocking, closed on exec.
int system_unix_listen(const char *path, int backlog);
// A listening tcp socket on a numeric address, IPv4 or IPv6, and a port, 0 for any free port; not blocking, closed on
// exec. EINVAL for a wrong address.
int system_tcp_listen(const char *address, uint16_t port, int backlog);
// The port a tcp socket is bound to, or 0.
uint16_t system_tcp_port(int fd);
// Starts a process that resolves one host name whenever it receives a byte, and returns the other end of its link: a
// SOCK_SEQPACKET socket, not blocking, closed on exec. The process ends when that end closes, or with this thread. It
// inherits no other descriptor. Called while this process has no other thread and no secret in its memory.
int system_resolver_start(const char *name);
// One answer of that process: error 0 and the addresses in the order to try them, or a code of getaddrinfo. `failure` is
// the errno of EAI_SYSTEM. `found` counts all addresses of the name, `count` those that are here. An address of IPv4 has
// family 4 and uses four bytes.
enum { system_resolver_limit = 8 };
struct system_resolved {
    int32_t error, failure;
    uint32_t found, count;
    uint32_t families[system_resolver_limit];
    uint8_t addresses[system_resolver_limit][16];
};
// Asks for an answer. 0, or -1 and errno.
int system_resolver_ask(int fd);
// The answer that has arrived: 1; 0 if there is none yet; -1 if the process has ended.
int system_resolver_answer(int fd, struct system_resolved *answer);
// Whether the name is known not to exist, so that asking again soon cannot help.
int system_resolver_is_final(int32_t error);
const char *system_resolver_text(int32_t error);
// A stream socket connected to the listener of a path, not blocking, closed on exec.
int system_unix_connect(const char *path);
// Names the calling thread, in at most 15 bytes, for ps and debuggers.
void system_name_thread(const char *name);
// Opens a socket's file, to connect to it by /proc/self/fd; -1 if it is not a socket.
int system_open_place(const char *path);
// 1 for a descriptor of system_open_place.
int system_is_place(int fd);
// Opens /dev/null in place of each of descriptors 0, 1 and 2 that is closed.
void system_hold_standard_streams(void);
// Writes each line of the C library's stdout at once, also into a pipe. Called before the first line.
void system_buffer_lines(void);
// A pair of connected SOCK_SEQPACKET sockets, closed on exec, not blocking.
int system_packet_pair(int ends[2]);
// Sends a packet without waiting, and a descriptor with it; -1 for none.
ssize_t system_packet_send(int fd, const void *bytes, size_t count, int carried);
// Receives a packet without waiting. `carried` receives the one descriptor that came with it, closed on exec, or -1;
// NULL accepts none. Any other descriptor is closed, and `unwanted` is 1.
ssize_t system_packet_receive(int fd, void *bytes, size_t capacity, int *carried, int *unwanted);
// 1 if the descriptor is a unix SOCK_SEQPACKET socket.
int system_is_packet_socket(int fd);
// Duplicates a descriptor to a number of at least `least`, closed on exec.
int system_duplicate_above(int fd, int least);
int system_set_nonblocking(int fd);
int system_close_on_exec(int fd);

// Copies a record of at least four bytes into memory that survives this process, with its first four bytes last. So a
// reader finds all of it or none, whenever this process is killed. `to` is a multiple of four.
void system_publish_record(void *to, const void *record, size_t count);

// Brings memory into the caches that will be written soon. Never faults.
void system_prefetch_for_writing(const void *start, size_t count);

// Starts a program as its own process group. Signals have their defaults and are unblocked, stdin is /dev/null. The
// descriptors `fds` become 3, 4, …, and no others are inherited. `output` becomes stdout and stderr; -1: they stay this
// process's. 0, or an errno.
int system_spawn(const char *path, char *const arguments[], char *const environment[], const int *fds, int count,
                 int output, int32_t *pid);

#endif
