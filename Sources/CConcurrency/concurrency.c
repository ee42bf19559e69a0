// concurrency.c: the hooks of libswift_Concurrency, which are variables of functions in Swift's calling convention.
//
// The variables are named, not looked up with dlsym, so that a program that contains the runtime has them too.

#include "CConcurrency.h"

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_function)(void *job);
typedef SWIFT_CALL concurrency_executor (*main_function)(void);
typedef SWIFT_CALL bool (*is_main_function)(concurrency_executor executor);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_function original);
extern SWIFT_CALL concurrency_executor (*swift_task_getMainExecutor_hook)(main_function original);
extern SWIFT_CALL bool (*swift_task_isMainExecutor_hook)(concurrency_executor executor, is_main_function original);
extern SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job);

static _Thread_local void *application;

void *concurrency_application(void) { return application; }
void concurrency_set_application(void *current) { application = current; }

static void (*enqueue_job)(void *job);
static concurrency_executor main_executor;
// The runtime's implementation is not exported. Every hook receives the same one.
static _Thread_local enqueue_function original_enqueue;

static _Thread_local bool drops_jobs;

void concurrency_set_dropping(bool is_dropping) { drops_jobs = is_dropping; }

static SWIFT_CALL void enqueue_global(void *job, enqueue_function original) {
    if (drops_jobs) return;
    original_enqueue = original;
    enqueue_job(job);
}

static SWIFT_CALL concurrency_executor get_main(main_function original) {
    (void)original;
    return main_executor;
}

static SWIFT_CALL bool is_main(concurrency_executor executor, is_main_function original) {
    return executor.identity == main_executor.identity || original(executor);
}

void concurrency_install(void (*enqueue)(void *job), concurrency_executor main) {
    enqueue_job = enqueue;
    main_executor = main;
    swift_task_enqueueGlobal_hook = enqueue_global;
    swift_task_getMainExecutor_hook = get_main;
    swift_task_isMainExecutor_hook = is_main;
}

void concurrency_enqueue_original(void *job) { original_enqueue(job); }

uint64_t concurrency_task_number(void *job) { return swift_task_getJobTaskId(job); }
