/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_pairs: half-duplex broadcast by pairs of nodes.
 *
 * The model is a broadcast among the source and h = ⌈n/2⌉ - 1 nodes that may send and receive in
 * one round: `matching`, M - 1 + q rounds for M packets, q = ⌈log2(h + 1)⌉. Node i of the model
 * becomes a pair, first i and its second. Odd n, M = m:
 *
 *     rounds 1 … q                      rounds 1 … q of the model among the source and the firsts;
 *                                       no node of `matching` sends and receives in one of them
 *     round q + 1                       first → second in all pairs
 *     two rounds, A and B, for each     A   as in the model; seconds send, firsts receive
 *     round q + 1 … M - 1 + q           B   first → second in all pairs
 *
 * A first sends the packet that its second sends next, if the second lacks it, and otherwise the
 * newest packet that the second lacks. n = 7, m = 2, h = 3, q = 2; the rounds of the model are
 * 0→2 1, then 0→1 2 and 2→3 1, then 0→2 2, 3→1 1 and 1→3 2:
 *
 *     round 1  0→2 1                    round 4 (A)  0→2 2  6→1 1  4→3 2
 *     round 2  0→1 2  2→3 1             round 5 (B)  1→4 1  2→5 2  3→6 2
 *     round 3  1→4 2  2→5 1  3→6 1
 *
 * Even n: one second more, the spare, which is not in a pair, and g = n/2 seconds in total. In
 * round q + 1 and in each B the source serves a second. b = ⌊(m - 1) / g⌋ extra packets do not
 * belong to the model. An extra packet goes from the source to the spare, and then from second to
 * second in g - 1 double rounds: in each A the spare sends it to a second y whose first does not
 * send in the model, in B the source serves y, and y is the next spare; the former one takes its
 * place. Then all seconds hold it, and a closing round follows, in which g - 1 of them send it to
 * the firsts. For odd g, b is ⌊m / g⌋: if g divides m, a first that is idle in round q serves the
 * spare, and a double round less is needed for the last extra packet.
 *
 * Source: ours, from Bar-Noy, Kipnis and Schieber, Theorem 6; docs/algorithms/telegraph.md has the
 * proof.
 */
#include "sched/algorithms/complete/telegraph_pairs.h"

#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/holdings.h"
#include "sched/base/bits.h"
#include "sched/bound/bound.h"

#include <stdlib.h>
#include <string.h>

struct pairs {
    const struct schedule *model;
    struct schedule *schedule;
    uint32_t nodes, firsts;   /* n, h; firsts are nodes 1 … h, seconds h + 1 … n - 1 */
    uint32_t extras, extra;   /* b; the current extra packet, 1 … b, or b + 1 after the last */
    struct holdings holdings; /* node 0: the packets of the model that it has sent */
    uint32_t newest;          /* the newest packet that a node holds, of all packets of the model */
    uint32_t *second;         /* [first]: its second */
    uint32_t *next;           /* [first]: the packet that its node of the model sends next, or 0 */
    uint32_t spare;           /* the second in no pair; 0 for odd n */
    bool early;               /* the spare receives a packet of the model in round q */
    uint32_t silent;          /* even n: a first whose node of the model does not send next */
    uint64_t round;           /* the last round */
    struct transfer *transfer; /* the transfers of the round */
    size_t count;
};

/* Returns b. */
static uint32_t extras_of(uint32_t n, uint32_t m)
{
    uint32_t seconds = n / 2;
    if (n % 2 != 0)
        return 0;
    return seconds % 2 != 0 ? m / seconds : (m - 1) / seconds;
}

uint64_t telegraph_pairs_end(const struct collective *collective)
{
    uint32_t n = collective->n, m = collective->m;
    return 2 * (uint64_t)m - 1 + bits_log2_up((n + 1) / 2) - extras_of(n, m);
}

bool telegraph_pairs_optimal(const struct collective *collective)
{
    return telegraph_pairs_end(collective) == bound_end(collective);
}

/* Returns the number of extra packet `which` of the schedule: every g-th packet is one. */
static uint32_t extra_packet(const struct pairs *pairs, uint32_t which)
{
    return which * (pairs->nodes / 2);
}

/* Returns the number that a packet of the model has in the schedule. */
static uint32_t model_packet(const struct pairs *pairs, uint32_t packet)
{
    if (pairs->extras == 0)
        return packet;
    return packet + MIN((packet - 1) / (pairs->nodes / 2 - 1), pairs->extras);
}

/* -- Transfers --------------------------------------------------------------------------------- */

static bool open_round(struct pairs *pairs, struct err *err)
{
    pairs->transfer = schedule_open_step(pairs->schedule, ++pairs->round, pairs->nodes / 2, err);
    pairs->count = 0;
    return pairs->transfer != NULL;
}

static void add(struct pairs *pairs, uint32_t source, uint32_t destination, uint32_t packet)
{
    pairs->transfer[pairs->count++] = (struct transfer){source, destination, packet};
    holdings_add(&pairs->holdings, destination, packet);
}

/* Adds a transfer of the packet if the receiver lacks it, otherwise of the newest one that it
 * lacks. */
static void serve(struct pairs *pairs, uint32_t source, uint32_t destination, uint32_t packet)
{
    if (packet == 0 || holdings_has(&pairs->holdings, destination, packet))
        packet = holdings_newest_until(&pairs->holdings, source, destination, pairs->newest);
    add(pairs, source, destination, packet);
}

/* Adds the transfers of a step of the model. Firsts send in rounds 1 … q, seconds later. */
static void add_model(struct pairs *pairs, size_t step, bool seconds_send)
{
    const struct schedule *model = pairs->model;
    for (size_t at = model->step[step].first; at < schedule_step_end(model, step); at++) {
        struct transfer transfer = model->transfer[at];
        uint32_t source = transfer.source, packet = model_packet(pairs, transfer.packet);
        if (source == 0) {
            holdings_add(&pairs->holdings, 0, packet);
            pairs->newest = MAX(pairs->newest, packet);
        } else if (seconds_send) {
            source = pairs->second[source];
        }
        add(pairs, source, transfer.destination, packet);
    }
}

/* -- Rounds ------------------------------------------------------------------------------------ */

/* Notes what the nodes of the model send in a step; nothing after its last step. */
static void note_next(struct pairs *pairs, size_t step)
{
    const struct schedule *model = pairs->model;
    memset(pairs->next, 0, ((size_t)pairs->firsts + 1) * sizeof *pairs->next);
    if (step == model->step_count)
        return;
    for (size_t at = model->step[step].first; at < schedule_step_end(model, step); at++)
        pairs->next[model->transfer[at].source] = model_packet(pairs, model->transfer[at].packet);
}

/* Chooses the first that does not send next, and gives it a second that lacks extra packet
 * `extra`. */
static void choose_silent(struct pairs *pairs, uint32_t extra)
{
    uint32_t silent = 1, lacking = 1;
    while (pairs->next[silent] != 0)
        silent++;
    pairs->silent = silent;
    if (extra > pairs->extras)
        return;
    uint32_t packet = extra_packet(pairs, extra);
    if (!holdings_has(&pairs->holdings, pairs->second[silent], packet))
        return;
    while (holdings_has(&pairs->holdings, pairs->second[lacking], packet))
        lacking++;
    uint32_t second = pairs->second[silent];
    pairs->second[silent] = pairs->second[lacking];
    pairs->second[lacking] = second;
}

static void serve_seconds(struct pairs *pairs)
{
    for (uint32_t first = 1; first <= pairs->firsts; first++)
        serve(pairs, first, pairs->second[first], pairs->next[first]);
}

/* Adds a transfer to the spare from a first that holds a packet and has no transfer in this round.
 * There is one in round q for odd g: the node of the model whose partner does not exist. */
static void serve_early(struct pairs *pairs)
{
    memset(pairs->next, 0, ((size_t)pairs->firsts + 1) * sizeof *pairs->next);
    for (size_t which = 0; which < pairs->count; which++) {
        const struct transfer *transfer = &pairs->transfer[which];
        pairs->next[transfer->source] = pairs->next[transfer->destination] = transfer->packet;
    }
    uint32_t first = 1, packet = 0;
    for (; packet == 0; first++)
        if (pairs->next[first] == 0)
            packet = holdings_newest_until(&pairs->holdings, first, pairs->spare, pairs->newest);
    add(pairs, first - 1, pairs->spare, packet);
}

static bool add_start(struct pairs *pairs, size_t rounds, struct err *err)
{
    for (size_t step = 0; step < rounds; step++) {
        if (!open_round(pairs, err))
            return false;
        add_model(pairs, step, false);
        if (pairs->early && step + 1 == rounds)
            serve_early(pairs);
        schedule_close_step(pairs->schedule, pairs->count);
    }
    if (!open_round(pairs, err))
        return false;
    note_next(pairs, rounds);
    if (pairs->spare != 0) {
        choose_silent(pairs, 1);
        serve(pairs, 0, pairs->spare, pairs->extras > 0 ? extra_packet(pairs, 1) : 0);
    }
    serve_seconds(pairs);
    schedule_close_step(pairs->schedule, pairs->count);
    return true;
}

/* Appends rounds A and B of a step of the model. `last`: a closing round follows. */
static bool add_double(struct pairs *pairs, size_t step, bool last, struct err *err)
{
    if (!open_round(pairs, err))
        return false;
    add_model(pairs, step, true);
    uint32_t old = pairs->spare;
    if (old != 0) {
        pairs->spare = pairs->second[pairs->silent];
        pairs->second[pairs->silent] = old;
    }
    if (pairs->extra <= pairs->extras)
        add(pairs, old, pairs->spare, extra_packet(pairs, pairs->extra));
    schedule_close_step(pairs->schedule, pairs->count);

    if (!open_round(pairs, err))
        return false;
    note_next(pairs, step + 1);
    if (old != 0) {
        choose_silent(pairs, pairs->extra + last);
        serve(pairs, 0, pairs->spare, 0);
    }
    serve_seconds(pairs);
    schedule_close_step(pairs->schedule, pairs->count);
    return true;
}

/* Returns the second that lacks a packet. Precondition: there is one. */
static uint32_t lacking_second(const struct pairs *pairs, uint32_t packet)
{
    uint32_t second = pairs->firsts + 1;
    while (holdings_has(&pairs->holdings, second, packet))
        second++;
    return second;
}

/* Appends a closing round: all seconds but one send the extra packet to the firsts. The source
 * serves that one: the spare with the next extra packet, or, if this is the last one, the second
 * that lacks it, or else the first spare, which has received one packet of the model less than the
 * other seconds. */
static bool add_closing(struct pairs *pairs, struct err *err)
{
    if (!open_round(pairs, err))
        return false;
    uint32_t packet = extra_packet(pairs, pairs->extra++), first = 1;
    uint32_t served = pairs->nodes - 1, offered = packet;
    if (pairs->extra <= pairs->extras) {
        served = pairs->spare;
        offered = extra_packet(pairs, pairs->extra);
    } else if (pairs->early) {
        served = lacking_second(pairs, packet);
    }
    serve(pairs, 0, served, offered);
    for (uint32_t second = pairs->firsts + 1; second < pairs->nodes; second++)
        if (second != served)
            add(pairs, second, first++, packet);
    schedule_close_step(pairs->schedule, pairs->count);
    return true;
}

static bool add_rounds(struct pairs *pairs, struct err *err)
{
    size_t start = bits_log2_up(pairs->firsts + 1);
    if (!add_start(pairs, start, err))
        return false;
    uint32_t doubles = 0; /* since the last closing round */
    uint32_t needed = pairs->nodes / 2 - 1;
    for (size_t step = start; step < pairs->model->step_count; step++) {
        bool ahead = pairs->early && pairs->extra == pairs->extras;
        bool last = pairs->extra <= pairs->extras && ++doubles == needed - ahead;
        if (!add_double(pairs, step, last, err) || (last && !add_closing(pairs, err)))
            return false;
        if (last)
            doubles = 0;
    }
    return true;
}

static bool build_from(const struct schedule *model, struct schedule *schedule, struct err *err)
{
    uint32_t n = schedule->nodes, firsts = model->nodes - 1;
    struct pairs pairs = {.model = model,
                          .schedule = schedule,
                          .nodes = n,
                          .firsts = firsts,
                          .extras = extras_of(n, schedule->packets),
                          .extra = 1,
                          .spare = n % 2 == 0 ? n - 1 : 0};
    pairs.early = pairs.extras > 0 && schedule->packets % (n / 2) == 0 && n / 2 % 2 != 0;
    pairs.second = malloc(model->nodes * sizeof *pairs.second);
    pairs.next = malloc(model->nodes * sizeof *pairs.next);
    bool built = pairs.second != NULL && pairs.next != NULL
                     ? holdings_init(&pairs.holdings, n, schedule->packets, err)
                     : err_no_memory(err, "the pairs of %u nodes", n);
    for (uint32_t first = 1; built && first <= firsts; first++)
        pairs.second[first] = firsts + first;
    built = built && add_rounds(&pairs, err);
    holdings_free(&pairs.holdings);
    free(pairs.second);
    free(pairs.next);
    return built;
}

bool telegraph_pairs_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    const struct collective asked = {
        .n = (n + 1) / 2, .m = m - extras_of(n, m), .model = MODEL_SEND_RECEIVE};
    struct schedule model = {0};
    bool built = algorithm_build(algorithm_find("matching", NULL), &asked, &model, err) &&
                 build_from(&model, schedule, err);
    schedule_free(&model);
    return built;
}
