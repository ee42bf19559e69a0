// early_stop.c: a stop signal that arrives before `touchline up` reads signals ends it with exit code 0.
//
// Loading its libraries takes a program longer than all else before `main`, and a signal without a handler kills it. So the
// handler is installed by the first code of the program that runs: the dynamic linker calls .preinit_array before the
// initializers of any library. Nothing is started or created yet, so the handler has nothing to undo. From the moment at
// which the supervisor's host blocks the signals and reads them (system_signalfd_create), the handler is called no more.
//
// Sources   documented  ELF gABI, DT_PREINIT_ARRAY; glibc passes argc, argv and environ

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void stop(int signal) {
    (void)signal;
    _exit(0);
}

// Sanitizers are initialized later than this code runs, so it calls none of their hooks.
__attribute__((disable_sanitizer_instrumentation)) static void handle_early_stop(int argc, char **argv, char **environment) {
    (void)environment;
    if (argc < 2 || strcmp(argv[1], "up") != 0) return;
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        // A signal that is ignored stays so: a shell's background processes ignore SIGINT.
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
