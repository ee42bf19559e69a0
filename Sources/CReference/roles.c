// roles.c: the three processes of a relay.

#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The beginning of every packet.
struct head {
    int64_t number, due, sent;
};

// The numbers of packets that are not measured: the first one of each connection, and the last one.
enum { number_hello = 0, number_last = -1 };

// One process while it plays its role.
struct play {
    const struct reference_plan *plan;
    struct link *input, *output;
    struct reference_results *results;
    size_t results_size;
    int system_calls;
    struct reference_counts before;
    const char *failed;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void wait_until(int64_t moment, int spins) {
    if (spins) {
        while (now() < moment) sched_yield();
        return;
    }
    struct timespec time = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

// MARK: Counts

static struct reference_counts counts(const struct play *play) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct reference_counts){
        .voluntary = (uint64_t)usage.ru_nvcsw,
        .involuntary = (uint64_t)usage.ru_nivcsw,
        .system_calls = reference_counter_read(play->system_calls),
    };
}

static void begin_counts(struct play *play, int64_t number) {
    if (number == play->plan->warm_up + 1) play->before = counts(play);
}

static void end_counts(struct play *play) {
    struct reference_counts after = counts(play);
    play->results->counts[play->plan->role] = (struct reference_counts){
        .voluntary = after.voluntary - play->before.voluntary,
        .involuntary = after.involuntary - play->before.involuntary,
        .system_calls = after.system_calls - play->before.system_calls,
        .cpu = (uint64_t)sched_getcpu(),
    };
}

// MARK: Packets

static int failed(struct play *play, const char *call) {
    if (!play->failed) play->failed = call;
    return -1;
}

static const struct head *receive(struct play *play, struct link *link) {
    const unsigned char *bytes = link->transport->receive(link);
    if (!bytes) failed(play, "receive");
    return (const struct head *)bytes;
}

static int send_packet(struct play *play, struct link *link, struct head head, size_t size) {
    unsigned char *bytes = link->transport->prepare(link);
    if (!bytes) return failed(play, "send");
    memcpy(bytes, &head, sizeof head);
    return link->transport->send(link, size) == 0 ? 0 : failed(play, "send");
}

static int send_receipt(struct play *play, struct link *link) {
    return send_packet(play, link, (struct head){0}, play->plan->output_size);
}

// MARK: Roles

static int play_source(struct play *play) {
    const struct reference_plan *plan = play->plan;
    // The kernel may end a sleep late by the slack of its thread, 50 µs by default.
    prctl(PR_SET_TIMERSLACK, 1);
    // The middle answers once the sink is connected too.
    if (send_packet(play, play->input, (struct head){.number = number_hello}, plan->input_size) != 0) return -1;
    if (!receive(play, play->input)) return -1;

    int64_t due = now();
    for (int64_t number = 1; number <= plan->warm_up + plan->frames; number++) {
        begin_counts(play, number);
        if (plan->period == 0) {
            due = now();
        } else if ((number - 1) % plan->burst == 0) {
            due += plan->period;
            wait_until(due, plan->spins);
        }
        struct head head = {.number = number, .due = due, .sent = now()};
        if (send_packet(play, play->input, head, plan->input_size) != 0) return -1;
        if (plan->period == 0 && !receive(play, play->input)) return -1;
    }
    if (send_packet(play, play->input, (struct head){.number = number_last}, plan->input_size) != 0) return -1;
    if (!receive(play, play->input)) return -1;
    end_counts(play);
    return 0;
}

static int play_middle(struct play *play) {
    const struct reference_plan *plan = play->plan;
    if (!receive(play, play->input) || !receive(play, play->output)) return -1;
    if (send_receipt(play, play->input) != 0) return -1;
    while (1) {
        const struct head *head = receive(play, play->input);
        if (!head) return -1;
        int64_t number = head->number;
        begin_counts(play, number);
        if (number == number_last) end_counts(play);
        unsigned char *bytes = play->output->transport->prepare(play->output);
        if (!bytes) return failed(play, "send");
        // A frame to an app is shorter than the scan it came from.
        memcpy(bytes, head, plan->output_size);
        if (play->output->transport->send(play->output, plan->output_size) != 0) return failed(play, "send");
        if (plan->period != 0 && number != number_last) continue;
        if (!receive(play, play->output)) return -1;
        if (send_receipt(play, play->input) != 0) return -1;
        if (number == number_last) return 0;
    }
}

static int play_sink(struct play *play) {
    const struct reference_plan *plan = play->plan;
    struct reference_sample *samples = play->results->samples;
    if (send_receipt(play, play->output) != 0) return -1;
    int64_t expected = 1;
    while (1) {
        const struct head *head = receive(play, play->output);
        int64_t received = now();
        if (!head) return -1;
        if (head->number == number_last) break;
        begin_counts(play, head->number);
        if (head->number != expected++) {
            errno = EPROTO;
            return failed(play, "the order of packets");
        }
        if (head->number > plan->warm_up)
            samples[head->number - plan->warm_up - 1] =
                (struct reference_sample){.due = head->due, .sent = head->sent, .received = received};
        if (plan->period == 0 && send_receipt(play, play->output) != 0) return -1;
    }
    end_counts(play);
    if (expected != plan->warm_up + plan->frames + 1) {
        errno = EPROTO;
        return failed(play, "the number of packets");
    }
    return send_receipt(play, play->output);
}

// MARK: One process

static struct link *open_link(const struct reference_plan *plan, int is_output) {
    int descriptor = is_output ? plan->output : plan->input;
    switch (plan->transport) {
    case reference_zmq: return zmq_link_open(plan, is_output);
    case reference_seqpacket: return packet_link_open(descriptor, plan->spins);
    case reference_ring: return ring_link_open(descriptor, plan->role == reference_middle, plan->spins);
    }
    errno = EINVAL;
    return NULL;
}

static size_t results_size(int64_t frames) {
    return sizeof(struct reference_results) + (size_t)frames * sizeof(struct reference_sample);
}

int reference_results_create(int64_t frames) {
    int memory = memfd_create("touchline-samples", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, (off_t)results_size(frames)) == 0) return memory;
    int failure = errno;
    close(memory);
    errno = failure;
    return -1;
}

int reference_connect(enum reference_transport transport, int ends[2]) {
    if (transport == reference_seqpacket) return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
    ends[0] = ring_link_create();
    ends[1] = ends[0] < 0 ? -1 : dup(ends[0]);
    return ends[1] < 0 ? -1 : 0;
}

static int play_role(struct play *play) {
    switch (play->plan->role) {
    case reference_source: return play_source(play);
    case reference_middle: return play_middle(play);
    case reference_sink: return play_sink(play);
    }
    errno = EINVAL;
    return failed(play, "the role");
}

static int open_all(struct play *play) {
    const struct reference_plan *plan = play->plan;
    play->results_size = results_size(plan->frames);
    // Populated, so that no sample waits for a page.
    void *results = mmap(NULL, play->results_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, plan->results, 0);
    if (results == MAP_FAILED) return failed(play, "mmap");
    play->results = results;
    // Opened before libzmq starts its thread, which inherits it.
    if (plan->tracepoint) {
        enum { tracepoint_type = 2 };
        play->system_calls = reference_counter_open(tracepoint_type, plan->tracepoint, 0, 1);
        if (play->system_calls < 0) return failed(play, "perf_event_open");
    }
    if (plan->role != reference_sink && !(play->input = open_link(plan, 0))) return failed(play, "connect");
    if (plan->role != reference_source && !(play->output = open_link(plan, 1))) return failed(play, "connect");
    return 0;
}

int reference_play(const struct reference_plan *plan, const char **failure) {
    struct play play = {.plan = plan, .system_calls = -1};
    *failure = "the sizes of packets";
    errno = EINVAL;
    uint32_t limit = plan->transport == reference_zmq ? reference_batch_limit : reference_packet_limit;
    if (plan->input_size > limit || plan->output_size > plan->input_size
        || plan->output_size < sizeof(struct head))
        return -1;
    int result = open_all(&play) == 0 ? play_role(&play) : -1;
    int error = errno;
    if (play.input) play.input->transport->close(play.input);
    if (play.output) play.output->transport->close(play.output);
    if (play.results) munmap(play.results, play.results_size);
    if (play.system_calls >= 0) close(play.system_calls);
    *failure = play.failed;
    errno = error;
    return result;
}
