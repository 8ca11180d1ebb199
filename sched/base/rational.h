/* SPDX-License-Identifier: Apache-2.0 */
/* rational: exact latencies and times of the postal model. */
#ifndef ROUNDCAST_RATIONAL_H
#define ROUNDCAST_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum numerator and denominator of a λ, so that times fit in 64 bits. */
#define RATIONAL_MAX 65535
/* room for the text of a time: two numbers of 20 digits, '/' and the terminating 0 */
#define RATIONAL_TEXT 44

/* numerator / denominator in lowest terms, denominator ≥ 1. */
struct rational {
    uint32_t numerator, denominator;
};

/* Returns the greatest common divisor; if a or b is 0, the nonzero one of them. */
uint64_t rational_divisor(uint64_t a, uint64_t b);

/* Returns numerator / denominator in lowest terms. Precondition: denominator > 0. */
struct rational rational_make(uint32_t numerator, uint32_t denominator);

/* Parses `5/2` or `5`, decimal digits only, each number at most RATIONAL_MAX, not necessarily in
 * lowest terms. Returns false for any other text. */
bool rational_parse(const char *text, struct rational *value);

/* Writes ticks of 1/denominator in lowest terms, as "5/2" or "5". Returns text. */
const char *rational_text(uint64_t ticks, uint32_t denominator, char text[RATIONAL_TEXT]);

static inline double rational_value(struct rational value)
{
    return (double)value.numerator / value.denominator;
}

static inline bool rational_equal(struct rational a, struct rational b)
{
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

#endif
