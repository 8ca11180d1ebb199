/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_reads: the host writes and reads every address of every machine, a different one in
 * each cycle.
 *
 * State space. A machine of each kind and each way to store settings and programs (host_lab.h). All
 * memories are filled with random words; then all addresses are read one after another, including
 * those of banks, nodes, columns and regions that the machine does not have; then in steps of every
 * power of two, or one more, so that each access is in another bank, node or row than the one
 * before; then random addresses, with words written between reads, with and without idle cycles,
 * bits above the fields and reads of all nodes, each of whose words appears on the observation
 * port. The words that are read must match a map of plain words (host_map.h), and be the same from
 * both engines in every cycle. The seed is printed.
 *
 * Counter-case: one word differs in one engine; a read finds it, and so does a read of all nodes.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_lab.h"
#include "tests/support/second_engine.h"

#include <inttypes.h>

#define RANDOM_CYCLES 20000

static uint32_t address_of(uint32_t region, uint32_t field)
{
    return machine_region_address((enum machine_region)region) | (field & UINT32_C(0x0fffffff));
}

/* Writes every word of every memory, and addresses that have no word. */
static void fill(struct host_lab *lab, struct rng *rng)
{
    for (uint32_t region = MACHINE_REGISTER; region < HOST_MAP_REGIONS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_write(lab, address_of(region, field), (uint32_t)rng_next(rng));
}

static void read_consecutive(struct host_lab *lab)
{
    for (uint32_t region = MACHINE_REGISTER; region < HOST_MAP_REGIONS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_ask(lab, address_of(region, field));
}

static void read_strided(struct host_lab *lab, struct rng *rng)
{
    for (uint32_t region = MACHINE_TABLE; region < HOST_MAP_REGIONS; region++)
        for (unsigned bit = 0; bit < host_map_bits(&lab->map, region); bit++) {
            uint32_t field = (uint32_t)rng_next(rng), stride = (1u << bit) + rng_below(rng, 2);
            for (unsigned k = 0; k < 64; k++)
                host_lab_ask(lab, address_of(region, field += stride));
        }
}

/* Draws an address, occasionally with bits above the fields, or for all nodes. */
static uint32_t draw_address(struct host_lab *lab, struct rng *rng)
{
    uint32_t region = rng_below(rng, HOST_MAP_REGIONS);
    uint32_t field = rng_below(rng, 1u << host_map_bits(&lab->map, region));
    if (rng_below(rng, 8) == 0)
        field |= (uint32_t)rng_next(rng) << host_map_bits(&lab->map, region);
    return address_of(region, field) | (rng_below(rng, 4) == 0 ? MACHINE_ALL_NODES : 0);
}

static void access_random(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < RANDOM_CYCLES; k++) {
        uint32_t what = rng_below(rng, 10), address = draw_address(lab, rng);
        if (what < 6)
            host_lab_ask(lab, address);
        else if (what < 9)
            host_lab_write(lab, address, (uint32_t)rng_next(rng));
        else
            host_lab_idle(lab, 1 + rng_below(rng, 3));
    }
}

static void every_address(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        print_message("seed %" PRIu64 "\n", rng.state);
        fill(&lab, &rng);
        read_consecutive(&lab);
        read_strided(&lab, &rng);
        access_random(&lab, &rng);
        host_lab_idle(&lab, 3);
        print_message("%" PRIu64 " words compared, %" PRIu64 " of them not 0\n", lab.compared,
                      lab.not_zero);
        print_message("%" PRIu64 " words shown, %" PRIu64 " of them not 0\n", lab.shown,
                      lab.not_zero_shown);
        assert_true(lab.not_zero > RANDOM_CYCLES / 8);
        assert_true(lab.not_zero_shown > RANDOM_CYCLES / 16);
        host_lab_close(&lab);
    }
}

static void look_away(void *self, uint32_t k, const uint32_t word[])
{
    (void)self, (void)k, (void)word;
}

static void a_bit_that_differs_is_read(void **state)
{
    (void)state;
    if (!host_lab_wanted(1))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[1]);
    const struct machine *machine = &lab.map.machine;
    const uint32_t address = machine_program_address(machine, MACHINE_SEND, 5, 17),
                   first = machine_program_address(machine, MACHINE_SEND, 0, 17);
    const struct testbench_reader ignore = {NULL, look_away};
    struct err err = {0};
    uint32_t word;
    host_lab_write(&lab, address, 3);
    assert_int_equal(host_lab_read(&lab, address), 3);
    second_engine_write(&lab.testbench, address, 2);
    assert_false(testbench_read_nodes(&lab.testbench, first, 1, &ignore, &err));
    support_error(&err, ERR_DIVERGED, "csim and rtl differ in obs of node 5");
    err = (struct err){0};
    assert_false(testbench_read(&lab.testbench, address, &word, &err));
    support_error(&err, ERR_DIVERGED, "csim and rtl differ in host_rdata");
    host_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_address),
                                       cmocka_unit_test(a_bit_that_differs_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
