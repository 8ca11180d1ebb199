/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/reconfig_lab.h"

#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 16

/* Another setting than to[], in which no node has the receiver that it had. */
static void draw_setting(const struct reconfig_lab *lab, struct rng *rng, uint32_t to[])
{
    uint32_t next[MOST_NODES], shift = 1 + rng_below(rng, lab->nodes - 1);
    bool moved = false;
    if (lab->shifts) {
        for (uint32_t node = 0; node < lab->nodes; node++)
            next[node] = (to[node] + shift) % lab->nodes;
        if (next[0] == 0) /* no node sends to itself */
            for (uint32_t node = 0; node < lab->nodes; node++)
                next[node] = (to[node] + (lab->nodes - shift == shift ? 1 : lab->nodes - shift)) %
                             lab->nodes;
        moved = true;
    }
    while (!moved) {
        rng_permutation(rng, lab->nodes, next);
        moved = true;
        for (uint32_t node = 0; node < lab->nodes; node++)
            moved = moved && next[node] != to[node] && next[node] != node;
    }
    memcpy(to, next, lab->nodes * sizeof *to);
}

void reconfig_lab_schedule(struct reconfig_lab *lab, struct rng *rng, struct schedule *schedule)
{
    char *demands, *rounds;
    size_t size;
    FILE *demand = open_memstream(&demands, &size), *round = open_memstream(&rounds, &size);
    uint32_t packet = 0, row = 0, to[MOST_NODES];
    for (uint32_t node = 0; node < lab->nodes; node++)
        to[node] = node;
    for (uint32_t which = 0; which < lab->count; which++) {
        draw_setting(lab, rng, to);
        lab->rows[which] = 1 + rng_below(rng, lab->most_rows);
        for (uint32_t held = 0; held < lab->rows[which]; held++) {
            bool all = held == 0 || held + 1 == lab->rows[which] || lab->whole, any = false;
            row++;
            for (uint32_t node = 0; node < lab->nodes; node++) {
                if (!all && rng_below(rng, 3) > 0)
                    continue;
                fprintf(demand, "demand %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", ++packet, node,
                        to[node]);
                if (!any)
                    fprintf(round, "round %" PRIu32 "\n", row);
                fprintf(round, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", node, to[node], packet);
                any = true;
            }
        }
    }
    fclose(demand);
    fclose(round);
    char *text;
    assert_true(asprintf(&text,
                         "roundcast-schedule 1\nalgorithm held\ntopology complete %" PRIu32
                         "\nmodel send-receive\n%s%send %" PRIu32 "\n",
                         lab->nodes, demands, rounds, row) > 0);
    struct err err = {0};
    support_true(support_read(text, "held", schedule, &err), &err);
    free(text);
    free(demands);
    free(rounds);
}

bool reconfig_lab_job(const struct schedule *schedule, const char *network,
                      enum machine_settings settings, uint32_t flits, uint32_t price,
                      struct support_job *job, struct err *err)
{
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){.settings = settings});
    machine.reconfigures = true;
    if (!setting_period_lab_job(schedule, machine, 6, flits, job, err))
        return false;
    route_reconfigure(&job->image, price);
    return true;
}

uint32_t *reconfig_lab_word(struct image *image, uint32_t setting_phase)
{
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address == machine_setting_index_address(&image->machine, setting_phase))
            return &image->word[k].word;
    fail_msg("no word for phase %" PRIu32, setting_phase);
    return NULL;
}
