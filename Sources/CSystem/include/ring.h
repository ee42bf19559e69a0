// ring.h: packets between two processes through shared memory, one lane in each direction.
//
//     writer ──packet──▶ lane ──packet──▶ reader        the writer rings the bell only if the reader sleeps
//
// Both processes can write all of the memory at any time, so neither end believes what it finds there. An end keeps its
// own positions. It reads each position and each length of the other end once, atomically, checks the value, and uses
// the checked copy only. It copies a packet out before anything else reads the packet. So the other end can end the
// link, and can do nothing else to this process.
//
// The memory, in bytes:
//
//         0  lane 0: head        position up to which the writer has published       written by the writer
//       128          tail        position up to which the reader has taken           written by the reader
//       256          sleeps      not 0 while the reader waits for the bell           set by the reader, cleared by both
//       384  lane 1: the same three
//      4096  the packets of lane 0, ring_capacity bytes
//   266,240  the packets of lane 1, ring_capacity bytes
//
// A position counts bytes since the beginning and never goes back; its low bits are the place in the lane. A packet is
// a word of eight bytes with its length, then its bytes, padded to whole words. It may continue at the lane's start.
// Each value that one end writes often has 128 bytes of its own, because a CPU fetches cache lines of 64 in pairs.
//
// Sources   invented; documented  memfd_create(2), fcntl(2) F_ADD_SEALS, pipe(7)

#ifndef TOUCHLINE_RING_H
#define TOUCHLINE_RING_H

#include <stddef.h>
#include <stdint.h>

enum {
    // Room for 1,000 packets of one touch, about as many as a queue of libzmq has.
    ring_capacity = 262144,
    ring_packet_limit = 65536,
    ring_size = 4096 + 2 * ring_capacity,
};

// What the other end's values contradict.
enum ring_fault {
    ring_fault_none,
    // A position that is not a multiple of eight.
    ring_fault_position,
    // More bytes published than a lane has.
    ring_fault_waiting,
    // More bytes taken than were published, or fewer than before.
    ring_fault_taken,
    // A packet without bytes, or of more than ring_packet_limit.
    ring_fault_length,
    // A packet that ends after the published bytes.
    ring_fault_cut,
};

// One end of a ring. Only the functions below change it.
struct ring_end {
    void *memory;
    // Its number in mapping.h.
    int mapping;
    // Bytes this end has written, and how many of them the other end has taken at least.
    uint64_t written, written_and_taken;
    // Bytes this end has read, and how many the other end has written at least.
    uint64_t read, readable;
    // The first contradiction, with the value and its limit. From then on the end neither reads nor writes.
    int fault;
    uint64_t fault_value, fault_limit;
    // 0 or 1: the lane that this end writes.
    int lane;
};

// Shared memory of ring_size bytes that no process can shrink, grow or unseal, zero, closed on exec. Or -1 with errno.
int ring_create(void);

// Maps the memory as end 0 or 1. -1 with errno; EINVAL if it has another size or lacks a seal.
int ring_open(struct ring_end *end, int memory, int lane);
void ring_close(struct ring_end *end);

enum ring_outcome {
    ring_done,
    // Written, and the reader sleeps: the caller rings the bell.
    ring_done_wake,
    // No room, or no packet.
    ring_not_now,
    ring_faulty,
};

// Writes a packet of 1 to ring_packet_limit bytes.
int ring_write(struct ring_end *end, const void *packet, size_t count);

// Copies the next packet to `packet`, which has room for ring_packet_limit bytes.
int ring_read(struct ring_end *end, void *packet, size_t *count);

// Announces that this end waits for the bell. 1; or 0 if there is a packet, and then the end must not wait.
int ring_sleep(struct ring_end *end);

// The bell of one end: a pipe that the end reads and the other end writes. No process has both, so neither can change
// the flags of the other's descriptor, and no call waits.
int ring_bell_create(int *reading, int *writing);
// Ends no process whose peer has closed the bell.
void ring_bell(int writing);
// Takes the signals that have arrived. Their number, at most 4,096.
int ring_bell_clear(int reading);

#endif
