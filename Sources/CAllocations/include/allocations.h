// allocations.h: how often this thread has asked for memory.
//
// A program that links this defines malloc and its kin itself, and hands every call to the C library's own. The
// dynamic linker gives a program's symbols precedence over a library's, so that calls from the program, from the Swift
// runtime and from Foundation all pass here: what is counted is each one, not a sample and not what is still held.

#ifndef TOUCHLINE_ALLOCATIONS_H
#define TOUCHLINE_ALLOCATIONS_H

#include <stdint.h>

// Calls of malloc, calloc, realloc, aligned_alloc, posix_memalign and memalign by this thread since it began.
uint64_t allocations_count(void);

#endif
