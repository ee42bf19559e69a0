// libzmq_state.h: what mailboxes.c and output_polls.c share.

#ifndef TOUCHLINE_LIBZMQ_STATE_H
#define TOUCHLINE_LIBZMQ_STATE_H

#include "libzmq_calls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ANSWERS_CALLS 0
#endif
#endif
#ifndef ANSWERS_CALLS
#define ANSWERS_CALLS 1
#endif

enum { answered_descriptors = 65536, libzmq_closes_are_seen = ANSWERS_CALLS };

#pragma GCC visibility push(hidden)

// 1 if a function of libzmq's library returns to this address, and its calls are answered.
int libzmq_is_caller(const void *address);
// The descriptor is about to be closed.
void libzmq_output_closes(int fd);

#pragma GCC visibility pop

#endif
