/* SPDX-License-Identifier: Apache-2.0 */
/* taprio: time-aware gates of IEEE 802.1Qbv (clause 8.6.8.4), as commands of tc-taprio(8).
 *
 *     round 1   0 → 1         case $1 in
 *     round 2   0 → 2, 1 → 3  0) gates="sched-entry S 02 …" ;;
 *                             1) gates="sched-entry S 01 … sched-entry S 02 …" ;;
 *
 * `sh FILE NODE DEVICE` opens the gate of class 1 of a node in the rounds in which it sends, and
 * that of class 0, for other traffic, in all others. A round takes the time of a frame of --bytes
 * bytes at 1 Gbit/s. Equal gates of consecutive rounds are one entry. Packets that are to be sent
 * have priority 1; the file does not list them. */
#include "sched/exchange/exchange.h"

#include "sched/exchange/gates.h"
#include "sched/exchange/operations.h"

struct gates {
    FILE *to;       /* NULL: only count */
    uint64_t round; /* nanoseconds of a round */
    uint32_t entries;
    bool open;       /* the gate of the entry that is being made */
    uint64_t rounds; /* its number of rounds */
};

/* Ends the entry. */
static void put_entry(struct gates *gates)
{
    if (gates->rounds == 0)
        return;
    gates->entries++;
    if (gates->to != NULL)
        fprintf(gates->to, "%ssched-entry S %s %" PRIu64, gates->entries > 1 ? " " : "",
                gates->open ? "02" : "01", gates->rounds * gates->round);
    gates->rounds = 0;
}

/* Adds rounds with an open or a closed gate. */
static void add_rounds(struct gates *gates, bool open, uint64_t rounds)
{
    if (rounds > 0 && open != gates->open)
        put_entry(gates);
    if (rounds > 0)
        gates->open = open;
    gates->rounds += rounds;
}

/* Writes the gates of a node, or counts their entries. */
static void put_gates(const struct schedule *schedule, const struct operations *operations,
                      uint32_t node, struct gates *gates)
{
    uint64_t last = 0;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        if (operations->operation[k] % 2 == 1)
            continue;
        size_t step = schedule_step_of(schedule, operations->operation[k] / 2);
        uint64_t round = schedule->step[step].time;
        add_rounds(gates, false, round - last - 1);
        add_rounds(gates, true, 1);
        last = round;
    }
    add_rounds(gates, false, schedule->end - last);
    put_entry(gates);
}

static bool check(const struct schedule *schedule, const struct operations *operations,
                  uint64_t round, struct err *err)
{
    if (!gates_check_time("taprio", schedule->end, round, err))
        return false;
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        struct gates gates = {.round = round};
        put_gates(schedule, operations, node, &gates);
        if (!gates_check_entries("taprio", node, gates.entries, err))
            return false;
    }
    return true;
}

static bool write_taprio(FILE *to, const struct schedule *schedule,
                         const struct exchange_options *options, struct err *err)
{
    struct operations operations;
    const uint64_t round = gates_link_bytes(options->bytes) * GATES_NANOSECONDS_OF_BYTE;
    if (!operations_new(schedule, &operations, err))
        return false;
    bool fits = check(schedule, &operations, round, err);
    if (fits)
        fprintf(to, "# sh FILE NODE DEVICE: %" PRIu64 " rounds of %" PRIu64 " ns\ncase $1 in\n",
                schedule->end, round);
    for (uint32_t node = 0; fits && node < schedule->nodes && !ferror(to); node++) {
        struct gates gates = {.to = to, .round = round};
        fprintf(to, "%" PRIu32 ") gates=\"", node);
        put_gates(schedule, &operations, node, &gates);
        fputs("\" ;;\n", to);
    }
    if (fits)
        fputs(
            "esac\ntc qdisc replace dev \"$2\" parent root handle 100 taprio num_tc 2 map 0 1 \\\n"
            "    queues 1@0 1@1 base-time 0 $gates flags 0 clockid CLOCK_TAI\n",
            to);
    operations_free(&operations);
    return fits;
}

const struct exchange_format exchange_taprio = {
    .name = "taprio",
    .what = "gate lists, for tc-taprio",
    .suffix = "sh",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = 4096,
    .write = write_taprio,
};
