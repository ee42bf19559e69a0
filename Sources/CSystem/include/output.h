// output.h: writing to a descriptor that somebody else made, without ever waiting for whoever reads it.

#ifndef TOUCHLINE_OUTPUT_H
#define TOUCHLINE_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

// The same pipe or terminal as an open file of this process's own, which does not block: the flag on the one that was
// inherited would be set for everybody who has it. -1 where there is none to be had: for a file, a socket, or without /proc.
int system_output_open(int fd);

// Writes as much as there is room for now: by `own`, if it is 0 or more. How much; -1 and errno, EAGAIN when there is no room.
ssize_t system_output_write(int fd, int own, const void *bytes, size_t count);

// A pipe: ends[0] is for reading and does not block, ends[1] is for writing and does. 0, or -1 and errno.
int system_output_pipe(int ends[2]);

#endif
