// link.h: one end of a connection of a relay, for each transport.

#ifndef TOUCHLINE_REFERENCE_LINK_H
#define TOUCHLINE_REFERENCE_LINK_H

#include "reference.h"

struct link;

// The functions of a transport. A function that fails sets errno.
struct transport {
    // The memory for the next packet; valid until `send`. NULL on failure.
    unsigned char *(*prepare)(struct link *link);
    // Sends the prepared packet, and waits for room. 0, or -1.
    int (*send)(struct link *link, size_t count);
    // Waits for a packet. Its bytes are valid until the next call; NULL on failure.
    const unsigned char *(*receive)(struct link *link);
    // Sends what is left, and frees everything.
    void (*close)(struct link *link);
};

struct link {
    const struct transport *transport;
    int spins;
};

// The end that a role has. NULL and errno on failure.
struct link *zmq_link_open(const struct reference_plan *plan, int is_output);
struct link *packet_link_open(int socket, int spins);
struct link *ring_link_open(int memory, int is_middle, int spins);

// Makes the memory of a ring.
int ring_link_create(void);

#endif
