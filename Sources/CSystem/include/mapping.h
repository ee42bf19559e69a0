// mapping.h: file mappings that survive the truncation of their file.
//
// An access to a lost page of a mapping raises SIGBUS, which ends a process. Here the lost pages become empty private
// memory, and the mapping counts as cut. One signal handler serves all mappings; any other SIGBUS ends the process as
// usual.

#ifndef TOUCHLINE_MAPPING_H
#define TOUCHLINE_MAPPING_H

#include <stddef.h>

// Guards a mapping made with MAP_SHARED. Its number, or -1: ENOSPC for too many mappings, or sigaction's error.
int system_mapping_guard(void *start, size_t size);
// 1 once pages had to be replaced: later writes to them are in no file.
int system_mapping_is_cut(int mapping);
// Ends the guard; called before the mapping is unmapped.
void system_mapping_release(int mapping);

#endif
