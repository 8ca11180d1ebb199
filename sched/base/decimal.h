/* SPDX-License-Identifier: Apache-2.0 */
/* decimal: decimal numbers of 0 or more, read byte by byte and kept exactly.
 *
 *     12    0.5    .5    5.    5e0    1.000000000000000000e+00    1.5K    4Ki    2e3G
 *
 * A number has digits, a point and further digits, an exponent and a suffix. Only one digit is
 * required. The suffixes K, M, G and T are 10^3, 10^6, 10^9 and 10^12; Ki, Mi, Gi and Ti are 2^10,
 * 2^20, 2^30 and 2^40.
 *
 *     1.5e2K  =  digits · 10^tens · times  =  15 · 10^1 · 1000 */
#ifndef ROUNDCAST_DECIMAL_H
#define ROUNDCAST_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#define DECIMAL_DIGITS 19 /* any number with this many digits fits in 64 bits */

struct decimal {
    uint64_t digits; /* the first 19 digits, from the first digit that is not 0 */
    int64_t tens;    /* the exponent, limited to ±10^9 */
    uint64_t times;  /* the suffix, 1 if there is none */
    bool more; /* a digit after these 19 is not 0: the value is larger, by less than 10^tens */

    /* the state of the reader */
    unsigned kept, stage;
    bool any, negative;
    int64_t exponent;
};

/* Returns the state before the first byte of a number. */
struct decimal decimal_begin(void);

/* Reads the next byte. Returns false, and changes nothing, if the byte cannot continue the
 * number. */
bool decimal_take(struct decimal *decimal, char byte);

/* Ends the number and adds its exponent to `tens`. Returns false if the bytes are not a number. */
bool decimal_end(struct decimal *decimal);

/* Returns the integer part of an ended number, and whether it has a fraction. Returns false if the
 * integer part is 10^19 or more, or if it is ambiguous because a number with more than 19 digits
 * has a binary suffix. */
bool decimal_whole(const struct decimal *decimal, uint64_t *whole, bool *fraction);

/* Parses a text that consists of one number; returns false for any other text. */
bool decimal_parse(const char *text, struct decimal *decimal);

#endif
