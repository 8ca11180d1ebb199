/* SPDX-License-Identifier: Apache-2.0 */
/* test_multicast_rtl: multicast networks, csim and RTL in lockstep; each round is a map from nodes
 * to nodes.
 *
 * In each round of the schedule node i sends its own packet to all nodes that map to i, so that the
 * expected receipts are those maps, independent of the routing.
 *
 *   N = 2, 4     all maps without fixed points, idle nodes included, N^N of them (N = 2 if every
 *                space is exhausted)
 *   N = 8, 32    seeded maps of several kinds, also on fewer nodes than ports
 *
 * Counter-cases: every bit of the settings of a round in which each node sends to one node is
 * flipped on csim; one of them on both engines.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/permutation_lab.h"
#include "tests/support/running.h"

#define SEED UINT64_C(20261123)

static void every_map_of_2_and_4_ports(void **state)
{
    (void)state;
    for (uint32_t ports = running_exhaustive() ? 2 : 4; ports <= 4; ports *= 2) {
        struct permutation_lab lab = permutation_lab_open(multistage_multicast(ports), ports);
        uint32_t maps = ports == 2 ? 4 : 256, from[4];
        for (uint32_t map = 0; map < maps; map++) {
            for (uint32_t node = 0, rest = map; node < ports; node++, rest /= ports)
                from[node] = rest % ports;
            permutation_lab_map(&lab, from); /* a node that maps to itself is idle */
        }
        assert_int_equal(lab.rounds, maps - 1);
        assert_int_equal(permutation_lab_run(&lab, 1),
                         maps * (ports - 1)); /* a node is idle in one of `ports` maps */
    }
}

/* Draws a map: any map, one node to all, a few to all, or some nodes idle. */
static void draw(struct rng *rng, unsigned kind, uint32_t nodes, uint32_t from[])
{
    uint32_t one = rng_below(rng, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        const uint32_t drawn[] = {rng_below(rng, nodes), one, (one + rng_below(rng, 3)) % nodes,
                                  rng_below(rng, 3) ? MULTISTAGE_IDLE : rng_below(rng, nodes)};
        from[node] = drawn[kind];
    }
}

static void seeded_maps(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports, nodes, rounds;
        unsigned pipe, pad;
    } shapes[] = {{8, 8, 400, 1, 0}, {8, 5, 60, 1, 0}, {32, 32, 100, 3, 1}, {32, 21, 100, 3, 1}};
    for (unsigned which = 0; which < sizeof shapes / sizeof *shapes; which++) {
        struct permutation_lab lab =
            permutation_lab_open(multistage_multicast(shapes[which].ports), shapes[which].nodes);
        struct rng rng = {SEED + which};
        uint32_t from[32];
        lab.pipe = shapes[which].pipe;
        lab.pad = shapes[which].pad;
        while (lab.rounds < shapes[which].rounds) {
            draw(&rng, lab.rounds % 4, lab.nodes, from);
            permutation_lab_map(&lab, from);
        }
        uint64_t receipts = permutation_lab_run(&lab, 1 + which % 2);
        print_message("%u nodes on %u ports, seed %llu: %llu receipts\n", lab.nodes,
                      shapes[which].ports, (unsigned long long)(SEED + which),
                      (unsigned long long)receipts);
    }
}

static void every_flipped_bit_shows(void **state)
{
    (void)state;
    static const struct simulate_options csim = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct permutation_lab lab = permutation_lab_open(multistage_multicast(8), 8);
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    unsigned flipped = 0;
    for (uint32_t node = 0; node < 8; node++)
        lab.to[node] = (node + 3) % 8;
    permutation_lab_add(&lab);
    permutation_lab_job(&lab, 1, &job);
    support_true(simulate(&job.image, &job.schedule, &job.payload, &csim, &report, &err), &err);
    for (size_t k = 0; k < job.image.count; k++) {
        if (machine_region_of(job.image.word[k].address) != MACHINE_TABLE)
            continue;
        for (uint32_t lane = 0; lane < 8; lane++, flipped++) {
            job.image.word[k].word ^= 1u << lane;
            assert_false(simulate(&job.image, &job.schedule, &job.payload, &csim, &report, &err));
            assert_int_equal(err_exit_status(err.code), 1);
            job.image.word[k].word ^= 1u << lane;
        }
    }
    assert_int_equal(flipped, 9 * 8);
    support_job_free(&job);
    permutation_lab_broken(multistage_multicast(8), 8, SEED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_of_2_and_4_ports),
        cmocka_unit_test(seeded_maps),
        cmocka_unit_test(every_flipped_bit_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
