/* SPDX-License-Identifier: Apache-2.0 */
/* test_any_words: words that no compiler writes, on csim: the behavior at every address is defined,
 * as in the RTL, where the widths ensure it.
 *
 * Exhaustive: the packet that an entry of a computed program selects, for all memories of 2 … 8
 * packets and setting phases, all entries, bases and numbers of packets that the registers hold,
 * compared with the integer sum truncated as in rtl/shell/rc_periodic_packet.sv. Sampled, with a
 * printed seed: machines of every kind, whose tables, programs, memories and registers are filled
 * with random words, among them 0 and ffffffff, at random addresses; they run for some hundred
 * cycles, and every memory can be read. test_setting_period_rtl.c and test_fat_tree_rtl.c compare
 * their behavior with the RTL; here a sanitizer checks that no access leaves a memory.
 *
 * Counter-case: sums that are not truncated often select packets that no memory has.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"

#include <inttypes.h>

#define SEED UINT64_C(20261124)
#define CYCLES 300
enum { RUNS = 12, WORDS = 400 };

/* -- Computed programs ------------------------------------------------------------------------- */

/* Returns {valid, packet} as rtl/shell/rc_periodic_packet.sv does. */
static uint32_t packet_in_rtl(unsigned packet_bits, unsigned offset_bits, uint32_t entry,
                              uint32_t base, uint32_t packets)
{
    int64_t offset = entry & ((1u << offset_bits) - 1);
    int64_t sum =
        (offset >> (offset_bits - 1) ? offset - (INT64_C(1) << offset_bits) : offset) + base;
    uint64_t last = (packets - UINT64_C(1)) & ((UINT64_C(2) << packet_bits) - 1);
    if (!(entry >> 31) || sum < 0)
        return 0;
    return MACHINE_VALID |
           (uint32_t)((sum >= packets ? last : (uint64_t)sum) & ((1u << packet_bits) - 1));
}

static void every_entry(void **state)
{
    (void)state;
    uint64_t compared = 0, outside = 0;
    for (unsigned which = 0; which < 9; which++) {
        const struct machine machine = {
            .computed = true, .log2_packets = 1 + which / 3, .log2_period = 1 + which % 3};
        const unsigned bits = machine_offset_bits(&machine);
        for (uint32_t entry = 0; entry < 2u << bits; entry++)
            for (uint32_t base = 0; base < 1u << bits; base++)
                for (uint32_t packets = 0; packets < 2u << machine.log2_packets; packets++) {
                    uint32_t word = entry >> bits << 31 | (entry & ((1u << bits) - 1));
                    uint32_t seen = machine_computed(&machine, word, base, packets);
                    if (seen != packet_in_rtl(machine.log2_packets, bits, word, base, packets))
                        fail_msg("entry %08" PRIx32 ", base %" PRIu32 ", %" PRIu32
                                 " packets: %08" PRIx32,
                                 word, base, packets, seen);
                    compared++;
                    outside +=
                        (int64_t)(entry & ((1u << bits) - 1)) + base >= 1 << machine.log2_packets;
                }
    }
    print_message("%" PRIu64 " compared, %" PRIu64 " of them with a sum that is no packet\n",
                  compared, outside);
    assert_true(compared > 50000 && outside > compared / 2);
}

/* -- Machines ---------------------------------------------------------------------------------- */

static uint32_t any_word(struct rng *rng)
{
    static const uint32_t words[] = {0, 1, UINT32_C(0xffffffff), UINT32_C(0x80000000),
                                     UINT32_C(0x7fffffff)};
    return rng_below(rng, 3) == 0 ? words[rng_below(rng, 5)] : (uint32_t)rng_next(rng);
}

/* Returns an address of any region, whether or not a word is there. */
static uint32_t any_address(struct rng *rng)
{
    uint32_t region = rng_below(rng, 8), field = (uint32_t)rng_next(rng) & UINT32_C(0x0fffffff);
    if (region == MACHINE_REGISTER)
        field = MACHINE_RUN_ROWS + rng_below(rng, MACHINE_RUN_RECONFIGURE - MACHINE_RUN_ROWS + 1);
    else if (rng_below(rng, 4) != 0)
        field &= 0xffff;
    uint32_t nodes = rng_below(rng, 4) == 0 ? MACHINE_ALL_NODES : 0;
    return nodes | machine_region_address((enum machine_region)region) | field;
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Writes random words, runs for a while, and reads all that was written. */
static void run_any(struct rng *rng, const struct machine *machine)
{
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    static const struct run waited = {.rows = CYCLES, .flits = 1, .row_cycles = 1};
    const struct testbench_observer observer = {NULL, look_away};
    struct testbench testbench;
    struct err err = {0};
    uint32_t word, address[WORDS];
    uint64_t cycles;
    support_true(machine_check(machine, &err), &err);
    support_true(testbench_open(csim, 1, machine, false, &testbench, &err), &err);
    for (unsigned run = 0; run < RUNS; run++) {
        for (unsigned k = 0; k < WORDS; k++) {
            address[k] = any_address(rng);
            support_true(testbench_write(&testbench, address[k], any_word(rng), &err), &err);
        }
        bool done = testbench_run(&testbench, &waited, &observer, &cycles, &err);
        assert_true(done || err.code == ERR_TIME_OUT);
        for (unsigned k = 0; k < WORDS; k++)
            support_true(testbench_read(&testbench, address[k], &word, &err), &err);
    }
    testbench_close(&testbench);
}

static void any_multistage(void **state)
{
    (void)state;
    static const char *const networks[] = {
        "benes:2",    "benes:5,pipe=2",  "benes:16",    "omega:8",
        "clos:3,2,3", "benes:8,radix=2", "multicast:4", "benes:37,pipe=0,pad=3",
        "waksman:8",  "waksman:6,pipe=0"};
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned network = 0; network < sizeof networks / sizeof *networks; network++)
        for (unsigned how = 0; how < 4 * 2 * 2; how++) {
            const bool small = how / 8;
            struct machine machine = setting_period_lab_machine(
                networks[network],
                (struct setting_period_lab_how){(enum machine_settings)(how / 2 % 4), how % 2});
            if (!machine_check_settings(&machine, NULL))
                continue;
            machine.width = 1 + rng_below(&rng, how % 2 ? MACHINE_WORD_WIDTH : MACHINE_MAX_WIDTH);
            machine.log2_packets = small ? 1 : 4, machine.log2_flits = small ? 1 : 4;
            machine.log2_rows = small ? 1 : 5;
            machine.log2_period = machine_has_setting_period(&machine);
            machine.log2_settings = machine_is_indexed(&machine);
            run_any(&rng, &machine);
        }
}

static void any_routers(void **state)
{
    (void)state;
    static const uint32_t children[] = {3, 2, 2}, capacity[] = {1, 2, 3};
    struct rng rng = {SEED + 1};
    print_message("seed %" PRIu64 "\n", SEED + 1);
    for (enum machine_kind kind = MACHINE_FAT_TREE; kind <= MACHINE_CUBE_AUTO; kind++)
        for (unsigned size = 1; size <= 3; size++)
            for (unsigned how = 0; how < 4; how++) {
                struct machine machine = {
                    .kind = kind, .pad = how % 2, .width = 8 + rng_below(&rng, 24)};
                struct err err = {0};
                bool tree = kind == MACHINE_FAT_TREE || kind == MACHINE_FAT_TREE_AUTO;
                if (!machine_is_self_timed(&machine) && how % 2)
                    machine.width += 32 * rng_below(&rng, 16);
                support_true(tree ? topology_tree(size, children, capacity, &machine.topology, &err)
                                  : topology_hypercube(size, &machine.topology, &err),
                             &err);
                machine.log2_packets = 1 + how % 4, machine.log2_flits = 1 + how,
                machine.log2_rows = 4;
                machine.reads = kind == MACHINE_CUBE_AUTO ? 1 : 1 + how / 2;
                for (unsigned level = 1; level <= machine_levels(&machine); level++) {
                    machine.depth[level] = 1 + rng_below(&rng, 5);
                    machine.queue[level] =
                        machine_is_self_timed(&machine) ? 1 + rng_below(&rng, 5) : 0;
                }
                run_any(&rng, &machine);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry),
        cmocka_unit_test(any_multistage),
        cmocka_unit_test(any_routers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
