/* bound: how many rounds a broadcast takes at least, whatever the algorithm. */
#ifndef ROUNDCAST_BOUND_H
#define ROUNDCAST_BOUND_H

#include "model.h"

#include <stdint.h>

/* Rounds that the broadcast of m packets to n nodes needs at least; 0 for n = 1. Met by a schedule for
 * send-receive, for telephone with even n, and for telegraph; for telephone with odd n not always
 * (first at n = 7, m = 3: 5, where exhaustive search needs 6).
 * Precondition: n, m ≥ 1 within the limits of schedule.h. O(log n).
 *
 * send-receive  m - 1 + ⌈log2 n⌉    Bar-Noy, Kipnis and Schieber, Theorem 5
 * telephone     even n: the same, Theorem 1; odd n: Theorem 2, sharpened
 * telegraph     Cockayne and Thomason; Farley (cited in section 1 of the same paper) */
uint64_t bound_rounds(enum model model, uint32_t n, uint32_t m);

#endif
