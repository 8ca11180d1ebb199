/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/pattern.h"

#include <inttypes.h>

static uint8_t byte_of(size_t which, struct pattern pattern)
{
    uint64_t mixed = (which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= ((uint64_t)pattern.repetition << 32 | pattern.packet) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint8_t)((mixed * UINT64_C(0xff51afd7ed558ccd)) >> 56);
}

void pattern_fill(char bytes[], size_t count, struct pattern pattern, bool to_come)
{
    for (size_t which = 0; which < count; which++) {
        uint8_t byte = byte_of(which, pattern);
        bytes[which] = (char)(to_come ? ~byte : byte);
    }
}

bool pattern_check(const char bytes[], size_t count, struct pattern pattern, int rank,
                   const char *what, struct err *err)
{
    for (size_t which = 0; which < count; which++) {
        uint8_t expected = byte_of(which, pattern), found = (uint8_t)bytes[which];
        if (found != expected)
            return err_set(err, ERR_CORRUPT,
                           "%s: rank %d: packet %" PRIu32 ": byte %zu of %zu is %02x; expected "
                           "%02x",
                           what, rank, pattern.packet, which, count, found, expected);
    }
    return true;
}
