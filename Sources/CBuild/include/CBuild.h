// CBuild.h: what a program was built from.

#ifndef TOUCHLINE_CBUILD_H
#define TOUCHLINE_CBUILD_H

/// The commit that Package.swift was given in the environment variable TOUCHLINE_COMMIT; empty without it.
const char *build_commit(void);

#endif
