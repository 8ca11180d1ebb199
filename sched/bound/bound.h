/* SPDX-License-Identifier: Apache-2.0 */
/* bound: how many rounds a collective takes at least, whatever the algorithm.
 *
 * One table of all lower bounds that the papers have, or that follow from their proofs, each with
 * its source. What `plan`, `schedule` and `run` call the bound is the largest of those that apply:
 *
 *     send-receive  m - 1 + ⌈log2 n⌉    Bar-Noy, Kipnis and Schieber, Theorem 5
 *     telephone     even n: the same, Theorem 1; odd n: Theorem 2, sharpened
 *     telegraph     Cockayne and Thomason; Farley (cited in section 1 of the same paper)
 *     postal        m - 1 + f_λ(n)      Bar-Noy and Kipnis, Lemma 8
 *     fabric-multicast  m           a node receives one packet in a round
 *     fabric-postal m - 1 + λ       the last packet leaves at m - 1
 *     all-port      max(d, ⌈(2^d-1)K/(d 2^d)⌉)  Stamoulis and Tsitsiklis, section 3.1
 *
 * of broadcasts. The other collectives of complete graphs are bounded by counting: a node has
 * m(n-1) packets to send or to receive, one in a round; and by telephone and telegraph there are
 * mn(n-1) receipts in an all-gather or total exchange, of which a round has no more than its
 * matching lets through. Algorithms meet each of them.
 */
#ifndef ROUNDCAST_BOUND_H
#define ROUNDCAST_BOUND_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

struct bound {
    const char *name;    /* one word; a model has each name once */
    const char *formula; /* for people */
    const char *source;  /* paper and theorem */
    unsigned models;     /* bit 1u << model for each model in which it holds */
    unsigned kinds;      /* bit 1u << kind for each collective that it is of */

    /* Does it hold for this n, m and λ, in one of its models and of its kinds? NULL: always.
     * Precondition: n ≥ 2. */
    bool (*applies)(const struct collective *collective);

    /* The end (schedule.h: rounds, or ticks; cycles of traffic whose settings have a price) that no
     * schedule comes before. Precondition: applies, n ≥ 2. */
    uint64_t (*value)(const struct collective *collective);
};

/* All bounds. If several are equal, `bound_tightest` names the first. Ends with a name of NULL. */
extern const struct bound bound_table[];

/* Does the bound have this collective's model and kind, and does it apply? For n = 1 none does. */
bool bound_applies(const struct bound *bound, const struct collective *collective);

/* The bound whose value bound_end returns, and that value in *value; NULL and 0 for n = 1.
 * Precondition and complexity as bound_end. */
const struct bound *bound_tightest(const struct collective *collective, uint64_t *value);

/* The earliest end that a collective of m packets and n nodes can have; 0 for n = 1. Some broadcast
 * schedule meets it for send-receive, for telephone with even n, and for telegraph; for telephone
 * with odd n there may be none (first at n = 7, m = 3: 5, where exhaustive search needs 6).
 * Precondition: n, m ≥ 1 within the limits of schedule.h, λ ≥ 1 if the model is postal. O(log n),
 * but for the postal model O(f_λ(n) · b) with λ = a/b. */
uint64_t bound_end(const struct collective *collective);

/* The same for the collective that a schedule is; if that is traffic whose bound the schedule does
 * not meet, also for any demands. False if its demands are those of no collective, or if there is
 * no memory to tell traffic by. O(demands log demands). */
bool bound_of_schedule(const struct schedule *schedule, uint64_t *end);

/* A lower bound of f_λ(n), in ticks, that needs no table: λ⌈log n / log(⌈λ⌉+1)⌉. Precondition: n ≥
 * 1, λ ≥ 1. O(log n). Bar-Noy and Kipnis, Theorem 7 (1). */
uint64_t bound_of_index(struct rational lambda, uint32_t n);

#endif
