/* SPDX-License-Identifier: Apache-2.0 */
/* test_settings_rtl: multistage_source, with which unpack follows the switches, agrees with the RTL
 * for all settings of small networks.
 *
 * In each row of a run the switches have different settings, and each port sends a word of its own;
 * each port stores the word that it receives in the row's slot. The words that are read back must
 * be those of the ports that multistage_source names, and in a network that does not copy
 * multistage_trace must lead there. State space: Beneš, Waksman and omega networks of up to 8 ports
 * have at most 2^15 settings, which are all tried (bits that no switch uses are set, too); other
 * networks run 2^20 settings if every space is exhausted, otherwise a sample, whose seed is
 * printed.
 *
 * Counter-case: if one live switch is set differently than multistage_source assumes, words differ.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

#define SEED UINT64_C(20261122)

enum { MOST_PORTS = 8, MOST_WORDS = 2, MOST_STAGES = 9, RUN_ROWS = 7, FLITS = 2 };

struct lab {
    struct machine machine;
    struct run run;
    struct testbench testbench;
    uint32_t row[RUN_ROWS][MOST_STAGES * MOST_WORDS]; /* the settings of each row of the run */
    uint64_t moved;                                   /* words that came from another port */
};

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

static void write_word(struct lab *lab, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(testbench_write(&lab->testbench, address, word, &err), &err);
}

/* Opens a machine in which port p sends the word p + 1, from the last slot, in all rows, and stores
 * the word that it receives in row r in slot r. */
static struct lab open_lab(struct multistage net)
{
    const enum engine_kind rtl = ENGINE_RTL;
    struct lab lab = {.machine = {.network = net,
                                  .pipe = 1,
                                  .width = 16,
                                  .log2_packets = 3,
                                  .log2_flits = 1,
                                  .log2_rows = 13}};
    struct err err = {0};
    assert_true(net.ports <= MOST_PORTS && multistage_stages(&net) <= MOST_STAGES &&
                multistage_row_words(&net) <= MOST_WORDS);
    support_true(testbench_open(&rtl, 1, &lab.machine, false, &lab.testbench, &err), &err);
    lab.run = (struct run){.rows = RUN_ROWS, .flits = 1};
    lab.run.row_cycles = machine_row_cycles(&lab.machine, 1);
    for (uint32_t port = 0; port < net.ports; port++)
        write_word(&lab, machine_packet_address(&lab.machine, port, RUN_ROWS, 0),
                   MACHINE_VALID | (port + 1));
    for (uint32_t row = 0; row < RUN_ROWS; row++) {
        write_word(&lab,
                   MACHINE_ALL_NODES | machine_program_address(&lab.machine, MACHINE_SEND, 0, row),
                   MACHINE_VALID | RUN_ROWS);
        write_word(&lab,
                   MACHINE_ALL_NODES |
                       machine_program_address(&lab.machine, MACHINE_RECEIVE, 0, row),
                   MACHINE_VALID | row);
    }
    const uint32_t registers[] = {lab.run.rows, lab.run.flits, lab.run.row_cycles};
    for (uint32_t k = 0; k < 3; k++)
        write_word(&lab, machine_region_address(MACHINE_REGISTER) | (MACHINE_RUN_ROWS + k),
                   registers[k]);
    return lab;
}

/* Sets all fields of a row by the bits of a number, or by a generator. */
static void set_row(const struct multistage *net, uint64_t number, struct rng *rng, uint32_t row[])
{
    uint32_t words = multistage_row_words(net);
    memset(row, 0, MOST_STAGES * MOST_WORDS * sizeof *row);
    for (unsigned stage = 0; stage < multistage_stages(net); stage++)
        for (uint32_t field = 0; field < multistage_fields(net, stage); field++) {
            unsigned bits = multistage_field_bits(net, stage);
            uint32_t value =
                rng ? rng_below(rng, 1u << bits) : (uint32_t)number & ((1u << bits) - 1);
            multistage_set_field(row + stage * words, bits, field, value);
            number >>= bits;
        }
}

static void run_rows(struct lab *lab)
{
    const struct multistage *net = &lab->machine.network;
    const struct testbench_observer observer = {.observe = look_away};
    uint32_t words = multistage_row_words(net);
    uint64_t cycles;
    struct err err = {0};
    for (uint32_t row = 0; row < RUN_ROWS; row++)
        for (unsigned stage = 0; stage < multistage_stages(net); stage++)
            for (uint32_t column = 0; column < multistage_columns(net, stage); column++)
                write_word(lab, machine_table_address(&lab->machine, stage, row, column),
                           lab->row[row][stage * words + column]);
    support_true(testbench_run(&lab->testbench, &lab->run, &observer, &cycles, &err), &err);
}

/* Counts the words that differ from those that multistage_source names. */
static uint64_t wrong_words(struct lab *lab)
{
    const struct multistage *net = &lab->machine.network;
    uint32_t word[RUN_ROWS * FLITS];
    uint64_t wrong = 0;
    struct err err = {0};
    for (uint32_t port = 0; port < net->ports; port++) {
        uint32_t first = machine_packet_address(&lab->machine, port, 0, 0);
        support_true(testbench_read_block(&lab->testbench, first, RUN_ROWS * FLITS, word, &err),
                     &err);
        for (uint32_t row = 0; row < RUN_ROWS; row++) {
            uint32_t source = multistage_source(net, lab->row[row], port, multistage_stages(net));
            bool arrives = source != MULTISTAGE_NOWHERE;
            uint32_t expected = arrives ? MACHINE_VALID | (source + 1) : 0;
            wrong += word[row * FLITS] != expected;
            if (arrives && !multistage_copies(net) && !multistage_has_crossbars(net))
                assert_int_equal(multistage_trace(net, lab->row[row], source), port);
            lab->moved += arrives && source != port;
        }
    }
    return wrong;
}

static void all_settings(const char *text)
{
    struct machine machine = {0};
    struct err err = {0};
    struct rng rng = {SEED};
    support_true(machine_parse_network(text, &machine, &err), &err);
    struct lab lab = open_lab(machine.network);
    uint64_t bits = multistage_setting_bits(&machine.network);
    bool all = bits <= 15 || (running_exhaustive() && bits <= 20);
    uint64_t settings = UINT64_C(1) << (all ? bits : running_exhaustive() ? 20 : 12);
    for (uint64_t first = 0; first < settings; first += RUN_ROWS) {
        for (uint32_t row = 0; row < RUN_ROWS; row++)
            set_row(&machine.network, first + row, all ? NULL : &rng, lab.row[row]);
        running("%s, settings from %llu", text, (unsigned long long)first);
        run_rows(&lab);
        assert_int_equal(wrong_words(&lab), 0);
    }
    assert_true(lab.moved > settings);
    print_message("%s: %llu of 2^%llu settings%s\n", text, (unsigned long long)settings,
                  (unsigned long long)bits, all ? "" : ", seed 20261122");
    testbench_close(&lab.testbench);
}

static void test_benes(void **state)
{
    (void)state;
    all_settings("benes:6");
    all_settings("benes:7");
}

static void test_waksman(void **state)
{
    (void)state;
    all_settings("waksman:6");
}

static void test_omega(void **state)
{
    (void)state;
    all_settings("omega:8");
}

static void test_multicast(void **state)
{
    (void)state;
    all_settings("multicast:4");
}

static void test_clos(void **state)
{
    (void)state;
    all_settings("clos:3,2,3");
}

static void test_another_switch_differs(void **state)
{
    (void)state;
    struct lab lab = open_lab(multistage_benes(7));
    run_rows(&lab);
    assert_int_equal(wrong_words(&lab), 0);
    lab.row[2][1] ^= 1; /* the second stage's first switch, in row 2 */
    assert_int_equal(wrong_words(&lab), 2);
    testbench_close(&lab.testbench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_benes), cmocka_unit_test(test_waksman),
        cmocka_unit_test(test_omega), cmocka_unit_test(test_multicast),
        cmocka_unit_test(test_clos),  cmocka_unit_test(test_another_switch_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
