// devices.c: requests to input devices, inotify, and the sockets of virtual devices.

#define _GNU_SOURCE
#include "devices.h"

#include <errno.h>
#include <linux/hidraw.h>
#include <linux/input.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(sizeof(struct input_event) == system_event_size, "two 64-bit times, two 16-bit numbers, a value");
_Static_assert(HID_MAX_DESCRIPTOR_SIZE == system_hid_descriptor_limit, "the header's limit is the kernel's");
_Static_assert(EV_CNT == system_event_types && ABS_CNT == system_axes, "the header's counts are the kernel's");
_Static_assert((KEY_CNT + 7) / 8 == system_code_bytes, "the longest list is that of the keys");
_Static_assert((INPUT_PROP_CNT + 7) / 8 == system_property_bytes, "the header's count is the kernel's");

uint32_t system_evdev_version(void) { return EVIOCGVERSION; }
uint32_t system_evdev_id(void) { return EVIOCGID; }
uint32_t system_evdev_name(uint32_t length) { return EVIOCGNAME(length); }
uint32_t system_evdev_place(uint32_t length) { return EVIOCGPHYS(length); }
uint32_t system_evdev_properties(uint32_t length) { return EVIOCGPROP(length); }
uint32_t system_evdev_bits(uint32_t type, uint32_t length) { return EVIOCGBIT(type, length); }
uint32_t system_evdev_axis(uint32_t code) { return EVIOCGABS(code); }
uint32_t system_evdev_slots(uint32_t length) { return EVIOCGMTSLOTS(length); }
uint32_t system_evdev_grab(void) { return EVIOCGRAB; }
uint32_t system_evdev_clock(void) { return EVIOCSCLOCKID; }

uint32_t system_hidraw_descriptor_size(void) { return HIDIOCGRDESCSIZE; }
uint32_t system_hidraw_descriptor(void) { return HIDIOCGRDESC; }
uint32_t system_hidraw_info(void) { return HIDIOCGRAWINFO; }
uint32_t system_hidraw_name(uint32_t length) { return HIDIOCGRAWNAME(length); }
uint32_t system_hidraw_place(uint32_t length) { return HIDIOCGRAWPHYS(length); }

uint32_t system_request_type(uint32_t request) { return _IOC_TYPE(request); }
uint32_t system_request_number(uint32_t request) { return _IOC_NR(request); }
uint32_t system_request_length(uint32_t request) { return _IOC_SIZE(request); }

int system_ioctl(int fd, uint32_t request, void *argument) {
    int result;
    do result = ioctl(fd, (unsigned long)request, argument);
    while (result < 0 && errno == EINTR);
    return result;
}
int system_ioctl_value(int fd, uint32_t request, uintptr_t value) {
    return system_ioctl(fd, request, (void *)value);
}

int system_inotify_create(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }
int system_inotify_watch_folder(int inotify, const char *path) {
    return inotify_add_watch(inotify, path,
                             IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF
                                 | IN_MOVE_SELF | IN_ONLYDIR);
}
int system_inotify_await(int inotify, const char *path) {
    return inotify_add_watch(inotify, path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR | IN_MASK_ADD);
}
int system_inotify_watch_removals(int inotify, const char *path) {
    return inotify_add_watch(inotify, path,
                             IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}
void system_inotify_clear(int inotify) {
    char events[4096];
    while (read(inotify, events, sizeof events) > 0) {}
}
void system_inotify_forget(int inotify, int watch) { inotify_rm_watch(inotify, watch); }

int system_inotify_next(int inotify, struct system_change *changes, int capacity) {
    // The shortest event is a head without a name: a buffer of `capacity` heads never holds more events than `changes`.
    _Alignas(struct inotify_event) char buffer[8192];
    size_t room = (size_t)capacity * sizeof(struct inotify_event);
    if (room > sizeof buffer) room = sizeof buffer;
    if (room < sizeof(struct inotify_event) + 256) {
        errno = EINVAL;
        return -1;
    }
    ssize_t got = read(inotify, buffer, room);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    int count = 0;
    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
        struct system_change *change = &changes[count++];
        change->watch = event->wd;
        change->what = (event->mask & (IN_CREATE | IN_MOVED_TO) ? system_came : 0)
            | (event->mask & (IN_DELETE | IN_MOVED_FROM) ? system_went : 0)
            | (event->mask & IN_ATTRIB ? system_changed : 0)
            | (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) ? system_ended : 0)
            | (event->mask & IN_Q_OVERFLOW ? system_overflowed : 0);
        memset(change->name, 0, sizeof change->name);
        size_t length = event->len < sizeof change->name ? event->len : sizeof change->name - 1;
        if (length > 0) memcpy(change->name, event->name, length);
        at += (ssize_t)(sizeof *event + event->len);
    }
    return count;
}

static int packet_socket(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int closed(int fd) {
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}

int system_packet_connect(const char *path) {
    struct sockaddr_un address;
    int fd = packet_socket(path, &address);
    if (fd < 0) return -1;
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? fd : closed(fd);
}
int system_packet_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    int fd = packet_socket(path, &address);
    if (fd < 0) return -1;
    if (fchmod(fd, 0600) == 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
        && listen(fd, backlog) == 0)
        return fd;
    return closed(fd);
}
int system_packet_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
