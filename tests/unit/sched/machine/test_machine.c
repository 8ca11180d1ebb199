/* SPDX-License-Identifier: Apache-2.0 */
/* test_machine: the limits of a machine, the names of networks, and the address map.
 *
 * The address map is exhaustive on three small machines (one column, two, and stages of different
 * columns): all addresses that the functions of machine.h return are distinct, and
 * machine_has_address is true for them and for no other of the 2^20 lowest addresses of each
 * region, for one node and for all, nor for one with a higher bit.
 *
 * Parameters and names of networks: every limit from both sides, each rejection by code and text,
 * and a rejected name changes nothing. The clock: arrival cycles are compared with a count of the
 * cycles, and runs of up to 12 flits at latencies 0 … 9 with every length of a row are classified:
 * legal or not, and their kind.
 */
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>

static void networks_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text, *again;
        enum multistage_kind kind;
        uint32_t ports, middle, radix;
        unsigned stages, pipe, pad;
    } good[] = {
        {"benes:2", "benes:2,pipe=1,pad=0", MULTISTAGE_BENES, 2, 0, 0, 1, 1, 0},
        {"benes:8", "benes:8,pipe=1,pad=0", MULTISTAGE_BENES, 8, 0, 0, 5, 1, 0},
        {"benes:8,pipe=5", "benes:8,pipe=5,pad=0", MULTISTAGE_BENES, 8, 0, 0, 5, 5, 0},
        {"benes:8,pad=64", "benes:8,pipe=1,pad=64", MULTISTAGE_BENES, 8, 0, 0, 5, 1, 64},
        {"benes:8,pipe=0", "benes:8,pipe=0,pad=0", MULTISTAGE_BENES, 8, 0, 0, 5, 0, 0},
        {"benes:65536,pipe=31", "benes:65536,pipe=31,pad=0", MULTISTAGE_BENES, 65536, 0, 0, 31, 31,
         0},
        {"benes:32,pad=3,pipe=2", "benes:32,pipe=2,pad=3", MULTISTAGE_BENES, 32, 0, 0, 9, 2, 3},
        {"benes:3", "benes:3,pipe=1,pad=0", MULTISTAGE_BENES, 3, 0, 0, 3, 1, 0},
        {"benes:22,pipe=9", "benes:22,pipe=9,pad=0", MULTISTAGE_BENES, 22, 0, 0, 9, 9, 0},
        {"benes:64,radix=2", "benes:64,pipe=1,pad=0", MULTISTAGE_BENES, 64, 0, 0, 11, 1, 0},
        {"benes:64,radix=4,pad=1", "benes:64,radix=4,pipe=1,pad=1", MULTISTAGE_CLOS, 64, 4, 4, 5, 1,
         1},
        {"benes:576,radix=24", "clos:24,24,24,pipe=1,pad=0", MULTISTAGE_CLOS, 576, 24, 24, 3, 1, 0},
        {"omega:16,pipe=4", "omega:16,pipe=4,pad=0", MULTISTAGE_OMEGA, 16, 0, 0, 4, 4, 0},
        {"multicast:2", "multicast:2,pipe=1,pad=0", MULTISTAGE_MULTICAST, 2, 0, 0, 1, 1, 0},
        {"multicast:16,pipe=13,pad=1", "multicast:16,pipe=13,pad=1", MULTISTAGE_MULTICAST, 16, 0, 0,
         13, 13, 1},
        {"combine:2", "combine:2,pipe=1,pad=0", MULTISTAGE_COMBINE, 2, 0, 0, 1, 1, 0},
        {"combine:16,pipe=13", "combine:16,pipe=13,pad=0", MULTISTAGE_COMBINE, 16, 0, 0, 13, 13, 0},
        {"all-reduce:2", "all-reduce:2,pipe=1,pad=0", MULTISTAGE_ALL_REDUCE, 2, 0, 0, 2, 1, 0},
        {"all-reduce:16,pipe=20", "all-reduce:16,pipe=20,pad=0", MULTISTAGE_ALL_REDUCE, 16, 0, 0,
         20, 20, 0},
        {"clos:3,2,5", "clos:3,2,5,pipe=1,pad=0", MULTISTAGE_CLOS, 10, 3, 2, 3, 1, 0},
        {"clos:3,2,5,ports=10,pipe=3", "clos:3,2,5,pipe=3,pad=0", MULTISTAGE_CLOS, 10, 3, 2, 3, 3,
         0},
        {"waksman:2", "waksman:2,pipe=1,pad=0", MULTISTAGE_WAKSMAN, 2, 0, 0, 1, 1, 0},
        {"waksman:22,pad=3,pipe=2", "waksman:22,pipe=2,pad=3", MULTISTAGE_WAKSMAN, 22, 0, 0, 9, 2,
         3},
        {"gf11", "clos:24,24,24,pipe=1,pad=0", MULTISTAGE_CLOS, 576, 24, 24, 3, 1, 0},
        {"gf11,pipe=0,pad=2", "clos:24,24,24,pipe=0,pad=2", MULTISTAGE_CLOS, 576, 24, 24, 3, 0, 2},
    };
    static const struct {
        const char *text, *expected;
    } bad[] = {
        {"", "expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r, gf11"},
        {"torus:8",
         "expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r, gf11"},
        {"benes", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:1", "network: 1 port; expected 2 … 65536"},
        {"benes:0", "benes:0 is out of range; expected 2 … 65536"},
        {"benes:x", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:65537", "benes:65537 is out of range; expected 2 … 65536"},
        {"benes:-8", "benes:-8 is out of range; expected 2 … 65536"},
        {"benes:8x", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:8,", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:8,pipe=6", "network: pipe=6; expected at most the 5 stages"},
        {"benes:22,pipe=10", "network: pipe=10; expected at most the 9 stages"},
        {"benes:8,pad=65", "pad=65 is out of range; expected 0 … 64"},
        {"benes:8,foo", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes: 8", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:8,pipe=", "expected benes:N[,pipe=P][,pad=D]"},
        {"benes:8,pad=-1", "pad=-1 is out of range; expected 0 … 64"},
        {"benes:18446744073709551624", "is out of range; expected 2 … 65536"},
        {"benes:64,radix=3", "N = R^k with k ≥ 2"},
        {"benes:64,radix=64", "N = R^k with k ≥ 2"},
        {"benes:64,radix=1", "N = R^k with k ≥ 2"},
        {"benes:64,radix=0", "N = R^k with k ≥ 2"},
        {"omega:12", "network: omega:12; expected a power of two"},
        {"omega:8,pipe=4", "network: pipe=4; expected at most the 3 stages"},
        {"combine:6", "network: combine:6; expected a power of two"},
        {"omega", "expected omega:N[,pipe=P][,pad=D]"},
        {"clos:24,24", "expected clos:m,n,r[,ports=N]"},
        {"clos:24,24,24,ports=500", "N = n·r ports"},
        {"clos:4,1,4", "expected clos:m,n,r[,ports=N]"},
        {"clos:4,4,1", "expected clos:m,n,r[,ports=N]"},
        {"clos:300,300,300", "expected clos:m,n,r[,ports=N]"},
        {"clos:3,4,4",
         "3 crossbars in the middle, and 4 ports at each of the first stage; expected m ≥ n"},
        {"clos:20000,4,4", "80000 lanes between the stages; expected at most 65536"},
        {"clos:24", "expected clos:m,n,r[,ports=N]"},
        {"benes:8,radix=3,radix=3", "N = R^k with k ≥ 2"},
        {"benes:9,radix=2", "N = R^k with k ≥ 2"},
        {"cube,pad=1x", "expected cube[,pad=D]"},
        {"fat-tree,pipe=1", "expected fat-tree[,pad=D]"},
        {"gf11:24", "expected gf11[,pipe=P][,pad=D]"},
    };
    struct err err = {0};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        struct machine machine = {0};
        char again[MACHINE_NETWORK_TEXT];
        support_true(machine_parse_network(good[k].text, &machine, &err), &err);
        assert_true(
            machine.network.kind == good[k].kind && machine_ports(&machine) == good[k].ports &&
            machine.network.middle == good[k].middle && machine.network.radix == good[k].radix &&
            machine_stages(&machine) == good[k].stages && machine.pipe == good[k].pipe &&
            machine.pad == good[k].pad);
        assert_string_equal(machine_network_text(&machine, again), good[k].again);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct machine machine = {.network.ports = 77};
        if (machine_parse_network(bad[k].text, &machine, &err))
            fail_msg("'%s' was taken for a network", bad[k].text);
        support_error(&err, ERR_NETWORK, "network: ", bad[k].expected);
        assert_int_equal(machine.network.ports, 77); /* unchanged */
    }
}

#define FIELD_BITS 20

/* Marks an address as claimed; fails if it is claimed already. */
static void claim(const struct machine *machine, uint8_t *is, uint32_t address)
{
    uint32_t index = (address >> 28 << FIELD_BITS) | (address & ((1u << FIELD_BITS) - 1));
    assert_int_equal(address >> FIELD_BITS & 0xff, 0);
    assert_false(is[index]);
    assert_true(machine_has_address(machine, address));
    is[index] = true;
}

static void claim_all(const struct machine *machine, uint8_t *is)
{
    uint32_t ports = machine_ports(machine), rows = 1u << machine->log2_rows;
    for (uint32_t which = MACHINE_RUN_ROWS; which <= MACHINE_RUN_ROW_CYCLES; which++)
        claim(machine, is, which);
    for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t column = 0; column < multistage_columns(&machine->network, stage);
                 column++)
                claim(machine, is, machine_table_address(machine, stage, row, column));
    for (uint32_t all = 0; all < 2; all++)
        for (uint32_t node = 0; node < ports; node++) {
            uint32_t bit = all ? MACHINE_ALL_NODES : 0;
            for (uint32_t row = 0; row < rows; row++) {
                claim(machine, is, bit | machine_program_address(machine, MACHINE_SEND, node, row));
                claim(machine, is,
                      bit | machine_program_address(machine, MACHINE_RECEIVE, node, row));
            }
            for (uint32_t slot = 0; slot < 1u << machine->log2_packets; slot++)
                for (uint32_t flit = 0; flit < 1u << machine->log2_flits; flit++)
                    for (uint32_t part = 0; part <= machine->width / 32; part++)
                        claim(machine, is,
                              bit | (machine_packet_address(machine, node, slot, flit) + part));
        }
}

static void addresses_are_distinct_and_known(void **state)
{
    (void)state;
    struct machine machines[] = {MULTISTAGE(3, 1, 0, 16, 2, 1, 3), MULTISTAGE(7, 1, 0, 16, 1, 1, 2),
                                 MULTISTAGE(3, 1, 0, 16, 2, 1, 3),
                                 MULTISTAGE(3, 1, 0, 70, 2, 1, 3)};
    machines[2].network = multistage_clos(9, 2, 8); /* stages of 5, 10 and 3 columns */
    for (size_t which = 0; which < sizeof machines / sizeof *machines; which++) {
        const struct machine *machine = &machines[which];
        uint8_t *is = calloc(16u << FIELD_BITS, 1);
        struct err err = {0};
        assert_non_null(is);
        support_true(machine_check(machine, &err), &err);
        claim_all(machine, is);
        for (uint32_t region = 0; region < 16; region++)
            for (uint32_t field = 0; field < 1u << FIELD_BITS; field++) {
                if (machine_has_address(machine, region << 28 | field) !=
                    is[region << FIELD_BITS | field])
                    fail_msg("address %08x", region << 28 | field);
                for (unsigned bit = FIELD_BITS; bit < 28 && field < 16; bit++)
                    assert_false(machine_has_address(machine, region << 28 | field | 1u << bit));
            }
        free(is);
    }
}

static void parameters_have_limits(void **state)
{
    (void)state;
    static const struct {
        struct machine machine;
        const char *text; /* NULL: legal */
    } cases[] = {
        {MULTISTAGE(3, 1, 0, 16, 4, 3, 6), NULL},
        {MULTISTAGE(1, 0, 0, 1, 1, 1, 1), NULL},
        {MULTISTAGE(16, 31, 64, 31, 1, 1, 6), NULL},
        {MULTISTAGE(0, 0, 0, 16, 4, 3, 6), "network: 1 port; expected 2 … 65536"},
        {MULTISTAGE(17, 1, 0, 16, 4, 3, 6), "network: 131072 ports; expected 2 … 65536"},
        {MULTISTAGE(3, 6, 0, 16, 4, 3, 6),
         "network: pipe=6, pad=0; expected pipe 0 … 5, pad 0 … 64"},
        {MULTISTAGE(3, 1, 65, 16, 4, 3, 6), "network: pipe=1, pad=65; expected"},
        {MULTISTAGE(3, 1, 0, 0, 4, 3, 6), "width: 0 bits; expected 1 … 512"},
        {MULTISTAGE(3, 1, 0, 32, 4, 3, 6), NULL},
        {MULTISTAGE(3, 1, 0, 512, 4, 3, 6), NULL},
        {MULTISTAGE(3, 1, 0, 513, 4, 3, 6), "width: 513 bits; expected 1 … 512"},
        {MULTISTAGE(8, 1, 0, 512, 10, 5, 6), NULL},
        {MULTISTAGE(8, 1, 0, 512, 10, 6, 6), "2^6 flits of several words and 2^6 rows need more"},
        {MULTISTAGE(3, 1, 0, 16, 0, 3, 6),
         "a memory of one word; expected 2 packets, flits and rows"},
        {MULTISTAGE(3, 1, 0, 16, 4, 0, 6), "a memory of one word"},
        {MULTISTAGE(3, 1, 0, 16, 4, 3, 0), "a memory of one word"},
        {MULTISTAGE(8, 1, 0, 16, 10, 10, 6), NULL},
        {MULTISTAGE(8, 1, 0, 16, 10, 11, 6),
         "need more than 28 bits of address; expected fewer packets, flits or rows"},
        {MULTISTAGE(8, 1, 0, 16, 4, 3, 20), NULL},
        {MULTISTAGE(8, 1, 0, 16, 4, 3, 21), "2^3 flits and 2^21 rows need more than 28 bits"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err = {0};
        bool legal = machine_check(&cases[k].machine, &err);
        if (cases[k].text == NULL)
            support_true(legal, &err);
        else if (legal)
            fail_msg("case %zu is legal", k);
        else
            support_error(&err, ERR_NETWORK, cases[k].text);
    }
}

/* In cycle 0, flit 0 of round 1 is on the lanes; a flit is stored `latency` cycles after it
 * left. */
static void arrivals_are_counted_in_cycles(void **state)
{
    (void)state;
    static const struct {
        unsigned log2_ports, pipe, pad, latency;
    } shapes[] = {{1, 1, 0, 1}, {3, 0, 0, 0}, {3, 1, 0, 5},
                  {3, 2, 1, 3}, {5, 4, 7, 9}, {5, 9, 0, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (uint32_t flits = 1; flits <= 8; flits++) {
            struct machine machine =
                support_machine(shapes[k].log2_ports, shapes[k].pipe, shapes[k].pad);
            struct run run = {.rows = 9, .flits = flits, .row_cycles = flits + shapes[k].latency};
            uint64_t cycle = 0;
            assert_int_equal(machine_latency(&machine), shapes[k].latency);
            for (uint64_t round = 1; round <= run.rows; round++) {
                for (uint32_t flit = 0; flit < flits; flit++)
                    cycle += flit > 0; /* the last flit is on the lanes */
                cycle += shapes[k].latency;
                assert_int_equal(machine_arrival_cycle(&machine, &run, round - 1, 0), cycle);
                cycle++; /* the next round's first flit */
            }
        }
}

/* Without barriers flits follow each other from a packet's first row to its last, and the run has
 * no unused rows. */
static void arrivals_are_counted_without_barriers(void **state)
{
    (void)state;
    const struct machine machine = support_machine(3, 1, 1);
    const struct run run = {.rows = 9, .flits = 6, .row_cycles = 2};
    assert_int_equal(machine_packet_rows(&run), 3);
    uint64_t cycle = 0;
    for (uint64_t row = 0; row < run.rows; row++) {
        uint64_t arrival = cycle + 5 + 6; /* five flits more, and the latency */
        assert_int_equal(machine_arrival_cycle(&machine, &run, row, 0), arrival);
        cycle += run.row_cycles;
    }
}

/* Returns whether a run of `rows` rows of `row_cycles` cycles contains packets and latencies
 * exactly. */
static bool whole_rows(uint32_t cycles, uint32_t row_cycles)
{
    uint32_t rows = 0;
    while (rows * row_cycles < cycles)
        rows++;
    return rows * row_cycles == cycles;
}

static void runs_are_of_two_kinds(void **state)
{
    (void)state;
    unsigned kinds[3] = {0};
    for (unsigned pad = 0; pad <= 9; pad++)
        for (uint32_t flits = 1; flits <= 12; flits++)
            for (uint32_t row_cycles = 0; row_cycles <= flits + pad + 2; row_cycles++) {
                struct machine machine = support_machine(3, 0, pad);
                struct run run = {.rows = 64, .flits = flits, .row_cycles = row_cycles};
                struct err err = {0};
                machine.log2_flits = 4;
                bool barriers = row_cycles >= flits + pad;
                bool streams = !barriers && row_cycles > 0 && whole_rows(flits, row_cycles) &&
                               whole_rows(pad, row_cycles);
                bool legal = machine_check_run(&machine, &run, "b.image", &err);
                assert_int_equal(legal, barriers || streams);
                kinds[legal ? streams : 2]++;
                if (!legal) {
                    support_error(
                        &err, ERR_FIELD_RANGE, "b.image:3: a run of 64 rows of ",
                        "flits, flits + latency … 65535 cycles or a divisor of flits and latency");
                    continue;
                }
                assert_int_equal(machine_streams(&machine, &run), streams);
                assert_int_equal(machine_packet_rows(&run), streams ? flits / row_cycles : 1);
            }
    assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
}

/* The other limits apply to both kinds. */
static void runs_have_limits(void **state)
{
    (void)state;
    const struct machine machine = support_machine(3, 1, 1); /* 64 rows, 8 flits, latency 6 */
    static const struct {
        struct run run;
        bool legal;
    } cases[] = {
        {{.rows = 64, .flits = 8, .row_cycles = 14}, true},
        {{.rows = 65, .flits = 8, .row_cycles = 14}, false},
        {{.rows = 64, .flits = 9, .row_cycles = 15}, false},
        {{.rows = 64, .flits = 0, .row_cycles = 6}, false},
        {{.rows = 64, .flits = 8, .row_cycles = 2}, true},
        {{.rows = 65, .flits = 8, .row_cycles = 2}, false},
        {{.rows = 64, .flits = 9, .row_cycles = 3}, false},
        {{.rows = 64, .flits = 0, .row_cycles = 3}, false},
        {{.rows = 0, .flits = 1, .row_cycles = 1}, true},
        {{.rows = 1, .flits = 1, .row_cycles = 65535}, true},
        {{.rows = 1, .flits = 1, .row_cycles = 65536}, false},
        {{.rows = 1, .flits = 8, .row_cycles = 4}, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err = {0};
        if (machine_check_run(&machine, &cases[k].run, "b.image", &err) != cases[k].legal)
            fail_msg("case %zu", k);
        if (!cases[k].legal)
            support_error(&err, ERR_FIELD_RANGE, "expected at most 64 rows, 1 … 8 flits, ");
    }
}

/* Fields that only machines with a setting period have, and fields that only routers or self-timed
 * routers have. */
static void runs_of_other_machines(void **state)
{
    (void)state;
    struct machine plain = support_machine(3, 1, 1), setting_period = plain, computed, routers;
    setting_period.settings = MACHINE_INDEXED;
    setting_period.log2_period = 4;
    setting_period.log2_settings = 2;
    computed = setting_period;
    computed.computed = true;
    routers = (struct machine){.kind = MACHINE_FAT_TREE_AUTO,
                               .reads = 1,
                               .width = 8,
                               .log2_packets = 4,
                               .log2_flits = 3,
                               .log2_rows = 6};
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "const", &routers.topology, &err), &err);
    /* Computed programs count the 64 rows from the first setting phase. */
    const struct run run = {.rows = 62, .flits = 8, .row_cycles = 14};
    const struct {
        const struct machine *machine;
        uint32_t period, first, packets, flits, row_cycles;
        bool single_port, legal;
    } cases[] = {
        {&plain, 0, 0, 0, 8, 14, false, true},
        {&plain, 1, 0, 0, 8, 14, false, false},
        {&plain, 0, 1, 0, 8, 14, false, false},
        {&plain, 0, 0, 1, 8, 14, false, false},
        {&plain, 0, 0, 0, 8, 14, true, false},
        {&setting_period, 3, 2, 16, 8, 14, false, true},
        {&setting_period, 0, 0, 16, 8, 14, false, false},
        {&setting_period, 17, 2, 16, 8, 14, false, false},
        {&setting_period, 3, 3, 16, 8, 14, false, false},
        {&setting_period, 3, 2, 17 + 64, 8, 14, false, false},
        {&computed, 3, 2, 1, 8, 14, false, true},
        {&computed, 3, 2, 0, 8, 14, false, false},
        {&routers, 0, 0, 0, 2, 60, true, true},
        {&routers, 0, 0, 0, 1, 60, true, false},
        {&routers, 0, 0, 0, 2, 1, true, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run tried = run;
        tried.period = cases[k].period;
        tried.first = cases[k].first;
        tried.packets = cases[k].packets;
        tried.flits = cases[k].flits;
        tried.row_cycles = cases[k].row_cycles;
        tried.single_port = cases[k].single_port;
        if (machine_check_run(cases[k].machine, &tried, "b.image", &err) != cases[k].legal)
            fail_msg("case %zu: %s", k, err.text);
    }
    const struct run long_one = {
        .rows = 63, .flits = 8, .row_cycles = 14, .period = 3, .first = 2, .packets = 1};
    support_true(machine_check_run(&setting_period, &long_one, "b.image", &err), &err);
    assert_false(machine_check_run(&computed, &long_one, "b.image", &err));
    support_error(&err, ERR_FIELD_RANGE, "at most 64 rows from the first phase on");
}

/* The topology of a schedule must be that of the machine. */
static void topologies(void **state)
{
    (void)state;
    struct machine machine = {.kind = MACHINE_FAT_TREE};
    struct topology other;
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "const", &machine.topology, &err), &err);
    support_true(topology_parse_tree("2,3", "const", &other, &err), &err);
    struct machine wide = {.kind = MACHINE_FAT_TREE,
                           .reads = 1,
                           .width = 8,
                           .log2_packets = 1,
                           .log2_flits = 1,
                           .log2_rows = 1};
    support_true(topology_parse_tree("40000", "const", &wide.topology, &err), &err);
    assert_false(machine_check(&wide, &err));
    support_error(&err, ERR_NETWORK, "routers of level 1 have 40000 ports; expected at most 32768");
    const struct topology complete = topology_complete(4);
    assert_true(machine_has_topology(&machine, &machine.topology));
    assert_false(machine_has_topology(&machine, &other));
    assert_false(machine_has_topology(&machine, &complete));
    const struct machine network = support_machine(2, 1, 0);
    assert_true(machine_has_topology(&network, &complete));
    assert_false(machine_has_topology(&network, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_parse),
        cmocka_unit_test(addresses_are_distinct_and_known),
        cmocka_unit_test(parameters_have_limits),
        cmocka_unit_test(arrivals_are_counted_in_cycles),
        cmocka_unit_test(arrivals_are_counted_without_barriers),
        cmocka_unit_test(runs_are_of_two_kinds),
        cmocka_unit_test(runs_have_limits),
        cmocka_unit_test(runs_of_other_machines),
        cmocka_unit_test(topologies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
