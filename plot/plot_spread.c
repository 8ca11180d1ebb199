/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include "sched/base/compare.h"
#include "sched/exchange/operations.h"
#include "sched/schedule/held.h"
#include "sched/schedule/partial_values.h"

#include <stdlib.h>

struct spread {
    const struct schedule *schedule;
    struct partial_values counts; /* numbers of contributions; unused without combined packets */
    uint32_t packets;             /* data packets */
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

/* Records that a processor receives a packet, for the first time or again. The source has its own
 * packets from the beginning. */
static void receive(struct spread *spread, uint32_t node, uint32_t packet)
{
    if (!held_add(&spread->held, node, packet))
        return;
    spread->owners[packet]++;
    const struct demand *demand = schedule_demand_of(spread->schedule, packet);
    if (demand_wants(demand, node) && --spread->missing[node] == 0)
        spread->complete++;
}

/* -- Combined packets -------------------------------------------------------------------------- */

static uint64_t one_contribution(uint32_t node)
{
    (void)node;
    return 1;
}

static void add_contributions(uint64_t *to, uint64_t part)
{
    *to += part;
}

/* Returns the number of contributions in the result of a packet at a node that wants it. O(log
 * contributors). */
static uint64_t result_size(const struct schedule *schedule, const struct demand *demand,
                            uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    uint32_t lower = 0, end = schedule_starts(schedule, demand);
    if (!reduction->prefix)
        return end;
    while (lower < end) {
        const uint32_t middle = lower + (end - lower) / 2;
        if (schedule_start(demand, middle) < node)
            lower = middle + 1;
        else
            end = middle;
    }
    return (uint64_t)lower + !reduction->exclusive;
}

static bool has_result(const struct spread *spread, const struct demand *demand, uint32_t node,
                       uint32_t packet)
{
    return partial_values_result(&spread->counts, demand, node, packet) ==
           result_size(spread->schedule, demand, node);
}

static void begin_combined(struct spread *spread, const struct demand *demand)
{
    const struct schedule *schedule = spread->schedule;
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        spread->owners[packet] = 1;
        for (uint32_t k = 0; k < schedule_wanters(schedule, demand); k++) {
            const uint32_t node = schedule_wanter(demand, k);
            spread->missing[node] += !has_result(spread, demand, node, packet);
        }
    }
}

/* Records that a node receives a partial result. */
static void receive_combined(struct spread *spread, const struct demand *demand, size_t t)
{
    const struct transfer *transfer = &spread->schedule->transfer[t];
    const uint32_t node = transfer->destination, packet = transfer->packet;
    const bool counts = node < spread->schedule->nodes && demand_wants(demand, node);
    const bool had = counts && has_result(spread, demand, node, packet);
    partial_values_receive(&spread->counts, t);
    const uint64_t size = partial_values_result(&spread->counts, demand, node, packet);
    spread->owners[packet] = (uint32_t)MAX(spread->owners[packet], size);
    const bool has = counts && has_result(spread, demand, node, packet);
    if (has && !had && --spread->missing[node] == 0)
        spread->complete++;
    if (had && !has && spread->missing[node]++ == 0)
        spread->complete--;
}

/* -- Curves ------------------------------------------------------------------------------------ */

static void begin(struct spread *spread)
{
    const struct schedule *schedule = spread->schedule;
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        uint32_t packets = demand->last_packet - demand->first_packet + 1;
        if (demand->first_packet > spread->packets)
            break;
        if (demand->reduction != NULL) {
            begin_combined(spread, demand);
            continue;
        }
        for (uint32_t k = 0; k < schedule_wanters(schedule, demand); k++)
            if (schedule_wanter(demand, k) != demand->source)
                spread->missing[schedule_wanter(demand, k)] += packets;
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
            partial_values_send(&spread->counts, step);
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
    bool room =
        spread.owners != NULL && spread.missing != NULL &&
        (!schedule->has_reductions ||
         partial_values_new(&spread.counts, schedule, false, one_contribution, add_contributions));
    if (room) {
        add_series(&spread);
        play(&spread);
    }
    free(spread.owners);
    free(spread.missing);
    partial_values_free(&spread.counts);
    held_free(&spread.held);
    return room ? chart_check(chart, err) : err_no_memory(err, "a plot");
}
