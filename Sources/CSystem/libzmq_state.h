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

struct epoll_event;
// The kernel's epoll_wait.
int libzmq_kernel_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds);
// The wait of an I/O thread, in which its loop may be lent.
int libzmq_loop_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds);
// The mailbox among the descriptors of an instance, with what libzmq's thread wants to be told; -1 if there is none.
int libzmq_mailbox_of(int epoll, struct epoll_event *event);
// 1 if the kernel need not have a signal that this thread gives to this mailbox; and whether it lacks any; and gives them
// to the kernel.
int libzmq_keeps_signals(int fd);
int libzmq_has_kept(int fd);
void libzmq_pass_kept(int fd);
// The descriptor is about to be closed.
void libzmq_loop_closes(int fd);
// A thread waits for this instance for the first time; and the instance is closed.
void libzmq_loop_begins(int epoll);
void libzmq_loop_ends(int epoll);

#pragma GCC visibility pop

#endif
