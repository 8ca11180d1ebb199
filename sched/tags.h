/* tags: rounds whose settings follow from one number, and how they do: the rule of stages without tables.
 *
 * A tag {complement, value} stands for a permutation of all N ports of a Beneš network of any size:
 *
 *     shift         {0, s}    port i sends to port (i + s) mod N, s < N
 *     complement    {1, c}    port i sends to port i xor c, c < N, a power of two
 *
 * Shifts (the rule and its proof are our own; any N). A block of n lanes in which every word is to go s lanes on, around
 * the block, has it go the shorter way: forth by t = s, or back by t = n - s, so that t ≤ m = ⌊n/2⌋. Its halves have
 * the lanes 0 … a-1 and a … n-1, a = m or n - m, and switches between lane i and lane a + i, i < m. Then
 *
 *     forth    on the way in all switches are straight; on the way out those with i < t are crossed
 *     back     on the way in those with i < t are crossed; on the way out all are straight
 *
 * and both halves move their words by t in the same direction, around themselves: which may be the longer way for them.
 * Because: let q be a half's size; t ≤ q. Forth, a word on lane j < q of a half goes to lane j + t of its half if that is
 * below q, as it should. Else to lane j + t - q of it, and should leave it: by t more in the block it comes to the same
 * lane of the other half for the lower half (a + j + t - q, with q = a, is lane j + t - q of the upper one), and to lane
 * j + t - q of the lower half for the upper one; these lanes are i < t, where the switches on the way out cross. If the
 * lower half has a lane more than there are switches, t ≤ m keeps the lanes i < t below it; so it does if the upper half
 * has. Back is the same, run from the end. A block of two has one switch, crossed if t = 1.
 *
 * Complements: bit K-1-l of c crosses all switches of the stage of level l on the way in; on the way out all are straight.
 */
#ifndef ROUNDCAST_TAGS_H
#define ROUNDCAST_TAGS_H

#include "multistage.h"

struct tag {
    bool complement;
    uint32_t value;
};

/* Which way, and how far, the words of a block go. */
struct tags_way {
    bool back;
    uint32_t distance; /* at most half the block */
};

/* A tag as a word {complement, value}, below it as many bits as a port has. */
static inline uint32_t tags_word(const struct multistage *net, struct tag tag)
{
    return (uint32_t)tag.complement << net->levels | tag.value;
}
static inline struct tag tags_read(const struct multistage *net, uint32_t word)
{
    return (struct tag){word >> net->levels & 1, word & ((UINT32_C(1) << net->levels) - 1)};
}

/* The tag of a round, some of whose ports may be idle (MULTISTAGE_NOWHERE); of an idle round it is a shift by 0. False if
 * it has none. to[ports]. O(ports). */
bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag);

/* The ways of the blocks of a level, way[2^level], of a shift. O(2^level). */
void tags_ways(const struct multistage *net, uint32_t shift, unsigned level, struct tags_way way[]);

/* Is the switch between lanes i of the halves of a block crossed in a stage? */
static inline bool tags_crossed(struct tags_way way, uint32_t block_lanes, bool joins, uint32_t i)
{
    return block_lanes == 2 ? way.distance == 1 : way.back != joins && i < way.distance;
}

/* The settings of a stage, setting[multistage_columns]; way[2^(levels-1)] is used as memory. O(ports). */
void tags_settings(const struct multistage *net, struct tag tag, unsigned stage, struct tags_way way[],
                   uint32_t setting[]);

#endif
