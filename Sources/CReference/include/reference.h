// reference.h: the barest relays of two hops, the references of `touchline bench latency`.
//
//    source ──▶ middle ──▶ sink ──▶ samples
//       ▲                   │
//       └──── receipts ─────┘   in a closed loop only
//
// Three processes play the roles. Each waits in one blocking call for one packet: no event loop, no decoding, no check
// of the content. A transport is a kind of connection between two of them; the roles are the same for all.
//
// Functions that fail return -1 and set errno, unless their comment says otherwise.

#ifndef TOUCHLINE_REFERENCE_H
#define TOUCHLINE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum reference_transport {
    reference_zmq,       // libzmq over ipc: a DEALER connects to a ROUTER, as the group's processes do
    reference_seqpacket, // a pair of unix SOCK_SEQPACKET sockets
    reference_ring,      // two rings of fixed slots in shared memory; a futex wakes the receiver
};

enum reference_role { reference_source, reference_middle, reference_sink };

// The longest packet in bytes, and the longest over libzmq, in which a packet may stand for a batch of events.
enum { reference_packet_limit = 240, reference_batch_limit = 65536 };

// One run. The two connections are those of the source and of the sink with the middle.
struct reference_plan {
    enum reference_transport transport;
    enum reference_role role;
    // The measured packets, and the packets before them.
    int64_t frames, warm_up;
    // Between two bursts of `burst` packets that are due at once, in nanoseconds; 0 for a closed loop.
    int64_t period, burst;
    // 1: the processes poll and never sleep.
    int spins;
    // Bytes of a packet from the source to the middle, and from the middle to the sink: at least 24, and the second
    // not longer than the first. A receipt is as long as the second.
    uint32_t input_size, output_size;
    // libzmq's addresses, and the middle's listening sockets.
    const char *input_address, *output_address;
    // The connections. For libzmq they are used by the middle only.
    int input, output;
    // The file of reference_results, open for writing.
    int results;
    // The id of the tracepoint of system calls; 0 to count none.
    uint64_t tracepoint;
};

// Events of one process between its first and its last measured packet, and the CPU at the end of them.
struct reference_counts {
    uint64_t voluntary, involuntary, system_calls, cpu;
};

// The times of one packet, in nanoseconds of CLOCK_MONOTONIC. In a closed loop `due` is the time of sending.
struct reference_sample {
    int64_t due, sent, received;
};

// The file of results: the counts of each role, and a sample for each measured packet.
struct reference_results {
    struct reference_counts counts[3];
    struct reference_sample samples[];
};

// Makes the file of results in memory.
int reference_results_create(int64_t frames);

// Makes a connection without a name: two ends for SOCK_SEQPACKET, twice one memory for the ring.
int reference_connect(enum reference_transport transport, int ends[2]);

// Plays a role to its end. On failure `failed` is the name of the call.
int reference_play(const struct reference_plan *plan, const char **failed);

// MARK: Conditions of a measurement

// A counter of perf for a thread, and, if `inherits`, for threads that it starts later. 0 counts this thread. The
// number of its descriptor.
int reference_counter_open(uint32_t type, uint64_t event, int32_t thread, int inherits);
// The count so far; 0 for a counter that is not open.
uint64_t reference_counter_read(int counter);

// The scheduling of a thread.
struct reference_scheduling {
    int policy, priority;
    uint64_t cpus[16];
};
int reference_scheduling_get(int32_t thread, struct reference_scheduling *scheduling);
int reference_scheduling_set(int32_t thread, const struct reference_scheduling *scheduling);
// The policies.
int reference_policy_fifo(void);

// Runs a thread on a CPU that has nothing else to do (SCHED_IDLE), so that the CPU does not sleep. NULL on failure.
struct reference_waker;
struct reference_waker *reference_waker_start(int cpu);
void reference_waker_stop(struct reference_waker *waker);

// Asks the kernel for CPUs without deep sleep while the returned descriptor is open.
int reference_hold_latency(void);

#endif
