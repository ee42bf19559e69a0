// confine.h: what a process may still do once it has started; and what somebody else could.

#ifndef TOUCHLINE_CONFINE_H
#define TOUCHLINE_CONFINE_H

#include <stddef.h>
#include <stdint.h>

// 1 in a build whose runtime traces itself: a sanitizer's.
int system_is_sanitized(void);

// Nobody of this user reads this process's memory, and it leaves no core file (PR_SET_DUMPABLE).
int system_keep_secrets(void);

// 0 where the kernel has none.
int system_landlock_version(void);

// From now on this thread and those it starts open these files, and those in these folders, and no others, and run no
// program (Landlock): the first to write and read, the others to read. What is open already stays so. 1, or 0 where the
// kernel has none.
int system_keep_to_files(
    const char *const writable[], size_t writable_count, const char *const readable[], size_t readable_count);

// From now on all threads of this process may make the calls its work takes, and no others (seccomp): what serves nobody
// but whoever has taken it over kills it, the rest fails with EPERM. `may` is what its work takes besides. It connects
// to addresses that are `address_length` bytes long and no others; -1 is any, 0 none.
enum { system_may_ask_devices = 1, system_may_call_tcp = 2 };
int system_confine_calls(int may, int address_length);

// The one socket that a child connects to: the supervisor opens its file (O_PATH), and the child has it as descriptor 4. Then
// its working directory is /proc/self/fd, its address the name "4", and that is as long as an address may be. The path of
// the socket may be gone by then.
enum { system_door_descriptor = 4, system_door_length = 3 };
int system_stand_at_door(void);

// What becomes of a process that has been confined so, and then tries this: 0 when it may, the errno of why not, 256 and
// the signal that ended it; 255 when it could not be confined. For tests.
enum {
    system_attempt_program, system_attempt_fork, system_attempt_trace, system_attempt_network, system_attempt_local,
    system_attempt_code, system_attempt_signal, system_attempt_write, system_attempt_write_inside, system_attempt_read,
    system_attempt_ioctl, system_attempt_datagram, system_attempt_raw,
    // Signals by other doors, and the scheduling of others.
    system_attempt_owner, system_attempt_owner_ex, system_attempt_owner_signal, system_attempt_lease,
    system_attempt_device_owner, system_attempt_flags, system_attempt_own_affinity, system_attempt_affinity,
    system_attempt_scheduler, system_attempt_priority, system_attempt_limits, system_attempt_own_limits,
    system_attempt_thread_signal, system_attempt_queue_signal, system_attempt_timer_signal, system_attempt_pidfd,
    // A thread; one with a network, or users, of its own. A folder. Another working directory.
    system_attempt_thread, system_attempt_thread_namespace, system_attempt_thread_user, system_attempt_folder,
    system_attempt_move
};
int system_attempt_confined(int what, const char *folder, int may);

// The same of one that keeps to these files, and tries this with a path.
enum {
    system_attempt_open, system_attempt_change, system_attempt_cut, system_attempt_list, system_attempt_remove,
    system_attempt_make, system_attempt_link, system_attempt_rename, system_attempt_place, system_attempt_connect
};
int system_attempt_with(
    int what, const char *path, const char *const writable[], size_t writable_count, const char *const readable[],
    size_t readable_count);

// The same of one that stands at a door, the path of a socket, and connects to this path by an address that is so many bytes
// long.
int system_attempt_connection(const char *door, const char *path, int length, int may);

// A packet of one byte that carries this descriptor so often, at most 64 times: what no process of a group sends. 0, or -1.
int system_send_descriptors(int fd, int carried, int count);

// As that user, on a thread of its own: connects to a unix socket so often. How often it could; -1 when this process may
// not become that user.
int system_knock_as(uint32_t uid, const char *path, int count);

// As that user, on a thread of its own: calls listen on a bound unix socket, so that its callers see that user. 0, or -1.
int system_listen_as(uint32_t uid, int listener, int backlog);

#endif
