/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/plot.h"

#include "sched/verify/held.h"

#include <stdlib.h>

struct spread {
    const struct schedule *schedule;
    uint32_t packets; /* data packets */
    struct held held;
    uint32_t *owners;  /* [packets + 1]: number of processors that have the packet */
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

static void begin(struct spread *spread)
{
    const struct schedule *schedule = spread->schedule;
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        uint32_t packets = demand->last_packet - demand->first_packet + 1;
        bool all = demand->wanted_count == 0;
        if (demand->first_packet > spread->packets)
            break;
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
        for (size_t at = schedule->step[step].first; at < schedule_step_end(schedule, step); at++) {
            const struct transfer *transfer = &schedule->transfer[at];
            if (transfer->destination < schedule->nodes && transfer->packet <= spread->packets)
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
    chart->strands = "have this packet";
    size_t most = schedule->transfer_count + schedule->packets;
    if (!held_init(&spread.held, schedule->nodes, schedule->packets, most, err))
        return false;
    spread.owners = calloc(spread.packets + (size_t)1, sizeof *spread.owners);
    spread.missing = calloc(schedule->nodes, sizeof *spread.missing);
    bool room = spread.owners != NULL && spread.missing != NULL;
    if (room) {
        add_series(&spread);
        play(&spread);
    }
    free(spread.owners);
    free(spread.missing);
    held_free(&spread.held);
    return room ? chart_check(chart, err) : err_no_memory(err, "a plot");
}
