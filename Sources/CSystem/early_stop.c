// early_stop.c: lets a stop signal end `touchline up` with exit code 0 before it reads signals.
//
// Loading its libraries takes a program longer than all else before `main`, and a signal without a handler kills it. So
// the first code of the program installs the handler: the dynamic linker calls .preinit_array before the initializers
// of any library. Nothing is started or created yet, so the handler has nothing to undo. Once the supervisor's host
// blocks and reads the signals (system_signalfd_create), the handler is no longer called.
//
// Sources   documented  ELF gABI, DT_PREINIT_ARRAY; glibc passes argc, argv and environ

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void stop(int signal) {
    (void)signal;
    _exit(0);
}

// Sanitizers are initialized after this code runs, so it calls none of their hooks.
__attribute__((disable_sanitizer_instrumentation)) static void handle_early_stop(int argc, char **argv, char **environment) {
    (void)environment;
    if (argc < 2 || strcmp(argv[1], "up") != 0) return;
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        // An ignored signal stays ignored: a shell's background processes ignore SIGINT.
        if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = stop;
        sigaction(signals[i], &action, NULL);
    }
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// The sanitizers' own versions of the functions above work only once the sanitizer is initialized.
__attribute__((constructor, disable_sanitizer_instrumentation)) static void begin(int argc, char **argv, char **environment) {
    handle_early_stop(argc, argv, environment);
}
#else
__attribute__((section(".preinit_array"), used)) static void (*const begin)(int, char **, char **) = handle_early_stop;
#endif
