/* SPDX-License-Identifier: Apache-2.0 */
/* tsnkit: streams, routes and gates of a time-sensitive network, as the tables (CSV) of tsnkit
 * (its simulator: tsnkit/simulation/tas.py).
 *
 *     round 1   0 → 1         stream 0 from 0 to 1, released at the begin of round 1
 *     round 2   0 → 2, 1 → 3  stream 1 from 0 to 2, stream 2 from 1 to 3, at that of round 2
 *
 * The processors are joined to one bridge, node n, by links of 1 Gbit/s. A transfer is a stream
 * with one frame in each cycle of the schedule. Gates of the links to and from the bridge are open
 * in the rounds in which their node sends or receives; consecutive rounds are one entry.
 *
 * `sh FILE PREFIX` writes the tables as PREFIX-task.csv, … . */
#include "sched/exchange/exchange.h"

#include "sched/exchange/gates.h"
#include "sched/exchange/operations.h"

#include <stdlib.h>

#define STEP 100        /* nanoseconds: the time step of the tools */
#define PROCESSING 2000 /* nanoseconds of processing at the end of a link, in the simulator */

/* A schedule as streams. */
struct streams {
    FILE *to;
    const struct schedule *schedule;
    const struct operations *operations;
    uint64_t bytes; /* of a frame on a link */
    uint64_t round; /* nanoseconds of a round */
    uint64_t cycle; /* nanoseconds of the schedule */
};

/* Nanoseconds until a frame has crossed both links, each a multiple of the time step, and one step
 * more, so that the simulator logs frames of the last round before the cycle ends. */
static uint64_t round_of(uint64_t bytes)
{
    uint64_t link = bytes * GATES_NANOSECONDS_OF_BYTE + PROCESSING;
    uint64_t steps = (link - 1) / STEP + 1;
    return (2 * steps + 1) * STEP;
}

/* Returns the round of an operation. */
static uint64_t round_at(const struct streams *streams, size_t k)
{
    const struct schedule *schedule = streams->schedule;
    size_t transfer = streams->operations->operation[k] / 2;
    return schedule->step[schedule_step_of(schedule, transfer)].time;
}

/* Writes the gates of the link from a node to the bridge, or of the link to it, if streams->to is
 * not NULL. Returns the number of entries. */
static uint32_t put_gates(const struct streams *streams, uint32_t node, bool received)
{
    const struct operations *operations = streams->operations;
    uint32_t bridge = streams->schedule->nodes, entries = 0;
    size_t end = operations->first[node + 1];
    for (size_t k = operations->first[node]; k < end;) {
        if (operations->operation[k] % 2 != received) {
            k++;
            continue;
        }
        uint64_t first = round_at(streams, k), last = first;
        for (k++; k < end &&
                  (operations->operation[k] % 2 != received || round_at(streams, k) == last + 1);
             k++)
            last += operations->operation[k] % 2 == received;
        entries++;
        if (streams->to != NULL)
            fprintf(streams->to,
                    "\"(%" PRIu32 ", %" PRIu32 ")\",0,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                    received ? bridge : node, received ? node : bridge,
                    (first - 1) * streams->round, last * streams->round, streams->cycle);
    }
    return entries;
}

static bool check(const struct streams *streams, struct err *err)
{
    const struct schedule *schedule = streams->schedule;
    if (schedule->transfer_count == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "tsnkit: the schedule has no transfers, but a table needs a stream; "
                       "expected 1 transfer or more");
    if (!gates_check_time("tsnkit", schedule->end, streams->round, err))
        return false;
    struct streams counted = *streams;
    counted.to = NULL;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        if (!gates_check_entries("tsnkit", node, put_gates(&counted, node, false), err) ||
            !gates_check_entries("tsnkit", node, put_gates(&counted, node, true), err))
            return false;
    return true;
}

static void begin_table(FILE *to, const char *name, const char *columns)
{
    fprintf(to, "cat >\"$1-%s.csv\" <<END\n%s\n", name, columns);
}

static void put_network(const struct streams *streams)
{
    uint32_t bridge = streams->schedule->nodes;
    begin_table(streams->to, "topo", "link,q_num,rate,t_proc,t_prop");
    for (uint32_t node = 0; node < bridge; node++)
        fprintf(streams->to,
                "\"(%" PRIu32 ", %" PRIu32 ")\",8,1,%d,0\n\"(%" PRIu32 ", %" PRIu32
                ")\",8,1,%d,0\n",
                node, bridge, PROCESSING, bridge, node, PROCESSING);
    fputs("END\n", streams->to);
}

/* Writes the streams: their tasks, routes, release times and queues. */
static void put_streams(const struct streams *streams)
{
    const struct schedule *schedule = streams->schedule;
    const uint32_t bridge = schedule->nodes;
    const size_t count = schedule->transfer_count;
    FILE *to = streams->to;
    begin_table(to, "task", "stream,src,dst,size,period,deadline,jitter");
    for (size_t t = 0; t < count; t++)
        fprintf(to, "%zu,%" PRIu32 ",[%" PRIu32 "],%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0\n", t,
                schedule->transfer[t].source, schedule->transfer[t].destination, streams->bytes,
                streams->cycle, streams->round);
    fputs("END\n", to);
    begin_table(to, "ROUTE", "stream,link");
    for (size_t t = 0; t < count; t++)
        fprintf(to, "%zu,\"(%" PRIu32 ", %" PRIu32 ")\"\n%zu,\"(%" PRIu32 ", %" PRIu32 ")\"\n", t,
                schedule->transfer[t].source, bridge, t, bridge, schedule->transfer[t].destination);
    fputs("END\n", to);
    begin_table(to, "OFFSET", "stream,frame,offset");
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            fprintf(to, "%zu,0,%" PRIu64 "\n", t, (schedule->step[k].time - 1) * streams->round);
    fputs("END\n", to);
    begin_table(to, "QUEUE", "stream,frame,link,queue");
    for (size_t t = 0; t < count; t++)
        fprintf(
            to, "%zu,0,\"(%" PRIu32 ", %" PRIu32 ")\",0\n%zu,0,\"(%" PRIu32 ", %" PRIu32 ")\",0\n",
            t, schedule->transfer[t].source, bridge, t, bridge, schedule->transfer[t].destination);
    fputs("END\n", to);
}

static bool write_tsnkit(FILE *to, const struct schedule *schedule,
                         const struct exchange_options *options, struct err *err)
{
    struct operations operations;
    uint64_t bytes = gates_link_bytes(options->bytes), round = round_of(bytes);
    if (!operations_new(schedule, &operations, err))
        return false;
    struct streams streams = {.to = to,
                              .schedule = schedule,
                              .operations = &operations,
                              .bytes = bytes,
                              .round = round,
                              .cycle = round * schedule->end};
    bool fits = check(&streams, err);
    if (fits) {
        fprintf(to, "# sh FILE PREFIX: %" PRIu64 " round%s of %" PRIu64 " ns\n", schedule->end,
                text_s(schedule->end), round);
        put_network(&streams);
        put_streams(&streams);
        begin_table(to, "GCL", "link,queue,start,end,cycle");
        for (uint32_t node = 0; node < schedule->nodes && !ferror(to); node++) {
            put_gates(&streams, node, false);
            put_gates(&streams, node, true);
        }
        fputs("END\n", to);
    }
    operations_free(&operations);
    return fits;
}

const struct exchange_format exchange_tsnkit = {
    .name = "tsnkit",
    .what = "streams and gates, for tsnkit",
    .suffix = "sh",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = 4096,
    .write = write_tsnkit,
};
