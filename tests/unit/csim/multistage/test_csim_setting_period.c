/* SPDX-License-Identifier: Apache-2.0 */
/* test_csim_setting_period: machines with a setting index and computed programs on csim, against
 * the reference of test_csim_machine.
 *
 * The reference works on rows only. Here tables, setting indices and programs are drawn, loaded,
 * and expanded to rows by the rules of machine.h for a setting period and repetitions; the settings
 * of tags and of masks are expanded by expand.h, which test_tags and test_masks check. Programs are
 * random, so that most runs contain faults: every flag and observation is predicted as well.
 *
 * State space. Beneš networks of several sizes and Clos networks, all settings and programs, pipe 0
 * … 3; on each several runs, with periods from one setting phase to all, and also of more phases
 * than there are rows; each first setting phase is equally likely. Some runs under csim_audit. All
 * loaded words are read back.
 *
 * Counter-case: one word of the setting index, or one entry, that is written to the machine but not
 * to the reference, causes a difference.
 */
#include "sched/machine/expand.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/machine_reference.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOG2_ROWS = 4,
    LOG2_PERIOD = 3,
    LOG2_SETTINGS = 2,
    SETTING_PERIOD = 1 << LOG2_PERIOD,
    PADDED = 64
};

/* The data that are loaded in addition to those of the reference. */
struct phased {
    struct machine_reference testbench;
    /* of senders and receivers, as words */
    uint32_t setting_index[SETTING_PERIOD], entry[2][PADDED][SETTING_PERIOD];
    uint32_t *table; /* table[2^settings][stages][words] */
    struct run run;
};

static struct machine machine_of(const char *network, enum machine_settings settings, bool computed)
{
    struct machine machine = {
        .width = 13, .log2_packets = 2, .log2_flits = 4, .log2_rows = LOG2_ROWS};
    struct err err = {0};
    if (!machine_parse_network(network, &machine, &err))
        fail_msg("%s", err.text);
    machine.settings = settings;
    machine.computed = computed;
    machine.log2_settings = machine_is_indexed(&machine) ? LOG2_SETTINGS : 0;
    machine.log2_period = settings != MACHINE_FULL || computed ? LOG2_PERIOD : 0;
    return machine;
}

static size_t row_size(const struct phased *p)
{
    return (size_t)machine_stages(&p->testbench.machine) * p->testbench.words;
}

static void load_indexed(struct phased *p)
{
    const struct multistage *net = &p->testbench.machine.network;
    bool masks = p->testbench.machine.settings == MACHINE_MASKS;
    for (uint32_t row = 0; row < 1 << LOG2_SETTINGS; row++)
        for (unsigned stage = 0; stage < multistage_stages(net); stage++)
            for (uint32_t column = 0; column < (masks ? 1 : multistage_columns(net, stage));
                 column++) {
                uint32_t word = machine_reference_draw(&p->testbench),
                         address = machine_table_address(&p->testbench.machine, stage, row, column);
                machine_reference_write(&p->testbench, address, word);
                word &= masks ? net->ports - 1 : machine_reference_word_of_ones(net, stage, column);
                p->table[row * row_size(p) + stage * p->testbench.words + column] = word;
                machine_reference_idle(&p->testbench, 1);
                assert_int_equal(machine_reference_read(&p->testbench, address), word);
            }
}

static void load_setting_index(struct phased *p)
{
    const struct machine *machine = &p->testbench.machine;
    bool power = (p->testbench.nodes & (p->testbench.nodes - 1)) == 0;
    for (uint32_t setting_phase = 0; setting_phase < SETTING_PERIOD; setting_phase++) {
        struct tag tag = {power && machine_reference_draw(&p->testbench) % 2,
                          machine_reference_draw(&p->testbench) % p->testbench.nodes};
        p->setting_index[setting_phase] =
            machine->settings == MACHINE_TAGS
                ? tags_word(&machine->network, tag)
                : machine_reference_draw(&p->testbench) % (1 << LOG2_SETTINGS);
        machine_reference_write(&p->testbench,
                                machine_setting_index_address(machine, setting_phase),
                                p->setting_index[setting_phase]);
    }
}

static void check_setting_index(struct phased *p)
{
    machine_reference_idle(&p->testbench, 1);
    for (uint32_t setting_phase = 0; setting_phase < SETTING_PERIOD; setting_phase++)
        assert_int_equal(
            machine_reference_read(
                &p->testbench, machine_setting_index_address(&p->testbench.machine, setting_phase)),
            p->setting_index[setting_phase]);
}

/* Draws entries. Offsets start at -2·period, so that packets begin in repetition 0, 1 or 2; two in
 * three entries are valid. */
static void load_entries(struct phased *p)
{
    const struct machine *machine = &p->testbench.machine;
    uint32_t mask = (UINT32_C(1) << machine_offset_bits(machine)) - 1;
    for (int direction = 0; direction < 2; direction++)
        for (uint32_t node = 0; node < p->testbench.nodes; node++)
            for (uint32_t setting_phase = 0; setting_phase < SETTING_PERIOD; setting_phase++) {
                enum machine_region program = direction == 0 ? MACHINE_SEND : MACHINE_RECEIVE;
                uint32_t offset = machine_reference_draw(&p->testbench) % (2 * p->run.period + 4) -
                                  2 * p->run.period;
                uint32_t word = (machine_reference_draw(&p->testbench) % 3 ? MACHINE_VALID : 0) |
                                (offset & mask);
                uint32_t address = machine_program_address(machine, program, node, setting_phase);
                p->entry[direction][node][setting_phase] = word;
                machine_reference_write(&p->testbench, address, word);
                machine_reference_idle(&p->testbench, 1);
                assert_int_equal(machine_reference_read(&p->testbench, address), word);
            }
}

/* The word of a program by the rule of machine.h, computed in 64 bits. */
static uint32_t program_word(const struct phased *p, uint32_t entry, uint32_t repetition)
{
    unsigned bits = machine_offset_bits(&p->testbench.machine);
    int64_t offset = entry & ((UINT32_C(1) << bits) - 1);
    offset -= offset >> (bits - 1) << bits;
    int64_t packet = offset + (int64_t)repetition * p->run.period;
    if (!(entry & MACHINE_VALID) || packet < 0)
        return 0;
    return MACHINE_VALID | (uint32_t)(packet < p->run.packets ? packet : p->run.packets - 1);
}

static void spread_settings(struct phased *p, uint32_t row, uint32_t setting_phase)
{
    struct machine_reference *b = &p->testbench;
    const struct multistage *net = &b->machine.network;
    struct tags_shift shift[PADDED];
    if (b->machine.settings == MACHINE_INDEXED)
        memcpy(machine_reference_row_of(b, row, 0),
               p->table + p->setting_index[setting_phase] * row_size(p),
               row_size(p) * sizeof(uint32_t));
    for (unsigned stage = 0; b->machine.settings == MACHINE_TAGS && stage < multistage_stages(net);
         stage++)
        tags_settings(net, tags_read(net, p->setting_index[setting_phase]), stage, shift,
                      machine_reference_row_of(b, row, stage));
    for (unsigned stage = 0; b->machine.settings == MACHINE_MASKS && stage < multistage_stages(net);
         stage++)
        masks_settings(net,
                       p->table[p->setting_index[setting_phase] * row_size(p) + stage * b->words],
                       machine_reference_row_of(b, row, stage));
}

/* Gives the reference the settings and entries of each row. */
static void spread(struct phased *p)
{
    struct machine_reference *b = &p->testbench;
    for (uint32_t row = 0; row < b->rows; row++) {
        uint32_t setting_phase = (p->run.first + row) % p->run.period,
                 repetition = (p->run.first + row) / p->run.period;
        spread_settings(p, row, setting_phase);
        for (uint32_t node = 0; b->machine.computed && node < b->nodes; node++) {
            b->send[(size_t)node * b->rows + row] =
                program_word(p, p->entry[0][node][setting_phase], repetition);
            b->receive[(size_t)node * b->rows + row] =
                program_word(p, p->entry[1][node][setting_phase], repetition);
        }
    }
}

static void load(struct phased *p, uint32_t flits)
{
    struct machine_reference *b = &p->testbench;
    const struct machine *machine = &b->machine;
    uint32_t period = 1 + machine_reference_draw(b) % SETTING_PERIOD;
    p->run =
        (struct run){.rows = b->rows - machine_reference_draw(b) % 3,
                     .flits = flits,
                     .row_cycles = flits + machine_latency(machine) + machine_reference_draw(b) % 2,
                     .period = period,
                     .first = machine_reference_draw(b) % period,
                     .packets = 1 + machine_reference_draw(b) % b->packets};
    if (machine->settings != MACHINE_FULL)
        load_setting_index(p);
    if (machine->settings == MACHINE_FULL)
        machine_reference_load_tables(b);
    else if (machine_is_indexed(machine))
        load_indexed(p);
    if (machine->settings != MACHINE_FULL)
        check_setting_index(p); /* loading the tables has not changed it */
    if (machine->computed)
        load_entries(p);
    spread(p);
    if (!machine->computed)
        machine_reference_load_programs(b, 80, 10);
    machine_reference_load_memories(b, 10);
    machine_reference_write(b, MACHINE_RUN_PERIOD, p->run.first << 16 | period);
    machine_reference_write(b, MACHINE_RUN_PACKETS, p->run.packets);
    machine_reference_idle(b, 1);
    assert_int_equal(machine_reference_read(b, MACHINE_RUN_PERIOD), p->run.first << 16 | period);
    assert_int_equal(machine_reference_read(b, MACHINE_RUN_PACKETS), p->run.packets);
}

static void phased_open(struct phased *p, struct machine machine, uint64_t seed)
{
    machine_reference_open(&p->testbench, machine, seed);
    assert_true(p->testbench.nodes <= PADDED);
    p->table = room_words(row_size(p) << LOG2_SETTINGS);
}

static void phased_close(struct phased *p)
{
    machine_reference_close(&p->testbench);
    free(p->table);
}

static void runs(struct machine machine, uint64_t seed, bool audited, uint32_t *valid)
{
    static const uint32_t flits[] = {1, 2, 5, 8, 11, 1};
    struct phased p = {0};
    phased_open(&p, machine, seed);
    p.testbench.audited = audited;
    for (unsigned f = 0; f < 6; f++) {
        load(&p, flits[f]);
        machine_reference_run(&p.testbench, &p.run);
        machine_reference_run(&p.testbench, &p.run); /* once more: the setting phases start again */
        machine_reference_check_memories(&p.testbench);
    }
    *valid += p.testbench.valid;
    phased_close(&p);
}

static void every_shape(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:2",    "benes:3",    "benes:5",
                                           "benes:8",    "benes:13",   "benes:32",
                                           "clos:2,2,2", "clos:5,4,3", "benes:27,radix=3"};
    uint32_t valid = 0, shapes = 0;
    for (unsigned which = 0; which < sizeof networks / sizeof *networks; which++)
        for (unsigned how = 1; how < 8; how++)
            for (unsigned pipe = 0; pipe <= 3; pipe++) {
                struct machine machine =
                    machine_of(networks[which], (enum machine_settings)(how % 4), how >= 4);
                machine.pipe = pipe;
                machine.pad = (which + how + pipe) % 3;
                if (pipe > machine_stages(&machine) || !machine_check(&machine, NULL))
                    continue; /* not supported: pipe, tags on crossbars, masks of 5 ports */
                runs(machine, 1000 * which + 10 * how + pipe, false, &valid);
                shapes++;
            }
    assert_true(shapes > 120 && valid > 20000);
}

static void audited_runs(void **state)
{
    (void)state;
    uint32_t valid = 0;
    for (unsigned how = 1; how < 8; how++) {
        const char *network = how % 4 == MACHINE_MASKS ? "benes:8,pipe=2" : "benes:5,pipe=2";
        runs(machine_of(network, (enum machine_settings)(how % 4), how >= 4), how, true, &valid);
        runs(machine_of("benes:4,pipe=0", (enum machine_settings)(how % 4), how >= 4), how, true,
             &valid);
    }
    assert_true(valid > 100);
}

/* Returns how many packets in memory differ after a word is written to the machine only; with two
 * setting phases and 16 rows. */
static unsigned differing(struct phased *p, uint32_t address, uint32_t word)
{
    struct machine_reference *b = &p->testbench;
    unsigned differ = 0;
    machine_reference_load_memories(b, 0);
    machine_reference_write(b, address, word);
    machine_reference_load_run(b, &p->run);
    machine_reference_step(b, (struct dut_inputs){.start = true});
    machine_reference_idle(b, p->run.rows * p->run.row_cycles + 20);
    for (uint32_t row = 0; row < p->run.rows; row++) {
        uint32_t *flight = room_words((size_t)b->nodes * b->flits);
        machine_reference_row(b, row, p->run.flits, flight);
        free(flight);
    }
    for (uint32_t node = 0; node < b->nodes; node++)
        for (uint32_t packet = 0; packet < b->packets; packet++)
            differ +=
                machine_reference_read(b, machine_packet_address(&b->machine, node, packet, 0)) !=
                machine_reference_packet_of(b, node, packet)[0];
    return differ;
}

static void a_word_off_shows(void **state)
{
    (void)state;
    for (unsigned how = 1; how < 8; how++) {
        struct phased p = {0};
        phased_open(&p, machine_of("benes:8", (enum machine_settings)(how % 4), how >= 4), how);
        const struct machine *machine = &p.testbench.machine;
        load(&p, 3);
        p.run.period = 2, p.run.first = 1, p.run.packets = p.testbench.packets;
        machine_reference_write(&p.testbench, MACHINE_RUN_PERIOD, UINT32_C(1) << 16 | 2);
        machine_reference_write(&p.testbench, MACHINE_RUN_PACKETS, p.run.packets);
        bool setting_index = machine->settings != MACHINE_FULL;
        uint32_t address = setting_index ? machine_setting_index_address(machine, 1)
                                         : machine_program_address(machine, MACHINE_RECEIVE, 3, 1);
        p.entry[1][3][1] = MACHINE_VALID;
        machine_reference_write(
            &p.testbench, machine_program_address(machine, MACHINE_RECEIVE, 3, 1), MACHINE_VALID);
        spread(&p);
        if (!machine->computed)
            machine_reference_load_programs(&p.testbench, 100, 0);
        uint32_t word = setting_index ? p.setting_index[1] : p.entry[1][3][1];
        assert_int_equal(differing(&p, address, word), 0);
        assert_true(differing(&p, address, word ^ 1) > 0);
        assert_int_equal(differing(&p, address, word), 0);
        phased_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape),
        cmocka_unit_test(audited_runs),
        cmocka_unit_test(a_word_off_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
