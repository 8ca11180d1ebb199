/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/draw.h"

#define MOST_NODES 8
#define MOST_TRANSFERS 64

/* The state of a run of a few nodes. Times are those of schedule.h. */
struct run {
    enum model model;
    uint64_t busy, takes; /* time for which a packet occupies its sender and receiver; time until it
                           * has arrived */
    uint32_t nodes, packets;
    uint64_t time;
    uint32_t origin[DRAW_MOST_PACKETS];
    uint64_t held[DRAW_MOST_PACKETS][MOST_NODES]; /* time from which on it is held; UINT64_MAX:
                                                   * never */
    /* the last, by node; `with`: the last partner; times are one more, 0 for never */
    uint64_t sent[MOST_NODES], received[MOST_NODES], met[MOST_NODES];
    uint32_t packet[MOST_NODES], with[MOST_NODES];
    uint32_t count;
    struct transfer transfer[MOST_TRANSFERS];
    uint64_t when[MOST_TRANSFERS];
};

static struct run begin(struct fuzz_bytes *bytes, enum model model, struct rational lambda)
{
    bool timed = model_has_times(model);
    struct run run = {.model = model,
                      .busy = timed ? lambda.denominator : 1,
                      .takes = timed ? lambda.numerator : 1,
                      .nodes = 2 + fuzz_take(bytes, MOST_NODES - 1),
                      .packets = 1 + fuzz_take(bytes, DRAW_MOST_PACKETS),
                      .time = !timed};
    for (uint32_t p = 0; p < run.packets; p++) {
        run.origin[p] = fuzz_take(bytes, run.nodes);
        for (uint32_t node = 0; node < run.nodes; node++)
            run.held[p][node] = node == run.origin[p] ? 0 : UINT64_MAX;
    }
    return run;
}

static bool may_send(const struct run *run, const struct transfer *t)
{
    bool copy = model_copies(run->model) && run->sent[t->source] == run->time + 1 &&
                run->packet[t->source] == t->packet;
    bool free = run->sent[t->source] == 0 || run->time + 1 - run->sent[t->source] >= run->busy;
    return (copy || free) && run->held[t->packet - 1][t->source] <= run->time;
}

static bool may_receive(const struct run *run, const struct transfer *t)
{
    uint64_t last = run->received[t->destination];
    return last == 0 || run->time + 1 - last >= run->busy;
}

static bool may_meet(const struct run *run, uint32_t node, uint32_t other)
{
    return run->model != MODEL_TELEPHONE || run->met[node] != run->time + 1 ||
           run->with[node] == other;
}

static bool may_both(const struct run *run, const struct transfer *t)
{
    return run->model != MODEL_TELEGRAPH || (run->received[t->source] != run->time + 1 &&
                                             run->sent[t->destination] != run->time + 1);
}

static void send_packet(struct run *run, const struct transfer *t)
{
    uint64_t *held = &run->held[t->packet - 1][t->destination];
    run->sent[t->source] = run->received[t->destination] = run->time + 1;
    run->met[t->source] = run->met[t->destination] = run->time + 1;
    run->with[t->source] = t->destination;
    run->with[t->destination] = t->source;
    run->packet[t->source] = t->packet;
    if (run->time + run->takes < *held)
        *held = run->time + run->takes;
    run->transfer[run->count] = *t;
    run->when[run->count++] = run->time;
}

/* Reads bytes by threes: each draws a transfer at the present time; if the transfer is not
 * possible, time advances. */
static void play(struct fuzz_bytes *bytes, struct run *run)
{
    while (fuzz_more(bytes) && run->count < MOST_TRANSFERS) {
        struct transfer t = {fuzz_take(bytes, run->nodes), fuzz_take(bytes, run->nodes),
                             1 + fuzz_take(bytes, run->packets)};
        if (t.source != t.destination && may_send(run, &t) && may_receive(run, &t) &&
            may_meet(run, t.source, t.destination) && may_meet(run, t.destination, t.source) &&
            may_both(run, &t))
            send_packet(run, &t);
        else
            run->time += 1 + (t.source + t.packet) % 3;
    }
}

/* Adds a demand for each packet: all nodes that receive it, or its source if none does. */
static bool add_demands(const struct run *run, struct schedule *schedule, struct err *err)
{
    bool added = true;
    for (uint32_t p = 0; added && p < run->packets; p++) {
        uint32_t wanted[MOST_NODES], count = 0;
        for (uint32_t node = 0; node < run->nodes; node++)
            if (node != run->origin[p] && run->held[p][node] != UINT64_MAX)
                wanted[count++] = node;
        if (count == 0)
            wanted[count++] = run->origin[p];
        added = schedule_add_demand(schedule, 1, run->origin[p], wanted, count, err);
    }
    return added;
}

static bool add_transfers(const struct run *run, struct schedule *schedule, struct err *err)
{
    bool added = true;
    for (uint32_t k = 0; added && k < run->count; k++) {
        if (k == 0 || run->when[k] != run->when[k - 1]) {
            if (k > 0)
                schedule_close_step(schedule, 0);
            added = schedule_open_step(schedule, run->when[k], 1, err) != NULL;
        }
        added = added && schedule_append(schedule, run->transfer[k], err);
    }
    schedule_close_step(schedule, 0);
    return added;
}

bool draw_free(struct fuzz_bytes *bytes, enum model model, struct rational lambda,
               struct schedule *schedule)
{
    struct err err = {0};
    struct run run = begin(bytes, model, lambda);
    const struct topology topology = topology_complete(run.nodes);
    play(bytes, &run);
    if (run.count == 0)
        return false;
    bool made = schedule_init_empty(schedule, "free", &topology, model, &err);
    if (model_has_times(model))
        schedule->lambda = lambda;
    fuzz_holds(made && add_demands(&run, schedule, &err) && add_transfers(&run, schedule, &err),
               &err, "a free schedule");
    return true;
}
