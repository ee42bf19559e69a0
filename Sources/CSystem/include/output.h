// output.h: writes to an inherited descriptor without ever waiting for its reader.

#ifndef TOUCHLINE_OUTPUT_H
#define TOUCHLINE_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

// Opens the same pipe or terminal a second time, not blocking: the flag on the inherited descriptor would affect all
// processes that share it. -1 for a file or a socket, or without /proc.
int system_output_open(int fd);

// Writes as much as there is room for now, through `own` if it is 0 or more. The number of bytes; -1 and errno, EAGAIN
// without room.
ssize_t system_output_write(int fd, int own, const void *bytes, size_t count);

// Makes a pipe: ends[0] is for reading and does not block, ends[1] is for writing and blocks. 0, or -1 and errno.
int system_output_pipe(int ends[2]);

#endif
