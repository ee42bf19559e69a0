// output.c: writes to an inherited descriptor without waiting for its reader.

#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int system_output_open(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) return -1;
    if (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)) {
        errno = ENOTSUP;
        return -1;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

ssize_t system_output_write(int fd, int own, const void *bytes, size_t count) {
    if (own >= 0) return write(own, bytes, count);
    ssize_t sent = send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0 || errno != ENOTSOCK) return sent;
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    if (poll(&room, 1, 0) <= 0) {
        errno = EAGAIN;
        return -1;
    }
    // A writable pipe has room for this many bytes.
    return write(fd, bytes, count < PIPE_BUF ? count : PIPE_BUF);
}

int system_output_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
    int failure = errno;
    close(ends[0]);
    close(ends[1]);
    errno = failure;
    return -1;
}
