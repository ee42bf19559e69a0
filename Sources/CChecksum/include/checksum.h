// checksum.h: CRC-32C by an instruction of the processor.
//
// Input     CRC32C.swift: a state and bytes
// Output    the state after these bytes
//
// Sources   documented  Intel SDM volume 2: CRC32 has the polynomial of CRC-32C (SSE 4.2)
#ifndef TOUCHLINE_CHECKSUM_H
#define TOUCHLINE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds bytes to the state of a CRC-32C, which is the complement of its value.
///
/// Returns false, with the state as it was, if this processor has no such instruction or this program was not built for it.
bool checksum_add(uint32_t *state, const void *bytes, size_t count);

#endif
