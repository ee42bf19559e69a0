// checksum.c: see checksum.h.

#include "checksum.h"

#if defined(__x86_64__)

#include <nmmintrin.h>
#include <string.h>

__attribute__((target("sse4.2"))) static uint32_t add(uint32_t state, const unsigned char *next, size_t count) {
    uint64_t sum = state;
    for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), next += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, next, sizeof(word));
        sum = _mm_crc32_u64(sum, word);
    }
    for (; count > 0; count--, next++) sum = _mm_crc32_u8((uint32_t)sum, *next);
    return (uint32_t)sum;
}

bool checksum_add(uint32_t *state, const void *bytes, size_t count) {
    if (!__builtin_cpu_supports("sse4.2")) return false;
    *state = add(*state, bytes, count);
    return true;
}

#else

bool checksum_add(uint32_t *state, const void *bytes, size_t count) {
    (void)state;
    (void)bytes;
    (void)count;
    return false;
}

#endif
