// xvfb.c: the way of a pointer motion through an X server, from one client to another: a peer of the group's way of a touch.
//
//     source ─XTEST motion─▶ X server ─MotionNotify─▶ sink ─a byte─▶ source, which sends the next one
//
//     xvfb latency COUNT    the time from the source's request until the sink has the event: `p50 µs`, `p99 µs`
//     xvfb rate COUNT       motions sent as fast as the server takes them: `events a second`, and the share that arrived
//
// The display is that of DISPLAY. The sink is a process of its own, with a priority that is higher by two under SCHED_FIFO
// if this process has that policy, so that the server can have the one between (Tools/peers/measure).

#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { width = 400, height = 600, warm_up = 2000 };

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static Display *connect(void) {
    Display *display = XOpenDisplay(NULL);
    if (!display) {
        fprintf(stderr, "xvfb: no connection to display %s\n", XDisplayName(NULL));
        exit(1);
    }
    return display;
}

// Two positions in turn, so that every motion is one.
static void move(Display *display, long number) {
    XTestFakeMotionEvent(display, -1, 100 + (int)(number % 2), 100, CurrentTime);
}

struct shared {
    // The time of the last request, in nanoseconds.
    volatile uint64_t sent;
    // When the sink received its first and its last event, and how many it received.
    volatile uint64_t first, last, received;
    uint64_t latencies[];
};

// Receives `count` events, or until `source` hangs up.
static void receive(struct shared *shared, long count, int answers, int ready, int is_closed_loop) {
    struct sched_param parameters;
    if (sched_getscheduler(0) == SCHED_FIFO && sched_getparam(0, &parameters) == 0) {
        parameters.sched_priority += 2;
        sched_setscheduler(0, SCHED_FIFO, &parameters);
    }
    Display *display = connect();
    XSetWindowAttributes attributes = {.override_redirect = True, .event_mask = PointerMotionMask};
    Window window = XCreateWindow(
        display, DefaultRootWindow(display), 0, 0, width, height, 0, CopyFromParent, InputOutput, CopyFromParent,
        CWOverrideRedirect | CWEventMask, &attributes);
    XMapRaised(display, window);
    XSync(display, False);
    if (write(ready, "", 1) != 1) _exit(1);
    for (long number = 0; number < count; number++) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type != MotionNotify) {
            number -= 1;
            continue;
        }
        uint64_t time = now();
        if (number == 0) shared->first = time;
        shared->last = time;
        shared->received += 1;
        if (!is_closed_loop) {
            if (event.xmotion.x_root == width - 1) break;
            continue;
        }
        if (number >= warm_up) shared->latencies[number - warm_up] = time - shared->sent;
        if (write(answers, "", 1) != 1) break;
    }
}

int main(int count, char **words) {
    int is_closed_loop = count == 3 && strcmp(words[1], "latency") == 0;
    long frames = count == 3 ? atol(words[2]) : 0;
    if (frames <= 0 || (!is_closed_loop && strcmp(words[1], "rate") != 0)) {
        fprintf(stderr, "xvfb: expected latency COUNT or rate COUNT\n");
        return 2;
    }
    long all = frames + (is_closed_loop ? warm_up : 1);
    struct shared *shared = mmap(
        NULL, sizeof *shared + (size_t)all * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int answers[2], ready[2];
    if (shared == MAP_FAILED || pipe(answers) != 0 || pipe(ready) != 0) return 1;
    pid_t sink = fork();
    if (sink < 0) return 1;
    if (sink == 0) {
        close(answers[0]);
        close(ready[0]);
        receive(shared, all, answers[1], ready[1], is_closed_loop);
        _exit(0);
    }
    close(answers[1]);
    close(ready[1]);
    Display *display = connect();
    char byte;
    if (read(ready[0], &byte, 1) != 1) return 1;
    uint64_t start = now();
    for (long number = 0; number < all; number++) {
        if (is_closed_loop) shared->sent = now();
        if (!is_closed_loop && number == all - 1) XTestFakeMotionEvent(display, -1, width - 1, 100, CurrentTime);
        else move(display, number);
        if (!is_closed_loop) continue;
        XFlush(display);
        if (read(answers[0], &byte, 1) != 1) return 1;
    }
    XFlush(display);
    int status = 0;
    waitpid(sink, &status, 0);
    if (is_closed_loop) {
        qsort(shared->latencies, (size_t)frames, sizeof(uint64_t), by_value);
        printf("%.1f %.1f\n", (double)shared->latencies[frames / 2] / 1e3, (double)shared->latencies[frames * 99 / 100] / 1e3);
    } else {
        printf("%.0f %.3f\n", (double)shared->received / (double)(shared->last - start) * 1e9, (double)shared->received / (double)all);
    }
    return status == 0 ? 0 : 1;
}
