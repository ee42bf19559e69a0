// libzmq_calls.h: the calls of libzmq to the kernel whose result this process knows already.
//
// libzmq calls the C library's getpid, poll, read, write, epoll_ctl … by name, and a program's own functions of these
// names take precedence, as in guard.h. The functions here do the same as the C library's. For the mailboxes and the
// epoll instances of libzmq they leave out the calls that change nothing. Docs/Decisions/SystemCalls.md has the reasons
// and the count.
//
//     mailboxes.c     a mailbox is an eventfd: its signals are counted here, so a poll that does not wait needs no kernel
//     output_polls.c  libzmq watches for room to write around every send, although nearly every send finds room
//
// A sanitizer has functions of these names itself. In its builds, and for descriptors that another library made, every
// call reaches the kernel.

#ifndef TOUCHLINE_LIBZMQ_CALLS_H
#define TOUCHLINE_LIBZMQ_CALLS_H

// 1 if libzmq's calls arrive here and are answered here where possible.
int libzmq_calls_are_answered(void);

// MARK: The loop of libzmq's I/O thread, run by the host's thread (lent_loop.c)

// Lets the calling thread, the host, run the loop of the I/O thread from now on. The sockets, as their descriptors of
// libzmq (ZMQ_FD), are used by the host alone until the loan ends. The descriptor to watch: when it is readable, the loop
// has work. -1 if the process has not exactly one I/O thread, or its calls do not arrive here.
int libzmq_lend_loop(const int *sockets, int count);
// The I/O thread runs its loop again.
void libzmq_end_loan(void);
// Runs the loop, if the host has signalled it since or the descriptor is readable (`is_ready`). 1 if it ran: then a socket
// that has received has signals (libzmq_signals), and its descriptor need not be readable. Before each wait the host calls
// this, and looks for signals.
int libzmq_run_loop(int is_ready);
// Notes that the host begins a turn, or, with 1, that it may sleep from now on.
void libzmq_host_turns(int sleeps);

// From here on every call of this process reaches the kernel. Called before the first context, by the relay that
// measures libzmq alone.
void libzmq_calls_pass(void);

// 1 if the descriptor is a mailbox of libzmq whose signals are counted.
int libzmq_is_mailbox(int fd);
// The signals that are counted for a mailbox and not read; and 1 if the kernel reports the descriptor as readable, for
// tests.
long long libzmq_signals(int fd);
int libzmq_kernel_has_signals(int fd);
// 0 if getpid() differs from the kernel's answer in a forked process or in this one. For tests.
int libzmq_process_is_known(void);

#endif
