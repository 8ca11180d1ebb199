/* SPDX-License-Identifier: Apache-2.0 */
/* calendar: the times at which a port of a node, or a link, is in use.
 *
 *     capacity 2, lasts 3:      time    0 1 2 3 4 5 6
 *                               use 0   x x x
 *                               use 1     x x x            a third use begins at 3 or later
 *
 * Uses with one tag that begin together can share a place: the copies of a packet, the packets that
 * a network combines, or the packets of a call.
 */
#ifndef ROUNDCAST_CALENDAR_H
#define ROUNDCAST_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bit for each round in which nothing more can begin. */
struct busy {
    uint64_t *word;
    size_t words;
};

/* Returns a word of the bits; 0 after the last word. */
static inline uint64_t busy_word(const struct busy *busy, size_t word)
{
    return word < busy->words ? busy->word[word] : 0;
}

/* Returns the first round from `ready` on that is free in both. O(rounds / 64). */
uint64_t busy_first(const struct busy *one, const struct busy *other, uint64_t ready);

static inline bool busy_has(const struct busy *busy, uint64_t round)
{
    return busy_word(busy, round / 64) >> round % 64 & 1;
}

/* Marks a round. Returns false without memory. */
bool busy_set(struct busy *busy, uint64_t round);

static inline void busy_clear(struct busy *busy, uint64_t round)
{
    busy->word[round / 64] &= ~(UINT64_C(1) << round % 64);
}

/* The uses that begin at a time with a tag. */
struct calendar_use {
    uint64_t start;
    uint32_t tag;   /* 0: none */
    uint32_t count; /* of a call: the packets that the node sends */
    /* of a call: the packets that the node receives; in a network that copies and combines: the
     * partner of the first use */
    uint32_t other;
};

struct calendar {
    struct calendar_use *use; /* ascending by start; not those of rounds with capacity 1 */
    size_t count, room;
    struct busy full; /* of rounds: those in which no use without a tag can begin */
    uint64_t open;    /* of times: no use without a tag can begin before this one */
};

/* How many uses there may be at a time, how long a use lasts, and the first time. */
struct calendar_rule {
    uint32_t capacity, lasts, origin;
};

/* Returns the first time from `ready` on at which a use can begin. All uses have tag 0. O(rounds /
 * 64); of times amortised O(1) if most times before `ready` are full, else O(uses after `ready`).
 */
uint64_t calendar_first(const struct calendar *calendar, uint64_t ready, struct calendar_rule rule);

/* Returns the first time from `ready` on at which no use is going on, or one with this tag begins.
 * The capacity is 1; tag 0 shares no time. O(uses after `ready`). */
uint64_t calendar_first_shared(const struct calendar *calendar, uint64_t ready, uint32_t tag,
                               struct calendar_rule rule);

/* Returns the uses that begin at a time with a tag; NULL if there are none. O(log uses). */
struct calendar_use *calendar_find(const struct calendar *calendar, uint64_t start, uint32_t tag);

/* Returns the number of ports that calls occupy in a round: for each partner, as many as the
 * packets of the direction with more. O(log uses + calls of the round). */
uint32_t calendar_calls(const struct calendar *calendar, uint64_t round);

/* Returns the uses that begin at a time with a tag, after adding them, with count 0, if there are
 * none. NULL without memory. O(later uses). */
struct calendar_use *calendar_add(struct calendar *calendar, uint64_t start, uint32_t tag);

/* Counts one more use without a tag. Returns false without memory. */
bool calendar_take(struct calendar *calendar, uint64_t start, struct calendar_rule rule);

/* Removes one use without a tag that calendar_take counted. */
void calendar_release(struct calendar *calendar, uint64_t start, struct calendar_rule rule);

/* Removes one use with a tag. */
void calendar_release_shared(struct calendar *calendar, uint64_t start, uint32_t tag);

/* Removes one packet of a call: with `back`, one that the node receives. */
void calendar_release_call(struct calendar *calendar, uint64_t round, uint32_t tag, bool back);

void calendar_free(struct calendar *calendar);

#endif
