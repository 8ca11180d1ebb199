/* SPDX-License-Identifier: Apache-2.0 */
/* rounds_rules: the ports and links that a transfer occupies under each model.
 *
 *     complete graph   a port of the sender, one of the receiver       k ports, times, copies
 *     telephone        a call of both nodes                            k calls
 *     tree             a lane of a branch; the sender's port, if it has one link at a time
 *     other            an arc; or the sender's port, if it has one link at a time
 */
#include "sched/exchange/rounds.h"

#include "sched/base/compare.h"

#include <stdlib.h>

/* Returns the number of calendars that the rules need. */
static size_t calendars_of(const struct rounds *rounds)
{
    const struct topology *topology = &rounds->topology;
    const size_t all = topology->all;
    if (topology_joins_all(topology))
        return 2 * all;
    if (topology_has_routers(topology))
        return 3 * all;
    return model_row(rounds->model)->one_link ? all : all * topology->arcs;
}

bool rounds_rules_begin(struct rounds *rounds)
{
    rounds->calendars = calendars_of(rounds);
    rounds->calendar = calloc(rounds->calendars, sizeof *rounds->calendar);
    return rounds->calendar != NULL;
}

void rounds_rules_free(struct rounds *rounds)
{
    for (size_t k = 0; rounds->calendar != NULL && k < rounds->calendars; k++)
        calendar_free(&rounds->calendar[k]);
    free(rounds->calendar);
}

/* A port or a link that a transfer occupies. */
struct occupied {
    struct calendar *calendar;
    struct calendar_rule rule;
    bool shares;  /* transfers with one tag share a time */
    uint32_t tag; /* 0: this transfer shares none */
};

#define MOST_OCCUPIED 2

static struct occupied occupied_of(const struct rounds *rounds, size_t which, uint32_t capacity)
{
    return (struct occupied){
        .calendar = &rounds->calendar[which],
        .rule = {.capacity = capacity, .lasts = rounds->lasts, .origin = rounds_origin(rounds)}};
}

/* Returns the lanes of a branch of a tree that a transfer can use. */
static struct occupied lanes_of(const struct rounds *rounds, const struct transfer *transfer)
{
    const struct topology *tree = &rounds->topology;
    const bool up = transfer->source < transfer->destination;
    const uint32_t lower = up ? transfer->source : transfer->destination;
    const unsigned branch = topology_branch(tree, transfer->source, transfer->destination);
    const bool down = !up && !tree->half_duplex;
    return occupied_of(rounds, 2 * (size_t)lower + down, tree->capacity[branch]);
}

/* Finds the ports and links of a transfer on a tree, or on a topology of processors only. */
static size_t find_links(const struct rounds *rounds, const struct transfer *transfer,
                         struct occupied occupied[MOST_OCCUPIED])
{
    const struct topology *topology = &rounds->topology;
    const bool one_link = model_row(rounds->model)->one_link;
    if (topology_has_routers(topology)) {
        occupied[0] = lanes_of(rounds, transfer);
        if (one_link)
            occupied[1] = occupied_of(rounds, 2 * (size_t)topology->all + transfer->source, 1);
        return 1 + (size_t)one_link;
    }
    size_t which = transfer->source;
    if (!one_link)
        which = which * topology->arcs +
                topology_row(topology)->arc(topology, transfer->source, transfer->destination);
    occupied[0] = occupied_of(rounds, which, 1);
    return 1;
}

/* Finds the ports and links of a transfer that is no call. Returns how many there are. */
static size_t find_occupied(const struct rounds *rounds, const struct placed *wanted,
                            struct occupied occupied[MOST_OCCUPIED])
{
    const struct model_row *model = model_row(rounds->model);
    if (!topology_joins_all(&rounds->topology))
        return find_links(rounds, &wanted->transfer, occupied);
    const size_t all = rounds->topology.all;
    occupied[0] = occupied_of(rounds, wanted->transfer.source, rounds->ports);
    occupied[1] = occupied_of(rounds, all + wanted->transfer.destination, rounds->ports);
    occupied[0].shares = model->copies;
    occupied[0].tag = model->copies ? wanted->transfer.packet : 0;
    occupied[1].shares = model->combines;
    occupied[1].tag = model->combines ? wanted->joins : 0;
    return 2;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Telegraph, which also pairs nodes, has one port and needs no calendars. */
static bool is_calls(const struct rounds *rounds)
{
    return model_row(rounds->model)->pairs;
}

/* Returns whether a transfer answers a packet of its receiver, or both nodes can begin a call. */
static bool can_call(const struct rounds *rounds, const struct transfer *transfer, uint64_t round)
{
    const struct calendar *from = &rounds->calendar[transfer->source];
    const struct calendar_use *call = calendar_find(from, round, transfer->destination + 1);
    if (call != NULL && call->count < call->other)
        return true;
    return calendar_calls(from, round) < rounds->ports &&
           calendar_calls(&rounds->calendar[transfer->destination], round) < rounds->ports;
}

static bool take_call(struct rounds *rounds, const struct placed *wanted)
{
    const struct transfer *transfer = &wanted->transfer;
    struct calendar_use *sends =
        calendar_add(&rounds->calendar[transfer->source], wanted->round, transfer->destination + 1);
    struct calendar_use *receives =
        calendar_add(&rounds->calendar[transfer->destination], wanted->round, transfer->source + 1);
    if (sends == NULL || receives == NULL)
        return false;
    sends->count++;
    receives->other++;
    return true;
}

static void release_call(struct rounds *rounds, const struct placed *wanted)
{
    const struct transfer *transfer = &wanted->transfer;
    calendar_release_call(&rounds->calendar[transfer->source], wanted->round,
                          transfer->destination + 1, false);
    calendar_release_call(&rounds->calendar[transfer->destination], wanted->round,
                          transfer->source + 1, true);
}

/* --- networks that copy and combine ----------------------------------------------------------- */

static uint32_t count_at(const struct calendar *calendar, uint64_t round, uint32_t tag,
                         uint32_t *first)
{
    const struct calendar_use *use = tag > 0 ? calendar_find(calendar, round, tag) : NULL;
    *first = use != NULL ? use->other : 0;
    return use != NULL ? use->count : 0;
}

/* Returns whether the network would copy and combine a packet: a sender with several receivers
 * would send to a receiver with several senders. */
static bool is_both(const struct rounds *rounds, const struct placed *wanted, uint64_t round)
{
    const uint32_t packet = wanted->transfer.packet, joins = wanted->joins;
    const struct calendar *sends = rounds->calendar, *receives = sends + rounds->topology.all;
    uint32_t receiver, sender, unused;
    const bool copied = count_at(&sends[wanted->transfer.source], round, packet, &receiver) > 0;
    const bool combined =
        count_at(&receives[wanted->transfer.destination], round, joins, &sender) > 0;
    return (copied && combined) ||
           (copied && count_at(&receives[receiver], round, packet, &unused) > 1) ||
           (combined && count_at(&sends[sender], round, packet, &unused) > 1);
}

/* --- all models ------------------------------------------------------------------------------- */

/* Returns whether the rules that concern several nodes permit the transfer in a round. */
static bool permits(const struct rounds *rounds, const struct placed *wanted, uint64_t round)
{
    const struct model_row *model = model_row(rounds->model);
    return !(model->copies && model->combines) || !is_both(rounds, wanted, round);
}

uint64_t rounds_rules_first(const struct rounds *rounds, const struct placed *wanted,
                            uint64_t ready)
{
    struct occupied occupied[MOST_OCCUPIED];
    uint64_t round = MAX(ready, rounds_origin(rounds));
    if (is_calls(rounds)) {
        while (!can_call(rounds, &wanted->transfer, round))
            round++;
        return round;
    }
    const size_t count = find_occupied(rounds, wanted, occupied);
    for (;;) {
        uint64_t first = round;
        for (size_t k = 0; k < count; k++)
            first = occupied[k].shares
                        ? calendar_first_shared(occupied[k].calendar, first, occupied[k].tag,
                                                occupied[k].rule)
                        : calendar_first(occupied[k].calendar, first, occupied[k].rule);
        if (first == round && permits(rounds, wanted, round))
            return round;
        round = MAX(first, round + (first == round));
    }
}

/* Occupies a port or link. */
static bool take(const struct occupied *occupied, const struct placed *wanted, uint32_t partner)
{
    if (!occupied->shares)
        return calendar_take(occupied->calendar, wanted->round, occupied->rule);
    struct calendar_use *use = calendar_add(occupied->calendar, wanted->round, occupied->tag);
    if (use == NULL)
        return false;
    if (use->count++ == 0)
        use->other = partner;
    return true;
}

bool rounds_rules_take(struct rounds *rounds, struct placed *wanted)
{
    struct occupied occupied[MOST_OCCUPIED];
    if (is_calls(rounds))
        return take_call(rounds, wanted);
    const size_t count = find_occupied(rounds, wanted, occupied);
    const uint32_t partner[] = {wanted->transfer.destination, wanted->transfer.source};
    if (topology_has_routers(&rounds->topology)) {
        const struct calendar_use *lanes = calendar_find(occupied[0].calendar, wanted->round, 0);
        wanted->lane = lanes != NULL ? lanes->count : 0;
    }
    bool taken = true;
    for (size_t k = 0; taken && k < count; k++)
        taken = take(&occupied[k], wanted, partner[k]);
    return taken;
}

void rounds_rules_release(struct rounds *rounds, const struct placed *wanted)
{
    struct occupied occupied[MOST_OCCUPIED];
    if (is_calls(rounds)) {
        release_call(rounds, wanted);
        return;
    }
    const size_t count = find_occupied(rounds, wanted, occupied);
    for (size_t k = 0; k < count; k++)
        if (occupied[k].shares)
            calendar_release_shared(occupied[k].calendar, wanted->round, occupied[k].tag);
        else
            calendar_release(occupied[k].calendar, wanted->round, occupied[k].rule);
}
