/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_tree.h"

#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>

/* Steps, from 1; 0: never. */
struct judge {
    const struct schedule *schedule;
    enum collective_kind kind;
    uint32_t source;          /* of a broadcast or scatter; destination of a gather */
    bool queue_free;          /* every router forwards in the next step … */
    bool again;               /* … and may receive a packet again after it has forwarded it */
    uint32_t *parent, *level; /* [node] */
    uint32_t *from, *to;      /* [packet - 1]: source and destination leaf; to UINT32_MAX: all
                               * leaves */
    uint32_t *last;           /* [node][packet - 1]: step of the arrival */
    uint32_t *sent;           /* [node][packet - 1]: step of the sending */
    uint32_t *port, *lane;    /* [node] and [direction][node][lane]: last used */
    uint32_t most;            /* largest number of lanes of a branch */
};

/* Returns the leaf that corresponds to leaf `leaf` of source 0: child numbers are added digit by
 * digit, modulo k. */
static uint32_t judge_moved(const struct judge *j, uint32_t leaf)
{
    uint32_t moved = 0, weight = 1, by = j->source;
    for (unsigned level = 1; level <= j->schedule->topology.height; level++) {
        uint32_t k = j->schedule->topology.children[level];
        moved += (leaf + by) % k * weight;
        leaf /= k;
        by /= k;
        weight *= k;
    }
    return moved;
}

/* Finds the sources and the destinations of each packet. */
static void judge_packets(struct judge *j)
{
    uint32_t n = j->schedule->nodes;
    for (uint32_t packet = 0; packet < j->schedule->packets; packet++) {
        uint32_t *from = &j->from[packet], *to = &j->to[packet], other = packet % (n - 1);
        *from = *to = j->source;
        if (j->kind == COLLECTIVE_BROADCAST || j->kind == COLLECTIVE_ALL_GATHER)
            *to = UINT32_MAX;
        if (j->kind == COLLECTIVE_ALL_GATHER)
            *from = packet;
        if (j->kind == COLLECTIVE_SCATTER)
            *to = judge_moved(j, packet + 1);
        if (j->kind == COLLECTIVE_GATHER)
            *from = judge_moved(j, packet + 1);
        if (j->kind == COLLECTIVE_TOTAL_EXCHANGE) {
            *from = packet / (n - 1);
            *to = other < *from ? other : other + 1;
        }
    }
}

static void judge_plant(struct judge *j)
{
    const struct topology *tree = &j->schedule->topology;
    uint32_t begin = 0, count = tree->nodes;
    for (unsigned level = 1; level <= tree->height; level++) {
        for (uint32_t node = begin; node < begin + count; node++)
            j->parent[node] = begin + count + (node - begin) / tree->children[level];
        begin += count;
        count /= tree->children[level];
        for (uint32_t node = begin; node < begin + count; node++)
            j->level[node] = level;
    }
    assert_int_equal(count, 1);
    assert_int_equal(begin + 1, tree->all);
    j->parent[begin] = UINT32_MAX;
}

static void judge_init(struct judge *j)
{
    const struct topology *tree = &j->schedule->topology;
    size_t packets = j->schedule->packets, pairs = (size_t)tree->all * packets;
    for (unsigned level = 1; level <= tree->height; level++)
        j->most = MAX(j->most, tree->capacity[level]);
    j->parent = room_words(tree->all);
    j->level = room_words(tree->all);
    j->from = room_words(packets);
    j->to = room_words(packets);
    j->last = room_words(pairs);
    j->sent = room_words(pairs);
    j->port = room_words(tree->all);
    j->lane = room_words(2 * (size_t)tree->all * j->most);
    judge_plant(j);
    judge_packets(j);
}

static void judge_free(struct judge *j)
{
    free(j->parent);
    free(j->level);
    free(j->from);
    free(j->to);
    free(j->last);
    free(j->sent);
    free(j->port);
    free(j->lane);
}

/* Returns the first difference between the schedule's demands and those of the collective, or
 * NULL. */
static const char *judge_demands(const struct judge *j)
{
    const struct schedule *s = j->schedule;
    uint32_t next = 1;
    for (size_t which = 0; which < s->demand_count; which++) {
        const struct demand *demand = &s->demand[which];
        if (demand->first_packet != next || demand->last_packet < next ||
            demand->last_packet > s->packets)
            return "other packets";
        for (; next <= demand->last_packet; next++) {
            bool all = j->to[next - 1] == UINT32_MAX;
            if (demand->source != j->from[next - 1] || demand->wanted_count != !all ||
                (!all && demand->wanted[0] != j->to[next - 1]))
                return "another demand";
        }
    }
    return next == s->packets + 1 ? NULL : "other packets";
}

/* Returns the first violation of sending transfer `index` in step `round`, or NULL. */
static const char *judge_send(struct judge *j, size_t index, uint32_t round)
{
    const struct schedule *s = j->schedule;
    const struct topology *tree = &s->topology;
    const struct transfer *t = &s->transfer[index];
    if (t->source >= tree->all || t->destination >= tree->all || t->packet - 1 >= s->packets)
        return "no such node or packet";
    bool up = j->parent[t->source] == t->destination;
    uint32_t lower = up ? t->source : t->destination, lane = s->lane[index];
    size_t pair = (size_t)t->source * s->packets + t->packet - 1;
    if (!up && j->parent[t->destination] != t->source)
        return "no branch";
    if (j->from[t->packet - 1] != t->source && (j->last[pair] == 0 || j->last[pair] >= round))
        return "not held";
    if (j->queue_free && t->source >= s->nodes && j->last[pair] != round - 1)
        return "kept waiting";
    j->sent[pair] = round;
    bool single = s->model == MODEL_SINGLE_PORT, half = tree->half_duplex;
    if (lane >= (single && !half ? 1 : tree->capacity[j->level[lower] + 1]))
        return "no lane";
    size_t direction = half ? 0 : up;
    uint32_t *used = &j->lane[(direction * tree->all + lower) * j->most + lane];
    if ((single && j->port[t->source] == round) || *used == round)
        return "used twice";
    j->port[t->source] = *used = round;
    return NULL;
}

/* Checks a receipt. A leaf receives every packet once. A router receives it once, or forwards it
 * before it receives it again. */
static const char *judge_receive(struct judge *j, size_t index, uint32_t round)
{
    const struct schedule *s = j->schedule;
    const struct transfer *t = &s->transfer[index];
    size_t pair = (size_t)t->destination * s->packets + t->packet - 1;
    bool leaf = t->destination < s->nodes;
    if (j->from[t->packet - 1] == t->destination || (leaf && j->last[pair] != 0))
        return "heard twice";
    if (j->last[pair] != 0 && j->sent[pair] <= j->last[pair])
        return "heard in vain";
    if (j->last[pair] != 0 && !j->again)
        return "heard twice";
    j->last[pair] = round;
    return NULL;
}

/* Checks that every leaf has exactly the packets that it requires. */
static const char *judge_end(const struct judge *j)
{
    const struct schedule *s = j->schedule;
    for (uint32_t packet = 0; packet < s->packets; packet++)
        for (uint32_t node = 0; node < s->topology.all; node++) {
            size_t pair = (size_t)node * s->packets + packet;
            bool wanted = j->to[packet] == UINT32_MAX || j->to[packet] == node;
            if (node >= s->nodes && j->last[pair] != 0 && j->sent[pair] <= j->last[pair])
                return "heard in vain";
            if (node < s->nodes && j->from[packet] != node && (j->last[pair] != 0) != wanted)
                return "not delivered";
        }
    return NULL;
}

static const char *judge_step(struct judge *j, size_t k)
{
    const struct schedule *s = j->schedule;
    uint64_t before = k > 0 ? s->step[k - 1].time : 0;
    uint32_t round = (uint32_t)s->step[k].time;
    size_t first = s->step[k].first, end = schedule_step_end(s, k);
    const char *wrong = round > before && end > first ? NULL : "out of order";
    for (size_t index = first; index < end && wrong == NULL; index++)
        wrong = judge_send(j, index, round);
    for (size_t index = first; index < end && wrong == NULL; index++)
        wrong = judge_receive(j, index, round);
    return wrong;
}

const char *judge_tree(const struct schedule *s, enum collective_kind kind, uint32_t source,
                       bool queue_free)
{
    struct judge j = {.schedule = s, .kind = kind, .source = source, .queue_free = queue_free};
    j.again = queue_free && kind == COLLECTIVE_ALL_GATHER;
    judge_init(&j);
    const char *wrong = judge_demands(&j);
    for (size_t k = 0; k < s->step_count && wrong == NULL; k++)
        wrong = judge_step(&j, k);
    if (wrong == NULL)
        wrong = judge_end(&j);
    if (wrong == NULL && s->end != s->step[s->step_count - 1].time)
        wrong = "another end";
    judge_free(&j);
    return wrong;
}
