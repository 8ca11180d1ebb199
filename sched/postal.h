/* postal: the generalised Fibonacci function of the postal model and its index (Bar-Noy and Kipnis,
 * section 3), exactly, in ticks of 1/b where λ = a/b in lowest terms. */
#ifndef ROUNDCAST_POSTAL_H
#define ROUNDCAST_POSTAL_H

#include "err.h"
#include "rational.h"

/* F_λ(t) for the times t = 0, 1/b, 2/b, … up to the index of `reach`:
 *
 *     F_λ(t) = 1 for t < λ, F_λ(t - 1) + F_λ(t - λ) after
 *
 * which is the number of nodes that one packet can reach by time t. */
struct postal {
    uint64_t a, b;   /* λ = a/b, not necessarily in lowest terms */
    uint64_t index;  /* f_λ(reach) in ticks: the last entry of `value` */
    uint64_t *value; /* value[tick], 0 … index */
};

/* Tabulate F_λ until it is `reach` or more. λ = a/b ≥ 1 with b > 0. O(f_λ(reach) · b) time and memory. E104. */
bool postal_init(struct postal *postal, uint64_t a, uint64_t b, uint64_t reach, struct err *err);
void postal_free(struct postal *postal);

/* f_λ(n) = min { t : F_λ(t) ≥ n } in ticks. Precondition: 1 ≤ n ≤ reach. O(log index). */
uint64_t postal_index(const struct postal *postal, uint64_t n);

#endif
