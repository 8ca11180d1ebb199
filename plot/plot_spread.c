/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include "sched/base/compare.h"
#include "sched/exchange/operations.h"
#include "sched/schedule/held.h"

#include <stdlib.h>

/* Numbers of contributions in the partial results of combined packets, at nodes and routers. */
struct contributions {
    uint32_t *all, *received; /* [packets · all nodes]: with and without the node's own */
    uint32_t *sent;           /* [transfers] */
    size_t step;              /* the next step whose senders are read */
};

struct spread {
    const struct schedule *schedule;
    struct contributions contributions; /* NULL without combined packets */
    uint32_t packets;                   /* data packets */
    struct held held;
    /* [packets + 1]: number of processors that have the packet; of a combined packet, contributions
     * in its largest partial result */
    uint32_t *owners;
    uint32_t *missing; /* [nodes]: number of required packets that have not arrived */
    uint32_t complete; /* number of nodes that miss no packet */
    uint32_t stride;   /* packets 1, 1 + stride, … are drawn */
    struct chart *chart;
    double before;     /* the last time that was drawn */
    size_t all, first; /* series of complete nodes; series of the first packet */
};

static bool wants(const struct demand *demand, uint32_t node)
{
    if (demand->wanted_count == 0)
        return node != demand->source;
    size_t low = 0, high = demand->wanted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (demand->wanted[middle] == node)
            return node != demand->source;
        *(demand->wanted[middle] < node ? &low : &high) = middle + (demand->wanted[middle] < node);
    }
    return false;
}

/* Records that a processor receives a packet, for the first time or again. */
static void receive(struct spread *spread, uint32_t node, uint32_t packet)
{
    if (!held_add(&spread->held, node, packet))
        return;
    spread->owners[packet]++;
    if (wants(schedule_demand_of(spread->schedule, packet), node) && --spread->missing[node] == 0)
        spread->complete++;
}

/* -- Combined packets -------------------------------------------------------------------------- */

static size_t pair(const struct spread *spread, uint32_t node, uint32_t packet)
{
    return (size_t)(packet - 1) * spread->schedule->topology.all + node;
}

/* Returns the number of contributions in the result of a packet at a node that wants it. */
static uint32_t result_size(const struct schedule *schedule, const struct demand *demand,
                            uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    const uint32_t count = schedule_starts(schedule, demand);
    uint32_t lower = 0;
    if (!reduction->prefix)
        return count;
    while (lower < count && schedule_start(demand, lower) < node)
        lower++;
    return lower + !reduction->exclusive;
}

static const uint32_t *result(const struct spread *spread, const struct demand *demand, size_t at)
{
    const struct contributions *contributions = &spread->contributions;
    return demand->reduction->exclusive ? &contributions->received[at] : &contributions->all[at];
}

static void begin_combined(struct spread *spread, const struct demand *demand)
{
    const struct schedule *schedule = spread->schedule;
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        for (uint32_t k = 0; k < schedule_starts(schedule, demand); k++)
            spread->contributions.all[pair(spread, schedule_start(demand, k), packet)] = 1;
        spread->owners[packet] = 1;
        for (uint32_t k = 0; k < schedule_wanters(schedule, demand); k++) {
            const uint32_t node = schedule_wanter(demand, k);
            spread->missing[node] += *result(spread, demand, pair(spread, node, packet)) !=
                                     result_size(schedule, demand, node);
        }
    }
}

/* Reads what the senders have of combined packets, in all steps before a time. */
static void send_before(struct spread *spread, uint64_t time)
{
    const struct schedule *schedule = spread->schedule;
    struct contributions *contributions = &spread->contributions;
    for (; contributions->step < schedule->step_count &&
           schedule->step[contributions->step].time < time;
         contributions->step++)
        for (size_t t = schedule->step[contributions->step].first;
             t < schedule_step_end(schedule, contributions->step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const size_t at = pair(spread, transfer->source, transfer->packet);
            const bool received = schedule_combining(schedule, t) & COMBINING_RECEIVED;
            contributions->sent[t] =
                received ? contributions->received[at] : contributions->all[at];
        }
}

/* Records that a node receives a partial result. */
static void receive_combined(struct spread *spread, const struct demand *demand, size_t t)
{
    const struct schedule *schedule = spread->schedule;
    struct contributions *contributions = &spread->contributions;
    const struct transfer *transfer = &schedule->transfer[t];
    const uint32_t node = transfer->destination, sent = contributions->sent[t];
    const size_t at = pair(spread, node, transfer->packet);
    const bool replaces = schedule_combining(schedule, t) & COMBINING_REPLACE;
    const uint32_t before = *result(spread, demand, at);
    contributions->all[at] = sent + (replaces ? 0 : contributions->all[at]);
    contributions->received[at] = sent + (replaces ? 0 : contributions->received[at]);
    spread->owners[transfer->packet] =
        MAX(spread->owners[transfer->packet], *result(spread, demand, at));
    if (node >= schedule->nodes || !demand_wants(demand, node))
        return;
    const uint32_t size = result_size(schedule, demand, node);
    const bool had = before == size, has = *result(spread, demand, at) == size;
    if (has && !had && --spread->missing[node] == 0)
        spread->complete++;
    if (had && !has && spread->missing[node]++ == 0)
        spread->complete--;
}

static bool contributions_new(struct spread *spread)
{
    const struct schedule *schedule = spread->schedule;
    const size_t pairs = (size_t)schedule->topology.all * schedule->packets;
    struct contributions *contributions = &spread->contributions;
    if (!schedule->has_reductions)
        return true;
    contributions->all = calloc(pairs, sizeof *contributions->all);
    contributions->received = calloc(pairs, sizeof *contributions->received);
    contributions->sent = calloc(schedule->transfer_count + 1, sizeof *contributions->sent);
    return contributions->all != NULL && contributions->received != NULL &&
           contributions->sent != NULL;
}

/* -- Curves ------------------------------------------------------------------------------------ */

static void begin(struct spread *spread)
{
    const struct schedule *schedule = spread->schedule;
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        uint32_t packets = demand->last_packet - demand->first_packet + 1;
        bool all = demand->wanted_count == 0;
        if (demand->first_packet > spread->packets)
            break;
        if (demand->reduction != NULL) {
            begin_combined(spread, demand);
            continue;
        }
        for (uint32_t at = 0; at < (all ? schedule->nodes : demand->wanted_count); at++)
            if (all ? at != demand->source : demand->wanted[at] != demand->source)
                spread->missing[all ? at : demand->wanted[at]] += packets;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            held_add(&spread->held, demand->source, packet);
            spread->owners[packet] = 1;
        }
    }
    for (uint32_t node = 0; node < schedule->nodes; node++)
        spread->complete += spread->missing[node] == 0;
}

/* Adds points before and after each change of a curve, and at both of its ends. */
static void draw(struct spread *spread, size_t series, double x, uint32_t value, bool last)
{
    if (spread->chart->failed)
        return;
    const struct chart_series *drawn = &spread->chart->series[series];
    bool moved = drawn->count == 0 || drawn->point[drawn->count - 1].y != value;
    if (moved && drawn->count > 0 && drawn->point[drawn->count - 1].x < spread->before)
        chart_point(spread->chart, series, spread->before, drawn->point[drawn->count - 1].y);
    if (moved || last)
        chart_point(spread->chart, series, x, value);
}

static void draw_all(struct spread *spread, uint64_t time, bool last)
{
    double x = (double)time / spread->schedule->lambda.denominator;
    draw(spread, spread->all, x, spread->complete, last);
    size_t series = spread->first;
    for (uint32_t packet = 1; packet <= spread->packets; packet += spread->stride)
        draw(spread, series++, x, spread->owners[packet], last);
    spread->before = x;
}

static void play(struct spread *spread)
{
    const struct schedule *schedule = spread->schedule;
    uint64_t flight = model_has_times(schedule->model) ? schedule->lambda.numerator : 0;
    begin(spread);
    draw_all(spread, 0, false);
    for (size_t step = 0; step < schedule->step_count; step++) {
        if (schedule->has_reductions)
            send_before(spread, schedule->step[step].time + schedule->lambda.numerator);
        for (size_t at = schedule->step[step].first; at < schedule_step_end(schedule, step); at++) {
            const struct transfer *transfer = &schedule->transfer[at];
            const struct demand *demand = schedule_demand_of(schedule, transfer->packet);
            if (demand->reduction != NULL)
                receive_combined(spread, demand, at);
            else if (transfer->destination < schedule->nodes && transfer->packet <= spread->packets)
                receive(spread, transfer->destination, transfer->packet);
        }
        uint64_t time = schedule->step[step].time + flight;
        draw_all(spread, time, time == schedule->end);
    }
}

/* Adds the strands first, so that the wide curve is drawn over them. */
static void add_series(struct spread *spread)
{
    char name[40];
    spread->first = spread->chart->count;
    for (uint32_t packet = 1; packet <= spread->packets; packet += spread->stride) {
        snprintf(name, sizeof name, "packet %u", packet);
        size_t series = chart_series(spread->chart, CHART_STRAND, name);
        if (!spread->chart->failed)
            spread->chart->series[series].number = packet;
    }
    spread->all = chart_series(spread->chart, CHART_STEPS, "have all they want");
}

bool plot_spread(const struct schedule *schedule, const char *title, struct chart *chart,
                 struct err *err)
{
    struct spread spread = {
        .schedule = schedule, .packets = schedule_data_packets(schedule), .chart = chart};
    spread.stride = (spread.packets + PLOT_STRANDS - 1) / PLOT_STRANDS;
    chart_titles(chart, title,
                 model_has_times(schedule->model) ? "time (units of a packet)" : "round", "nodes");
    chart->strands =
        schedule->has_reductions ? "contribute to one result of this packet" : "have this packet";
    size_t most = schedule->transfer_count + schedule->packets;
    if (!held_init(&spread.held, schedule->nodes, schedule->packets, most, err))
        return false;
    spread.owners = calloc(spread.packets + (size_t)1, sizeof *spread.owners);
    spread.missing = calloc(schedule->nodes, sizeof *spread.missing);
    bool room = spread.owners != NULL && spread.missing != NULL && contributions_new(&spread);
    if (room) {
        add_series(&spread);
        play(&spread);
    }
    free(spread.owners);
    free(spread.missing);
    free(spread.contributions.all);
    free(spread.contributions.received);
    free(spread.contributions.sent);
    held_free(&spread.held);
    return room ? chart_check(chart, err) : err_no_memory(err, "a plot");
}
