// confine.h: confines a process after its start; and, for tests, tries forbidden calls and other users.

#ifndef TOUCHLINE_CONFINE_H
#define TOUCHLINE_CONFINE_H

#include <stddef.h>
#include <stdint.h>

// 1 in a sanitizer's build, because its runtime traces its own process.
int system_is_sanitized(void);

// No process of this user can read this process's memory, and it leaves no core file (PR_SET_DUMPABLE).
int system_keep_secrets(void);

// The kernel's Landlock version; 0 if it has none.
int system_landlock_version(void);

// Restricts this thread and the threads it starts to files (Landlock). They may write and read the first list, read the
// second list, including the files in its folders, and run no program. Open files stay open. 1, or 0 if the kernel has
// no Landlock; -1 and errno on failure.
int system_keep_to_files(
    const char *const writable[], size_t writable_count, const char *const readable[], size_t readable_count);

// Restricts all threads of this process to the calls that its work needs (seccomp). Calls that only an attacker makes
// kill the process; other calls fail with EPERM. `may` adds calls. The process may connect only by addresses of
// `address_length` bytes; -1 allows any length, 0 none.
enum { system_may_ask_devices = 1, system_may_call_tcp = 2 };
int system_confine_calls(int may, int address_length);

// Sets the working directory to /proc/self/fd, where the path of a child's only socket is "4". The supervisor opens
// that socket's file (O_PATH), and the child inherits it as descriptor 4. The address has the allowed length, and the
// socket's own path may be removed.
enum { system_door_descriptor = 4, system_door_length = 3 };
int system_stand_at_door(void);

// The result of a call in a confined process. 0 if it is allowed, otherwise its errno. 256 and the signal that ended
// the process. 255 if it could not be confined. For tests.
enum {
    system_attempt_program, system_attempt_fork, system_attempt_trace, system_attempt_network, system_attempt_local,
    system_attempt_code, system_attempt_signal, system_attempt_write, system_attempt_write_inside, system_attempt_read,
    system_attempt_ioctl, system_attempt_datagram, system_attempt_raw,
    // Indirect signals, and the scheduling of other processes.
    system_attempt_owner, system_attempt_owner_ex, system_attempt_owner_signal, system_attempt_lease,
    system_attempt_device_owner, system_attempt_flags, system_attempt_own_affinity, system_attempt_affinity,
    system_attempt_scheduler, system_attempt_priority, system_attempt_limits, system_attempt_own_limits,
    system_attempt_thread_signal, system_attempt_queue_signal, system_attempt_timer_signal, system_attempt_pidfd,
    // A thread; one with its own network or users. A folder. Another working directory.
    system_attempt_thread, system_attempt_thread_namespace, system_attempt_thread_user, system_attempt_folder,
    system_attempt_move
};
int system_attempt_confined(int what, const char *folder, int may);

// The same for a process that is restricted to these files, and a call with a path.
enum {
    system_attempt_open, system_attempt_change, system_attempt_cut, system_attempt_list, system_attempt_remove,
    system_attempt_make, system_attempt_link, system_attempt_rename, system_attempt_place, system_attempt_connect
};
int system_attempt_with(
    int what, const char *path, const char *const writable[], size_t writable_count, const char *const readable[],
    size_t readable_count);

// The same for a process with `door`, the path of a socket, as its only socket. It connects to `path` by an address of
// `length` bytes.
int system_attempt_connection(const char *door, const char *path, int length, int may);

// Sends a packet of one byte that carries this descriptor `count` times, at most 64: no process of a group sends that.
// 0, or -1.
int system_send_descriptors(int fd, int carried, int count);

// Connects to a unix socket `count` times as another user, on a separate thread. The number of successes; -1 if this
// process may not become that user.
int system_knock_as(uint32_t uid, const char *path, int count);

// Calls listen on a bound unix socket as another user, on a separate thread, so that its clients see that user. 0, or
// -1.
int system_listen_as(uint32_t uid, int listener, int backlog);

#endif
