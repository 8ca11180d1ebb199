/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/pattern.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint8_t byte_of(size_t which, struct pattern pattern)
{
    uint64_t mixed = (which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= ((uint64_t)pattern.repetition << 32 | pattern.packet) * UINT64_C(0xc2b2ae3d27d4eb4f);
    mixed ^= pattern.rank * UINT64_C(0x165667b19e3779f9);
    return (uint8_t)((mixed * UINT64_C(0xff51afd7ed558ccd)) >> 56);
}

void pattern_fill(char bytes[], size_t count, struct pattern pattern, bool to_come)
{
    for (size_t which = 0; which < count; which++) {
        uint8_t byte = byte_of(which, pattern);
        bytes[which] = (char)(to_come ? ~byte : byte);
    }
}

void pattern_combine(char bytes[], size_t count, struct pattern pattern)
{
    for (size_t which = 0; which < count; which++)
        bytes[which] = (char)((uint8_t)bytes[which] ^ byte_of(which, pattern));
}

void pattern_floats(char bytes[], size_t count, struct pattern pattern)
{
    for (size_t at = 0; at + sizeof(float) <= count; at += sizeof(float)) {
        uint8_t scale = byte_of(at + 1, pattern);
        float number = ldexpf((float)byte_of(at, pattern) - 127.5f, scale % 24);
        memcpy(bytes + at, &number, sizeof number);
    }
}

/* Reports a byte of a packet at a place. Returns false. */
static bool wrong_byte(const struct pattern_place *place, size_t which, char found,
                       uint8_t expected, struct err *err)
{
    return err_set(
        err, ERR_CORRUPT, "%s: rank %d: packet %" PRIu32 ": byte %zu of %zu is %02x; expected %02x",
        place->what, place->rank, place->packet, which, place->count, (uint8_t)found, expected);
}

bool pattern_compare(const char bytes[], const char expected[], const struct pattern_place *place,
                     struct err *err)
{
    for (size_t which = 0; which < place->count; which++)
        if (bytes[which] != expected[which])
            return wrong_byte(place, which, bytes[which], (uint8_t)expected[which], err);
    return true;
}

bool pattern_check(const char bytes[], size_t count, struct pattern pattern, int rank,
                   const char *what, struct err *err)
{
    const struct pattern_place place = {what, rank, pattern.packet, count};
    for (size_t which = 0; which < count; which++)
        if ((uint8_t)bytes[which] != byte_of(which, pattern))
            return wrong_byte(&place, which, bytes[which], byte_of(which, pattern), err);
    return true;
}
