/* bound: how many rounds a broadcast takes at least, whatever the algorithm. */
#ifndef ROUNDCAST_BOUND_H
#define ROUNDCAST_BOUND_H

#include "collective.h"
#include "schedule.h"

/* The end (schedule.h: rounds, or ticks) that the broadcast of m packets to n nodes has at the earliest; 0 for n = 1. Met by a schedule for
 * send-receive, for telephone with even n, and for telegraph; for telephone with odd n not always
 * (first at n = 7, m = 3: 5, where exhaustive search needs 6).
 * Precondition: n, m ≥ 1 within the limits of schedule.h. O(log n).
 *
 * send-receive  m - 1 + ⌈log2 n⌉    Bar-Noy, Kipnis and Schieber, Theorem 5
 * telephone     even n: the same, Theorem 1; odd n: Theorem 2, sharpened
 * telegraph     Cockayne and Thomason; Farley (cited in section 1 of the same paper)
 * postal        m - 1 + f_λ(n)      Bar-Noy and Kipnis, Lemma 8 */
uint64_t bound_end(const struct collective *collective);

/* The same for the broadcast that a schedule is. Precondition: schedule_is_broadcast. */
uint64_t bound_of_schedule(const struct schedule *schedule);

#endif
