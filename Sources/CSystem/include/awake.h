// awake.h: keeps the threads of this process on one CPU, and that CPU from sleeping, for a limited time.
//
// A sleeping CPU wakes up late, and waking a thread on another CPU costs an interrupt there. While it is held, the
// threads that wake each other run on one CPU. With a spinner, a thread of the policy SCHED_IDLE keeps that CPU busy
// whenever no other thread wants it. It pauses while another process uses that CPU, which then does not sleep anyway. It
// ends by itself at the end of the hold, whatever the other threads do.
//
// The CPU is the last that the thread which prepares may use, so all processes of a group choose the same one.
// One host of a process uses these functions, on its own thread.

#ifndef TOUCHLINE_AWAKE_H
#define TOUCHLINE_AWAKE_H

#include <stdint.h>

// Chooses the CPU, and starts the spinner if `spins` is 1. Before the process is confined. 0, or -1 and errno.
int awake_prepare(int spins);

// Holds the CPU until a time of CLOCK_MONOTONIC in nanoseconds, or moves the end of the hold.
void awake_hold(int64_t until);
// Ends the hold: this thread may run where it could before.
void awake_release(void);

// Moves the calling thread to the CPU of a hold, or back. Threads of libzmq call it before they wait.
void awake_follow(void);

// The held CPU, or -1; and 1 while the spinner runs. For tests.
int awake_held_cpu(void);
int awake_is_spinning(void);

// 1 if the CPU time of this process's control group is limited: a spinner would use up what the others need.
int awake_is_rationed(void);

#endif
