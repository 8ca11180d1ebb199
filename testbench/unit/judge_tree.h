/* judge_tree: a second judge of schedules in trees, that shares nothing with verify and topology. It knows a
 * tree by its lists of children and capacities, and counts. Include it after <cmocka.h>'s four headers. */
#ifndef ROUNDCAST_JUDGE_TREE_H
#define ROUNDCAST_JUDGE_TREE_H

#include "support.h"

/* The level of a node and its index there. */
static inline void judge_place(const struct schedule *s, uint32_t node, unsigned *level, uint32_t *index)
{
    uint32_t width = s->nodes;
    *level = 0;
    for (*index = node; *index >= width;) {
        *index -= width;
        width /= s->topology.children[++*level];
    }
}

/* The capacity of the branch between two nodes; 0 if there is none. */
static inline uint32_t judge_capacity(const struct schedule *s, uint32_t a, uint32_t b)
{
    unsigned level_a, level_b;
    uint32_t index_a, index_b;
    judge_place(s, a, &level_a, &index_a);
    judge_place(s, b, &level_b, &index_b);
    if (level_a + 1 == level_b)
        return index_a / s->topology.children[level_b] == index_b ? s->topology.capacity[level_b] : 0;
    if (level_b + 1 == level_a)
        return index_b / s->topology.children[level_a] == index_a ? s->topology.capacity[level_a] : 0;
    return 0;
}

static inline bool judge_is_wanted(const struct demand *demand, uint32_t node)
{
    for (uint32_t which = 0; which < demand->wanted_count; which++)
        if (demand->wanted[which] == node)
            return true;
    return demand->wanted_count == 0;
}

/* Round by round; every breach fails. */
static inline void judge_tree(const struct schedule *s)
{
    size_t row = s->packets + 1, cells = s->topology.all * row;
    uint64_t *since = malloc(cells * sizeof *since), last = 0;
    assert_non_null(since);
    for (size_t cell = 0; cell < cells; cell++)
        since[cell] = UINT64_MAX;
    for (size_t which = 0; which < s->demand_count; which++)
        for (uint32_t p = s->demand[which].first_packet; p <= s->demand[which].last_packet; p++)
            since[s->demand[which].source * row + p] = 0;
    for (size_t k = 0; k < s->step_count; k++) {
        uint64_t round = s->step[k].time;
        size_t first = s->step[k].first, end = schedule_step_end(s, k);
        assert_true(round > last && end > first);
        last = round;
        for (size_t index = first; index < end; index++) {
            const struct transfer t = s->transfer[index];
            uint32_t lane = s->lane[index];
            assert_true(t.packet >= 1 && t.packet <= s->packets);
            assert_true(lane < judge_capacity(s, t.source, t.destination));
            assert_true(since[t.source * row + t.packet] < round);
            assert_true(since[t.destination * row + t.packet] == UINT64_MAX); /* nothing comes twice */
            since[t.destination * row + t.packet] = round;
            for (size_t other = first; other < index; other++) {
                const struct transfer o = s->transfer[other];
                assert_false(s->model == MODEL_SINGLE_PORT && o.source == t.source);
                assert_false(o.source == t.source && o.destination == t.destination &&
                             s->lane[other] == lane);
            }
            if (s->model == MODEL_SINGLE_PORT)
                assert_int_equal(lane, 0);
        }
    }
    for (size_t which = 0; which < s->demand_count; which++)
        for (uint32_t p = s->demand[which].first_packet; p <= s->demand[which].last_packet; p++)
            for (uint32_t node = 0; node < s->nodes; node++)
                if (judge_is_wanted(&s->demand[which], node))
                    assert_true(since[node * row + p] != UINT64_MAX);
    assert_int_equal(s->end, last);
    free(since);
}

#endif
