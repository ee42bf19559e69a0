// resolver.c: resolves the name of another machine in a process of its own.
//
// A resolver reads files, loads modules of the system and sends datagrams to other machines. The confinement of an app
// permits none of these (confine.c). So this process starts before the app reads its key and is confined. It has one
// name, no key, and no descriptor besides its link. An app that was taken over can only ask for the same name again.

#define _GNU_SOURCE
#include "confine.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void resolve(const char *name, struct system_resolved *answer) {
    *answer = (struct system_resolved){0};
    // One entry for each address: without a type of socket there would be three.
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    answer->error = getaddrinfo(name, NULL, &hints, &list);
    answer->failure = answer->error == EAI_SYSTEM ? errno : 0;
    if (answer->error != 0) return;
    for (struct addrinfo *entry = list; entry; entry = entry->ai_next) {
        if (entry->ai_family != AF_INET && entry->ai_family != AF_INET6) continue;
        answer->found++;
        if (answer->count == system_resolver_limit) continue;
        uint32_t place = answer->count++;
        if (entry->ai_family == AF_INET) {
            answer->families[place] = 4;
            memcpy(answer->addresses[place], &((struct sockaddr_in *)entry->ai_addr)->sin_addr, 4);
        } else {
            answer->families[place] = 6;
            memcpy(answer->addresses[place], &((struct sockaddr_in6 *)entry->ai_addr)->sin6_addr, 16);
        }
    }
    freeaddrinfo(list);
    if (answer->count == 0) answer->error = EAI_NONAME;
}

static void serve(const char *name, int link) {
    // The files of the C library's resolver and of its modules; no home folder, and nothing to write.
    const char *const readable[] = {"/etc", "/run", "/usr", "/lib", "/lib64", "/dev/null"};
    if (!system_is_sanitized()
        && system_keep_to_files(NULL, 0, readable, sizeof readable / sizeof *readable) < 0)
        return;
    struct pollfd item = {.fd = link, .events = POLLIN};
    for (;;) {
        char question;
        ssize_t count = read(link, &question, 1);
        if (count == 0) return;
        if (count < 0) {
            if (errno != EAGAIN && errno != EINTR) return;
            poll(&item, 1, -1);
            continue;
        }
        struct system_resolved answer;
        resolve(name, &answer);
        if (send(link, &answer, sizeof answer, MSG_NOSIGNAL) < 0) return;
    }
}

int system_resolver_start(const char *name) {
    int ends[2];
    if (system_packet_pair(ends) != 0) return -1;
    // The process in between ends at once, so that the resolver is no child of the app: an app that is confined cannot wait
    // for children. The resolver ends when its link is closed; during a lookup, after it.
    pid_t between = fork();
    if (between < 0) {
        int failure = errno;
        close(ends[0]);
        close(ends[1]);
        errno = failure;
        return -1;
    }
    if (between > 0) {
        close(ends[1]);
        int status = 0;
        while (waitpid(between, &status, 0) < 0 && errno == EINTR) {}
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ends[0];
        close(ends[0]);
        errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
        return -1;
    }
    pid_t child = fork();
    if (child != 0) _exit(child < 0 ? errno : 0);
    prctl(PR_SET_NAME, "resolver", 0, 0, 0);
    // Readers of the app's output must not wait for this process.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int number = 0; number < 3; number++) dup2(null, number);
    if (ends[1] != 3) dup2(ends[1], 3);
    syscall(SYS_close_range, 4u, ~0u, 0u);
    serve(name, 3);
    _exit(0);
}

int system_resolver_ask(int fd) { return send(fd, "?", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : -1; }

int system_resolver_answer(int fd, struct system_resolved *answer) {
    ssize_t count = recv(fd, answer, sizeof *answer, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count != (ssize_t)sizeof *answer || answer->count > system_resolver_limit) return -1;
    return 1;
}

int system_resolver_is_final(int32_t error) {
    return error == EAI_NONAME
#ifdef EAI_NODATA
        || error == EAI_NODATA
#endif
        ;
}

const char *system_resolver_text(int32_t error) { return gai_strerror(error); }
