// build.c: the commit of a build, as a definition of the command line.

#include "CBuild.h"

#ifndef TOUCHLINE_COMMIT
#define TOUCHLINE_COMMIT ""
#endif

const char *build_commit(void) { return TOUCHLINE_COMMIT; }
