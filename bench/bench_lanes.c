/* SPDX-License-Identifier: Apache-2.0 */
/* bench_lanes: the switching of a Beneš network in csim, in G lane-stages per CPU-second (one word
 * moved through one stage); 64 seeded random rows per stage, all lanes checked against a trace
 * through the switches.
 *
 *     scalar     one switch at a time, XOR mask, compiled plainly: the reference
 *     vector     lanes_columns' switches alone, from buffer to buffer
 *     modules    the same in csim: a module per stage, with its table as state, a registered output
 *                and the row index as a signal; so vector − modules is the cost of the kernel
 */
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "csim/kernel/csim.h"
#include "csim/multistage/lanes.h"
#include "sched/base/compare.h"
#include "sched/network/benes.h"

#define ROWS 64
#define RUNS 7
#define LANES_PER_RUN UINT64_C(100000000)

struct network {
    unsigned log2_lanes;
    uint32_t lanes;
    unsigned stages;
    uint32_t words;  /* of a row */
    uint32_t *table; /* table[stages][ROWS][words] */
    uint32_t *lane[2];
};

static void *allocate(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (block == NULL) {
        fputs("bench_lanes: out of memory\n", stderr);
        exit(2);
    }
    return memset(block, 0, (bytes + 63) / 64 * 64);
}

static void network_init(struct network *net, unsigned log2_lanes)
{
    *net = (struct network){.log2_lanes = log2_lanes,
                            .lanes = UINT32_C(1) << log2_lanes,
                            .stages = benes_stages(log2_lanes),
                            .words = benes_row_words(log2_lanes)};
    size_t words = (size_t)net->stages * ROWS * net->words;
    net->table = allocate(words * sizeof *net->table);
    uint64_t seed = 1;
    for (size_t word = 0; word < words; word++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        net->table[word] = (uint32_t)(seed >> 32);
    }
    for (unsigned side = 0; side < 2; side++)
        net->lane[side] = allocate((net->lanes + 15) * sizeof(uint32_t));
}

static void network_free(struct network *net)
{
    free(net->table);
    free(net->lane[0]);
    free(net->lane[1]);
}

static const uint32_t *row_of(const struct network *net, unsigned stage, uint64_t cycle)
{
    return net->table + ((size_t)stage * ROWS + cycle % ROWS) * net->words;
}

static void scalar_switch(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    for (uint32_t sw = 0; sw < lanes / 2; sw++) {
        uint32_t low = (sw >> bit << (bit + 1)) | (sw & ((UINT32_C(1) << bit) - 1));
        uint32_t high = low | UINT32_C(1) << bit;
        uint32_t swap = (in[low] ^ in[high]) & -(row[sw / 32] >> (sw % 32) & 1);
        out[low] = in[low] ^ swap;
        out[high] = in[high] ^ swap;
    }
}

/* Moves words through all stages with the settings of one row; the result is in lane[stages %
 * 2]. */
static void pass(struct network *net, lanes_switch_column *column, uint64_t cycle)
{
    for (unsigned stage = 0; stage < net->stages; stage++)
        column(net->lane[(stage + 1) % 2], net->lane[stage % 2], row_of(net, stage, cycle),
               benes_bit(net->log2_lanes, stage), net->lanes);
}

static double column_speed(struct network *net, lanes_switch_column *column)
{
    double best = 0;
    uint64_t passes = LANES_PER_RUN / net->lanes / net->stages;
    for (unsigned run = 0; run < RUNS; run++) {
        double start = measure_cpu_seconds();
        for (uint64_t cycle = 0; cycle < passes; cycle++)
            pass(net, column, cycle);
        double speed =
            (double)(passes * net->lanes * net->stages) / (measure_cpu_seconds() - start) * 1e-9;
        best = MAX(best, speed);
    }
    return best;
}

/* -- The same in modules ----------------------------------------------------------------------- */

struct stage {
    struct csim_in in, row_in;
    struct csim_out out, row_out;
    const struct network *net;
    unsigned number, bit;
};

static void stage_tick(void *state)
{
    struct stage *s = state;
    uint32_t row = csim_get(&s->row_in);
    lanes_columns()->switches(csim_write(&s->out), csim_read(&s->in),
                              row_of(s->net, s->number, row), s->bit, s->net->lanes);
    csim_put(&s->row_out, row);
}

static void add_stage(struct csim *sim, struct network *net, unsigned number,
                      struct csim_signal *lane, struct csim_signal *row)
{
    struct csim_module *module = csim_module(csim_root(sim), "stage%u", number);
    struct stage *s = csim_state(module, sizeof *s);
    if (s == NULL)
        return;
    s->net = net;
    s->number = number;
    s->bit = benes_bit(net->log2_lanes, number);
    csim_input(module, &s->in, 32, net->lanes, "in");
    csim_input(module, &s->row_in, 6, 1, "row_in");
    csim_output(module, &s->out, 32, net->lanes, "out");
    csim_output(module, &s->row_out, 6, 1, "row_out");
    struct csim_process *tick = csim_clocked(module, "tick", stage_tick);
    csim_reads(tick, &s->in);
    csim_reads(tick, &s->row_in);
    csim_writes(tick, &s->out);
    csim_writes(tick, &s->row_out);
    csim_bind(&s->in, &lane[number]);
    csim_bind(&s->row_in, &row[number]);
    csim_bind(&s->out, &lane[number + 1]);
    csim_bind(&s->row_out, &row[number + 1]);
}

/* The row of cycle c enters with the words of cycle c, which leave `stages` cycles later. */
static bool modules_agree(struct csim *sim, struct network *net, struct csim_signal *lane,
                          struct csim_signal *row)
{
    for (uint64_t cycle = 0; cycle < ROWS + net->stages; cycle++) {
        *csim_poke(row[0].net) = (uint32_t)cycle % ROWS;
        for (uint32_t l = 0; l < net->lanes; l++)
            csim_poke(lane[0].net)[l] = (uint32_t)cycle << 16 | l;
        csim_cycle(sim);
        if (cycle + 1 < net->stages)
            continue;
        uint64_t entered = cycle + 1 - net->stages;
        for (uint32_t l = 0; l < net->lanes; l++)
            net->lane[0][l] = (uint32_t)entered << 16 | l;
        pass(net, scalar_switch, entered);
        if (memcmp(csim_read(&lane[net->stages]), net->lane[net->stages % 2],
                   net->lanes * sizeof(uint32_t)) != 0)
            return false;
    }
    return true;
}

static double module_speed(struct network *net)
{
    struct csim *sim = csim_create();
    size_t nets = net->stages + 1;
    struct csim_signal *lane = csim_alloc(csim_root(sim), nets * sizeof *lane);
    struct csim_signal *row = csim_alloc(csim_root(sim), nets * sizeof *row);
    if (lane == NULL || row == NULL) {
        fputs("bench_lanes: out of memory\n", stderr);
        exit(2);
    }
    for (unsigned s = 0; s < nets; s++) {
        csim_signal(csim_root(sim), &lane[s], 32, net->lanes, "lane%u", s);
        csim_signal(csim_root(sim), &row[s], 6, 1, "row%u", s);
    }
    for (unsigned s = 0; s < net->stages; s++)
        add_stage(sim, net, s, lane, row);
    csim_external(&lane[0]);
    csim_external(&row[0]);
    struct err err = {0};
    if (!csim_elaborate(sim, &err)) {
        err_print(stderr, &err, NULL);
        exit(err_exit_status(err.code));
    }
    if (!modules_agree(sim, net, lane, row)) {
        fputs("bench_lanes: csim and the scalar reference differ\n", stderr);
        exit(1);
    }
    double best = 0;
    uint64_t cycles = LANES_PER_RUN / net->lanes / net->stages;
    for (unsigned run = 0; run < RUNS; run++) {
        double start = measure_cpu_seconds();
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            *csim_poke(row[0].net) = (uint32_t)cycle % ROWS;
            csim_cycle(sim);
        }
        double speed =
            (double)(cycles * net->lanes * net->stages) / (measure_cpu_seconds() - start) * 1e-9;
        best = MAX(best, speed);
    }
    csim_destroy(sim);
    return best;
}

int main(void)
{
    printf("%8s %8s %8s %8s   G lane-stages/s\n", "N", "scalar", "vector", "modules");
    for (unsigned log2_lanes = 4; log2_lanes <= 12; log2_lanes += 2) {
        struct network net;
        network_init(&net, log2_lanes);
        printf("%8u %8.2f %8.2f %8.2f\n", net.lanes, column_speed(&net, scalar_switch),
               column_speed(&net, lanes_columns()->switches), module_speed(&net));
        network_free(&net);
    }
    return 0;
}
