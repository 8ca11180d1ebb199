/* SPDX-License-Identifier: Apache-2.0 */
/* match: perfect matchings of a dense table, senders in rows and receivers in columns. */
#ifndef ROUNDCAST_MATCH_H
#define ROUNDCAST_MATCH_H

#include "sched/base/err.h"
#include "sched/decompose/decompose.h"

/* Working memory; opaque, reused from call to call. */
struct match;

/* Allocates memory for tables of up to `nodes` rows. E104. */
struct match *match_new(uint32_t nodes, struct err *err);
void match_free(struct match *work);

/* The largest absolute value of a weight. */
#define MATCH_MAX_WEIGHT (INT64_C(1) << 52)

/* Finds the permutation with the greatest weight in weight[nodes][nodes]: to[nodes], the column of
 * each row. O(nodes³). The Hungarian method, by shortest augmenting paths: Kuhn 1955; Edmonds and
 * Karp 1972. */
void match_best(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t to[]);

/* Finds a permutation to[] of entries of table[nodes][nodes] that are all `least` or more. Returns
 * whether there is one; otherwise to[] stays a partial matching. On input to[] must hold columns,
 * each at most once, or UINT32_MAX for none; entries that can stay reduce the work. O(nodes³). */
bool match_least(struct match *work, uint32_t nodes, const uint32_t table[], uint32_t least,
                 uint32_t to[]);

/* -- Padded tables ----------------------------------------------------------------------------- */

/* Traffic as a dense table, padded until all rows and columns have the same sum.
 *
 * Such a table has a permutation of entries that are not 0 (König). Subtracting the same number
 * from all of them leaves equal sums again. Subtracting one permutation after another is a
 * Birkhoff-von Neumann decomposition. */

struct padded {
    uint32_t nodes;
    uint64_t rest;   /* the sum of each row and column */
    uint32_t *table; /* table[nodes][nodes] */
    uint32_t *to;    /* to[nodes]: the next setting; DECOMPOSE_IDLE at first */
    struct match *match;
    void *memory;
};

/* Converts traffic to a table; without `fill` it is not padded. E104. */
bool padded_new(const struct traffic *traffic, bool fill, struct padded *padded, struct err *err);
void padded_free(struct padded *padded);

/* Subtracts the permutation to[] as often as its least entry allows, and appends it as a setting.
 * E104. */
bool padded_take(struct padded *padded, struct decomposition *decomposition, struct err *err);

/* Lists the values of the table except 0, ascending, each once: value[nodes²]. Returns their
 * number. */
size_t padded_values(const uint32_t table[], size_t entries, uint32_t value[]);

/* -- Slack ------------------------------------------------------------------------------------- */

/* Finds settings that cost the busiest nodes the least slack.
 *
 * The load of a node is the time that it would need alone: its packets, plus the price for each of
 * its entries. Its slack is the difference to the load of the busiest node. A setting takes the t
 * rounds for which it stays, and the price. It reduces the load of a node by
 *
 *     r + price    if the circuit of the node has an entry of r ≤ t packets: the entry is done
 *     t            if it has an entry of r > t packets: the rest is left to later settings
 *     0            if the node has no circuit
 *
 * and reduces the slack of the node by the difference to t + price. So the best matching is the one
 * that reduces the load most, where a node has the weight exp(-slack / (reach · (t + price))). The
 * best t is the one with the least makespan if no slack is lost after this setting; nodes near the
 * busiest one are weighted as above. */

struct slack_rule {
    /* the difference below the busiest load up to which nodes count, as a multiple of t + price */
    double reach;
    unsigned durations; /* number of values of t that are tried for each setting */
    double shift;       /* their position between the values of the table, from 0 up to 1 */
};

/* Working memory for tables of one size; opaque. */
struct slack;

/* Allocates working memory for settings that cost `price` each. E104. */
struct slack *slack_new(uint32_t nodes, uint64_t price, struct err *err);
void slack_free(struct slack *work);

/* Adds settings that carry all packets of table[nodes][nodes], which becomes 0. Ends early, and
 * returns true with a table that is not 0, when the makespan of the added settings cannot stay
 * below `limit`. E104. O(settings · durations · nodes³). */
bool slack_settings(struct slack *work, struct slack_rule rule, uint64_t limit, uint32_t table[],
                    struct decomposition *decomposition, struct err *err);

#endif
