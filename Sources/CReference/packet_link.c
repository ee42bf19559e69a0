// packet_link.c: a unix SOCK_SEQPACKET socket: one system call sends a packet, one waits for it.

#include "link.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct packet_link {
    struct link link;
    int socket;
    unsigned char sent[reference_packet_limit], received[reference_packet_limit];
};

static unsigned char *prepare(struct link *link) { return ((struct packet_link *)link)->sent; }

static int send_packet(struct link *link, size_t count) {
    struct packet_link *self = (struct packet_link *)link;
    while (send(self->socket, self->sent, count, MSG_NOSIGNAL) < 0)
        if (errno != EINTR) return -1;
    return 0;
}

static const unsigned char *receive(struct link *link) {
    struct packet_link *self = (struct packet_link *)link;
    int flags = link->spins ? MSG_DONTWAIT : 0;
    while (1) {
        // Not `recv`, which a guard of the program replaces (CSystem).
        ssize_t count = recvfrom(self->socket, self->received, sizeof self->received, flags, NULL, NULL);
        if (count > 0) return self->received;
        if (count == 0) {
            errno = ECONNRESET;
            return NULL;
        }
        if (errno == EAGAIN && link->spins) sched_yield();
        else if (errno != EINTR) return NULL;
    }
}

static void close_link(struct link *link) {
    close(((struct packet_link *)link)->socket);
    free(link);
}

static const struct transport transport = {prepare, send_packet, receive, close_link};

struct link *packet_link_open(int socket, int spins) {
    struct packet_link *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->link = (struct link){.transport = &transport, .spins = spins};
    self->socket = socket;
    return &self->link;
}
