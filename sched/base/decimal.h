/* SPDX-License-Identifier: Apache-2.0 */
/* decimal: decimal numbers of 0 or more, read byte by byte and kept exactly.
 *
 *     12    0.5    .5    5.    5e0    1.000000000000000000e+00    1.5K    4Ki    2e3G
 *
 * A number has digits, a point and further digits, an exponent and a suffix; all but one digit may
 * be left out. The suffixes K, M, G and T are 10^3, 10^6, 10^9 and 10^12; Ki, Mi, Gi and Ti are
 * 2^10, 2^20, 2^30 and 2^40.
 *
 *     1.5e2K  =  digits · 10^tens · times  =  15 · 10^1 · 1000
 */
#ifndef ROUNDCAST_DECIMAL_H
#define ROUNDCAST_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#define DECIMAL_DIGITS 19 /* any number with this many digits fits in 64 bits */

struct decimal {
    uint64_t digits; /* the first 19 from the first that is not 0 */
    int64_t tens;    /* the exponent; beyond ±10^9 it stays there */
    uint64_t times;  /* the suffix, 1 if there is none */
    bool more; /* a digit after these 19 is not 0: the value is larger, by less than 10^tens */

    /* Where the reader is. */
    unsigned kept, stage;
    bool any, negative;
    int64_t exponent;
};

/* Returns the number before its first byte is read. */
struct decimal decimal_begin(void);

/* Reads the next byte. Returns false, and changes nothing, if the number cannot go on with it. */
bool decimal_take(struct decimal *decimal, char byte);

/* Ends the number: its exponent is added to `tens`. Returns false if what was read is no number. */
bool decimal_end(struct decimal *decimal);

/* Splits an ended number into its integer part and whether it has a fraction. Returns false if the
 * integer part is 10^19 or more, or if more than 19 digits with a binary suffix leave it open. */
bool decimal_whole(const struct decimal *decimal, uint64_t *whole, bool *fraction);

/* Parses a text that is a number and nothing else; false if it is not. */
bool decimal_parse(const char *text, struct decimal *decimal);

#endif
