// system.h: the calls of Linux that Swift's Glibc module lacks, or that are variadic C.
//
// Nothing is decided here. Every function does one call; those that fail answer -1 and leave errno.

#ifndef TOUCHLINE_SYSTEM_H
#define TOUCHLINE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "confine.h"
#include "devices.h"

// CLOCK_MONOTONIC, nanoseconds.
int64_t system_clock(void);

// One fd that is ready, by the token it was watched with.
struct system_ready {
    uint64_t token;
    uint32_t events;
};

enum { system_readable = 0x001, system_writable = 0x004, system_failed = 0x008, system_hung_up = 0x010 };

int system_epoll_create(void);
int system_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int system_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int system_epoll_remove(int epoll, int fd);
// Milliseconds; -1 waits without end. An interrupted wait is no failure: it answers 0.
int system_epoll_wait(int epoll, struct system_ready *ready, int capacity, int milliseconds);

int system_eventfd_create(void);
void system_eventfd_signal(int fd);
void system_eventfd_clear(int fd);

// A timer on CLOCK_MONOTONIC. Moments are absolute nanoseconds; INT64_MAX disarms it.
int system_timerfd_create(void);
int system_timerfd_set(int fd, int64_t moment);
void system_timerfd_clear(int fd);

// Blocks SIGTERM, SIGINT and SIGHUP in this thread and answers an fd that tells of them; `previous` keeps the mask.
#define SYSTEM_MASK_SIZE 128
int system_signalfd_create(uint8_t previous[SYSTEM_MASK_SIZE]);
// The next signal's number, 0 when there is none.
int system_signalfd_next(int fd);
void system_restore_signals(const uint8_t previous[SYSTEM_MASK_SIZE]);

int system_pidfd_open(int32_t pid);
int system_pidfd_signal(int pidfd, int signal);
// Reaps the child behind a pidfd. 1: it is gone, `code` is its exit code or signal; 0: it lives.
int system_pidfd_reap(int pidfd, int *was_signalled, int *code);

// Kills this process with SIGKILL when the thread that started it is gone.
int system_die_with_parent(void);
int system_no_new_privileges(void);
// Chance from the kernel, at most 256 bytes of it, all or none.
int system_random(void *to, size_t count);
// Soft limit of open descriptors up to the hard one.
void system_raise_descriptor_limit(void);

// No file that this process writes grows beyond so many bytes from now on (EFBIG), unless its limit is less already.
void system_limit_file_size(uint64_t bytes);

// Pins this thread, and threads it starts from now on, to these CPUs.
int system_pin(const int *cpus, size_t count);

// How long, in nanoseconds, this thread and those and the processes it starts from now on may keep a CPU from another
// that has to run. Linux before 6.12 takes it and does nothing.
int system_set_slice(int64_t nanoseconds);
// The same of a thread, as the kernel has it; -1 for none.
int64_t system_slice(int32_t thread);

// Who is at the other end of a unix socket; for a client that is whoever called listen.
int system_peer(int fd, int32_t *pid, uint32_t *uid);

// When what is in a folder, or a file, was last changed: nanoseconds of the wall clock; -1 when it is not there.
int64_t system_modified(const char *path);

// Removes a file, or a folder with all there is in it, and follows no link. -1 with errno when something stays: also of a
// tree of more than 64 folders within each other, or more than a million entries (ENOTEMPTY).
int system_remove_tree(const char *path);

// Which file it is, whatever it is called. Of one that is no folder also when it was last changed, in nanoseconds of the
// wall clock: a file system gives the number of a file that was removed to the next one.
struct system_file {
    uint64_t device, number;
    int64_t changed;
};
// The file at a path, a link itself and not what it leads to; or the one that is open.
int system_file_at(const char *path, struct system_file *file);
int system_file_of(int fd, struct system_file *file);

// A listening stream socket in the file system, mode 0600, not blocking, closed on exec.
int system_unix_listen(const char *path, int backlog);
// A listening tcp socket on a numeric address, IPv4 or IPv6, and a port, 0 for any that is free; not blocking, closed on
// exec. EINVAL when the address is none.
int system_tcp_listen(const char *address, uint16_t port, int backlog);
// The port a tcp socket is bound to, or 0.
uint16_t system_tcp_port(int fd);
// A stream socket connected to whoever listens there, not blocking, closed on exec.
int system_unix_connect(const char *path);
// Names the calling thread, in at most 15 bytes, for ps and debuggers.
void system_name_thread(const char *name);
// A socket's file as a place to connect to, by /proc/self/fd; -1 where it is none.
int system_open_place(const char *path);
// 1 if this is such a place.
int system_is_place(int fd);
// Opens /dev/null in place of each of descriptors 0, 1 and 2 that is closed.
void system_hold_standard_streams(void);
// A pair of connected SOCK_SEQPACKET sockets, closed on exec, not blocking.
int system_packet_pair(int ends[2]);
// A packet, without waiting, and a descriptor that it carries; -1 for none.
ssize_t system_packet_send(int fd, const void *bytes, size_t count, int carried);
// The next packet, without waiting. `carried` is the one descriptor that came with it, closed on exec, or -1; NULL where
// none may come. Any other descriptor is closed, and `unwanted` is 1.
ssize_t system_packet_receive(int fd, void *bytes, size_t capacity, int *carried, int *unwanted);
// 1 when the fd is a unix SOCK_SEQPACKET socket.
int system_is_packet_socket(int fd);
// A copy numbered at least `least`, closed on exec.
int system_duplicate_above(int fd, int least);
int system_set_nonblocking(int fd);
int system_close_on_exec(int fd);

// Copies a record of at least four bytes into memory that outlives this process, its first four bytes last: a reader
// finds all of it or none, whenever this process is killed. `to` is a multiple of four.
void system_publish_record(void *to, const void *record, size_t count);

// Starts a program as its own process group, signals at their defaults and unblocked, stdin from /dev/null, and
// descriptors `fds` as 3, 4, … and no others. `output` becomes stdout and stderr; -1: they stay this process's.
// 0, or the errno of why not.
int system_spawn(const char *path, char *const arguments[], char *const environment[], const int *fds, int count,
                 int output, int32_t *pid);

#endif
