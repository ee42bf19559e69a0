// zmq_link.c: libzmq in its cheapest use. A DEALER connects to a ROUTER over ipc; both block in zmq_msg_recv.
//
// A packet to send is memory that libzmq does not free (zmq_msg_init_data without a function), so no packet allocates. A
// slot is used again after more packets than libzmq queues: its I/O thread has copied its bytes by then.

#include "link.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum { queue_limit = 1000, slot_count = 1024, route_limit = 16 };

struct zmq_link {
    struct link link;
    void *socket;
    zmq_msg_t message;
    int is_router;
    // The other end as the router names it.
    unsigned char route[route_limit];
    size_t route_size;
    size_t next, slot_size;
    unsigned char *slots;
};

// The ends of this process. They exist until it ends, because libzmq may send from their slots until its context ends.
static struct zmq_link links[2];
// The middle's two sockets share one context and so one I/O thread, as the server's do.
static void *context;
static int context_users;

static unsigned char *prepare(struct link *link) {
    struct zmq_link *self = (struct zmq_link *)link;
    return self->slots + self->next * self->slot_size;
}

static int send_message(struct zmq_link *self, zmq_msg_t *message, int flags) {
    while (zmq_msg_send(message, self->socket, flags) < 0)
        if (zmq_errno() != EINTR) return -1;
    return 0;
}

static int send_slot(struct link *link, size_t count) {
    struct zmq_link *self = (struct zmq_link *)link;
    zmq_msg_t message;
    if (self->is_router) {
        zmq_msg_init_data(&message, self->route, self->route_size, NULL, NULL);
        if (send_message(self, &message, ZMQ_SNDMORE) != 0) return -1;
    }
    zmq_msg_init_data(&message, prepare(link), count, NULL, NULL);
    self->next = (self->next + 1) % slot_count;
    return send_message(self, &message, 0);
}

static int receive_part(struct zmq_link *self) {
    while (zmq_msg_recv(&self->message, self->socket, self->link.spins ? ZMQ_DONTWAIT : 0) < 0) {
        if (zmq_errno() == EAGAIN && self->link.spins) sched_yield();
        else if (zmq_errno() != EINTR) return -1;
    }
    return 0;
}

static const unsigned char *receive(struct link *link) {
    struct zmq_link *self = (struct zmq_link *)link;
    if (self->is_router) {
        if (receive_part(self) != 0) return NULL;
        self->route_size = zmq_msg_size(&self->message);
        if (self->route_size > route_limit) {
            errno = EPROTO;
            return NULL;
        }
        memcpy(self->route, zmq_msg_data(&self->message), self->route_size);
    }
    return receive_part(self) == 0 ? zmq_msg_data(&self->message) : NULL;
}

static void close_link(struct link *link) {
    struct zmq_link *self = (struct zmq_link *)link;
    zmq_msg_close(&self->message);
    if (self->socket) zmq_close(self->socket);
    if (--context_users == 0)
        while (zmq_ctx_term(context) != 0 && zmq_errno() == EINTR) {}
}

static const struct transport transport = {prepare, send_slot, receive, close_link};

static int set(struct zmq_link *self, int option, int value) {
    return zmq_setsockopt(self->socket, option, &value, sizeof value);
}

static int connect_link(struct zmq_link *self, const char *address, int listener) {
    self->socket = zmq_socket(context, self->is_router ? ZMQ_ROUTER : ZMQ_DEALER);
    if (!self->socket) return -1;
    if (set(self, ZMQ_SNDHWM, queue_limit) != 0 || set(self, ZMQ_RCVHWM, queue_limit) != 0) return -1;
    // The last packet is sent before the process ends; a process without its peer does not wait for ever.
    if (set(self, ZMQ_LINGER, 1000) != 0) return -1;
    if (!self->is_router) return zmq_connect(self->socket, address);
    // Otherwise a full queue loses packets.
    if (set(self, ZMQ_ROUTER_MANDATORY, 1) != 0) return -1;
    return set(self, ZMQ_USE_FD, listener) == 0 ? zmq_bind(self->socket, address) : -1;
}

struct link *zmq_link_open(const struct reference_plan *plan, int is_output) {
    if (!context && !(context = zmq_ctx_new())) return NULL;
    context_users++;
    struct zmq_link *self = &links[is_output];
    self->link = (struct link){.transport = &transport, .spins = plan->spins};
    self->is_router = plan->role == reference_middle;
    zmq_msg_init(&self->message);
    // The slots of short packets lie together in few cache lines, and their pages exist before the first packet.
    self->slot_size = (plan->input_size + 63) / 64 * 64;
    // Never freed: libzmq may send from it until its context ends.
    if (!self->slots && !(self->slots = aligned_alloc(64, slot_count * self->slot_size))) return NULL;
    memset(self->slots, 0xff, slot_count * self->slot_size);
    const char *address = is_output ? plan->output_address : plan->input_address;
    if (connect_link(self, address, is_output ? plan->output : plan->input) == 0) return &self->link;
    int error = errno;
    close_link(&self->link);
    errno = error;
    return NULL;
}
