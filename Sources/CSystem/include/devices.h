// devices.h: the kernel's requests and structures for input devices, for Swift.
//
// The numbers are the kernel's own macros, computed by the C compiler.

#ifndef TOUCHLINE_DEVICES_H
#define TOUCHLINE_DEVICES_H

#include <stddef.h>
#include <stdint.h>

// Requests of an evdev device. `length` is the size of the answer's buffer in bytes.
uint32_t system_evdev_version(void);
uint32_t system_evdev_id(void);
uint32_t system_evdev_name(uint32_t length);
uint32_t system_evdev_place(uint32_t length);
uint32_t system_evdev_properties(uint32_t length);
uint32_t system_evdev_bits(uint32_t type, uint32_t length);
uint32_t system_evdev_axis(uint32_t code);
uint32_t system_evdev_slots(uint32_t length);
uint32_t system_evdev_grab(void);
uint32_t system_evdev_clock(void);

// Requests of a hidraw device.
uint32_t system_hidraw_descriptor_size(void);
uint32_t system_hidraw_descriptor(void);
uint32_t system_hidraw_info(void);
uint32_t system_hidraw_name(uint32_t length);
uint32_t system_hidraw_place(uint32_t length);

// The parts of a request: its type ('E' evdev, 'H' hidraw), its number, and the length of its argument.
uint32_t system_request_type(uint32_t request);
uint32_t system_request_number(uint32_t request);
uint32_t system_request_length(uint32_t request);

enum {
    system_event_size = 24,
    system_hid_descriptor_limit = 4096,
    system_event_types = 0x20,
    system_axes = 0x40,
    // The bytes of the longest list of codes, EV_KEY's.
    system_code_bytes = 96,
    system_property_bytes = 4,
};

// The answer's length, or -1 and errno. An interrupted call is repeated.
int system_ioctl(int fd, uint32_t request, void *argument);
int system_ioctl_value(int fd, uint32_t request, uintptr_t value);

int system_inotify_create(void);
// Watches a folder for names that appear, vanish or change. -1 and errno on failure.
int system_inotify_watch_folder(int inotify, const char *path);
// Watches only for names that appear: for the parent of a missing folder.
int system_inotify_await(int inotify, const char *path);
// Watches for names that vanish or are replaced, and for the folder itself.
int system_inotify_watch_removals(int inotify, const char *path);
// Reads and discards all events.
void system_inotify_clear(int inotify);
void system_inotify_forget(int inotify, int watch);

// One event of an inotify instance. The name has at most 255 bytes and a final zero.
struct system_change {
    int watch;
    // Bits of system_came, …
    uint32_t what;
    char name[256];
};
enum {
    system_came = 1,
    system_went = 2,
    system_changed = 4,
    // The folder itself is gone, and the watch with it.
    system_ended = 8,
    // Events were lost: read the folder again.
    system_overflowed = 16,
};
// Reads the events of one read into `changes`. Their number; 0 if there are none; -1 and errno on failure.
int system_inotify_next(int inotify, struct system_change *changes, int capacity);

// Sockets of virtual devices: SOCK_SEQPACKET, closed on exec, not blocking.
int system_packet_connect(const char *path);
int system_packet_listen(const char *path, int backlog);
int system_packet_accept(int fd);

#endif
