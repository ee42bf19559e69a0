// CConcurrency.h: what Swift cannot declare itself: a variable of each thread, and the hooks of libswift_Concurrency.
//
// Input     SystemClock, which sets the functions; UIKit, which sets the application whose code runs
// Output    the runtime: every global job, and the executor of the main actor
//
// Sources   documented  swift/Runtime/Concurrency.h and docs/CustomExecutors of the Swift project

#ifndef CCONCURRENCY_H
#define CCONCURRENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The application whose code this thread runs; NULL outside of applications.
void *_Nullable concurrency_application(void);
void concurrency_set_application(void *_Nullable application);

/// An executor as the runtime passes it: an object and its witness table.
typedef struct {
    void *_Nullable identity;
    void *_Nullable implementation;
} concurrency_executor;

/// Sets the hooks of the runtime. At most one call in a process.
///
/// - enqueue: receives each job for the global executor, with the runtime's own implementation of the call.
/// - main: the executor of the main actor from now on.
void concurrency_install(void (*_Nonnull enqueue)(void *_Nonnull job), concurrency_executor main);

/// Whether the global jobs that this thread enqueues are dropped, and never run.
void concurrency_set_dropping(bool is_dropping);

/// Gives a job to the runtime's own global executor.
void concurrency_enqueue_original(void *_Nonnull job);

/// The number of the task that a job belongs to, in the order of creation; 0 for a job of an actor.
uint64_t concurrency_task_number(void *_Nonnull job);

#endif
