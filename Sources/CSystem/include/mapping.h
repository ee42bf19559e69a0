// mapping.h: memory that is a file's, and stays memory when somebody else cuts the file.
//
// Touching what a mapping has lost of its file is SIGBUS, which ends a process. Here what was lost becomes memory of this
// process's own, empty, and the mapping is said to be cut. One signal handler for all mappings; whatever else raises SIGBUS
// ends the process as ever.

#ifndef TOUCHLINE_MAPPING_H
#define TOUCHLINE_MAPPING_H

#include <stddef.h>

// Guards a mapping made with MAP_SHARED. Its number, or -1: ENOSPC where there are too many, or what sigaction said.
int system_mapping_guard(void *start, size_t size);
// 1 once some of it had to be replaced: what was written there since is in no file.
int system_mapping_is_cut(int mapping);
// Before it is unmapped.
void system_mapping_release(int mapping);

#endif
