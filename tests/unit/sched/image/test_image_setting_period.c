/* SPDX-License-Identifier: Apache-2.0 */
/* test_image_setting_period: the images of machines with a setting period, written and read, and
 * the images that a reader rejects.
 *
 * State space. Images of circulant on Beneš and Clos networks, all settings and programs that each
 * supports, and random words at legal addresses of such machines (seed printed) are round trips,
 * byte for byte; every proper prefix of one text is rejected. Texts by hand: one of each kind of
 * settings, and, by one edit each, illegal lines of the header and illegal addresses. The ends of
 * the memories are given by hand: the last word of each memory, and the first address after it.
 *
 * Counter-cases. Each rejected text differs by one edit from a text that is accepted.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/setting_period_lab.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261123)

/* Has 5 stages of one column and the setting index after them: address 1sss rrrrrr, in bits 31 … 28
 * and the low bits. */
static const char indexed[] =
    "// roundcast-image 1\n"
    "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64 settings=indexed "
    "tables=8 programs=computed beats=4\n"
    "// run rows=5 flits=4 row-cycles=9 period=3 first=1 packets=3\n"
    "@00000008 00000005 00000004 00000009\n"
    "@0000000e\n"
    "00010003 00000003\n"
    "@10000007 0000000f\n"
    "@10000143 00000007\n"
    "@20000003 80000001\n"
    "// end 8\n";

static const char tags[] =
    "// roundcast-image 1\n"
    "// machine benes:5,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64 settings=tags "
    "tables=0 programs=stored beats=16\n"
    "// run rows=5 flits=4 row-cycles=9 period=16 first=15 packets=16\n"
    "@00000008 00000005 00000004 00000009\n"
    "@0000000e 000f0010 00000010\n"
    "@1000014f 0000000c\n"
    "@2000003f 80000001\n"
    "// end 7\n";

static const char full[] =
    "// roundcast-image 1\n"
    "// machine clos:2,2,4,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64 settings=full "
    "tables=64 programs=computed beats=4\n"
    "// run rows=5 flits=4 row-cycles=7 period=1 first=0 packets=1\n"
    "@00000008 00000005 00000004 00000007\n"
    "@0000000e 00000001 00000001\n"
    "@1000003f 00000000\n"
    "@20000003 80000001\n"
    "// end 7\n";

/* Routers have no setting period. */
static const char tree[] = "// roundcast-image 1\n"
                           "// machine fat-tree,pad=0 width=16 packets=16 flits=8 rows=64\n"
                           "// run rows=5 flits=4 row-cycles=4\n"
                           "// tree 2,2 capacity=1,1 depth=16,16 queue=0,0 reads=1 ports=single\n"
                           "@00000008 00000005 00000004 00000004\n"
                           "@0000000c 00000001\n"
                           "// end 4\n";

static void routed_images_survive(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:2", "benes:9,pad=2", "benes:16,pipe=3",
                                           "clos:3,3,4", "gf11"};
    unsigned survived = 0;
    for (unsigned which = 0; which < sizeof networks / sizeof *networks; which++)
        for (unsigned how = 1; how < SETTING_PERIOD_LAB_HOWS; how++) {
            const struct machine machine =
                setting_period_lab_machine(networks[which], setting_period_lab_hows[how]);
            uint32_t n = machine.network.ports < 9          ? 2
                         : machine.settings == MACHINE_TAGS ? machine.network.ports
                                                            : 9;
            struct schedule schedule;
            struct support_job job;
            struct err err = {0};
            if (machine.settings == MACHINE_TAGS && !network_row_of(&machine.network)->computes)
                continue;
            setting_period_lab_schedule("circulant", n, 7, &schedule);
            support_true(setting_period_lab_job(&schedule, machine, 6, 3, &job, &err), &err);
            image_lab_round_trip(&job.image);
            support_job_free(&job);
            survived++;
        }
    assert_int_equal(survived, 5 * 5 - 2 * 2);
}

static void random_words_survive(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    uint64_t words[8] = {0};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned trial = 0; trial < 100; trial++) {
        struct err err = {0};
        const struct setting_period_lab_how how = setting_period_lab_hows[1 + trial % 5];
        struct machine machine = setting_period_lab_machine("benes:13", how);
        machine.log2_packets = 3, machine.log2_flits = 2, machine.log2_rows = 7;
        machine.log2_period = 1 + rng_below(&rng, 7);
        machine.log2_settings = how.settings == MACHINE_INDEXED ? 1 + rng_below(&rng, 7) : 0;
        support_true(machine_check(&machine, &err), &err);
        struct image image = {
            .machine = machine,
            .run = {
                .rows = 3, .flits = 2, .row_cycles = 40, .period = 2, .first = 1, .packets = 8}};
        image_lab_run(&image);
        for (unsigned k = 0; k < 3000; k++) {
            uint32_t address = (uint32_t)rng_next(&rng) & UINT32_C(0xf0000fff);
            if (address <= MACHINE_RUN_PACKETS || !machine_has_address(&machine, address))
                continue;
            assert_true(image_append(&image, address, (uint32_t)rng_next(&rng), &err));
            words[machine_region_of(address)]++;
        }
        image_lab_round_trip(&image);
        image_free(&image);
    }
    assert_true(words[MACHINE_TABLE] > 0 && words[MACHINE_SEND] > 0 && words[MACHINE_PACKET] > 0);
}

static void the_good_texts_read(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(indexed, strlen(indexed), &image, &err), &err);
    assert_true(image.machine.settings == MACHINE_INDEXED && image.machine.computed);
    assert_true(image.machine.log2_settings == 3 && image.machine.log2_period == 2);
    assert_true(image.run.period == 3 && image.run.first == 1 && image.run.packets == 3);
    assert_int_equal(image.word[3].address, MACHINE_RUN_PERIOD);
    assert_int_equal(image.word[6].address, machine_setting_index_address(&image.machine, 3));
    image_free(&image);
    support_true(image_lab_read(tags, strlen(tags), &image, &err), &err);
    assert_true(image.machine.settings == MACHINE_TAGS && !image.machine.computed);
    assert_true(image.machine.log2_settings == 0 && image.machine.log2_period == 4);
    assert_int_equal(image.word[5].address, machine_setting_index_address(&image.machine, 15));
    image_free(&image);
    support_true(image_lab_read(full, strlen(full), &image, &err), &err);
    assert_true(image.machine.settings == MACHINE_FULL && image.machine.computed);
    image_free(&image);
    support_true(image_lab_read(tree, strlen(tree), &image, &err), &err);
    image_free(&image);
    image_lab_prefixes(indexed, strlen(indexed));
}

#define BAD_MACHINE ERR_SYNTAX, "t.hex:2: ", "not a machine; expected '// machine NETWORK width=W"
#define BAD_SETTING_PERIOD ERR_NETWORK, "t.hex:2: ", "phases"
#define BAD_RUN ERR_SYNTAX, "t.hex:3: ", "not a run; expected '// run rows=R"
#define BAD_RANGE ERR_FIELD_RANGE, "t.hex:3: ", "expected"
#define BAD_REGISTER(what) ERR_IMAGE, "t.hex:", what ", which the header says"
#define BAD_ADDRESS(address) \
    ERR_IMAGE, "t.hex:", "address " address "; expected one that the machine has"

static const struct image_lab_bad bad_indexed[] = {
    {"settings=indexed", "settings=index", BAD_MACHINE},
    {"settings=indexed", "settings=INDEXED", BAD_MACHINE},
    {"settings=indexed", "settings=full", BAD_MACHINE}, /* 8 tables of 64 rows */
    {"settings=indexed", "settings=tags", BAD_MACHINE}, /* tags have no tables */
    {"settings=indexed ", "", BAD_MACHINE},
    {"tables=8", "tables=7", BAD_MACHINE},
    {"tables=8", "tables=1", BAD_SETTING_PERIOD},
    {"tables=8", "tables=0", BAD_MACHINE},
    {"tables=8", "tables=08", BAD_MACHINE},
    {"tables=8", "tables=-8", BAD_MACHINE},
    {"tables=8", "tables=128", BAD_SETTING_PERIOD},
    {"tables=8 ", "", BAD_MACHINE},
    {"programs=computed", "programs=compute", BAD_MACHINE},
    {"programs=computed", "programs=", BAD_MACHINE},
    {" programs=computed", "", BAD_MACHINE},
    {"beats=4", "beats=3", BAD_MACHINE},
    {"beats=4", "beats=0", BAD_MACHINE},
    {"beats=4", "beats=1", BAD_SETTING_PERIOD},
    {"beats=4", "beats=128", BAD_SETTING_PERIOD},
    {"beats=4", "beats=+4", BAD_MACHINE},
    {"beats=4", "beats=4 ", BAD_MACHINE},
    {" beats=4", "", BAD_MACHINE},
    {" settings=indexed tables=8 programs=computed beats=4", "", BAD_RUN},
    {"period=3", "period=03", BAD_RUN},
    {"period=3", "period=-3", BAD_RUN},
    {" period=3 first=1 packets=3", "", BAD_RUN},
    {" packets=3\n", "\n", BAD_RUN},
    {"first=1 ", "", BAD_RUN},
    {"packets=3\n", "packets=3 \n", BAD_RUN},
    {"period=3", "period=0", BAD_RANGE},
    {"period=3", "period=5", BAD_RANGE},
    {"first=1", "first=3", BAD_RANGE},
    {" packets=3\n", " packets=17\n", BAD_RANGE},
    /* no last one */
    {" packets=3\n", " packets=0\n", BAD_RANGE},
    /* no setting phase */
    {"00010003", "00010000", BAD_REGISTER("register 14 gets 00010000; expected 00010003")},
    {"00010003", "00010004", BAD_REGISTER("register 14 gets 00010004; expected 00010003")},
    {"00010003", "00000003", BAD_REGISTER("register 14 gets 00000003; expected 00010003")},
    {"00010003", "ffffffff", BAD_REGISTER("register 14 gets ffffffff; expected 00010003")},
    {" 00000003\n", " 00000000\n", BAD_REGISTER("register 15 gets 00000000; expected 00000003")},
    {" 00000003\n", " ffffffff\n", BAD_REGISTER("register 15 gets ffffffff; expected 00000003")},
    {"first=1", "first=2", BAD_REGISTER("register 14 gets 00010003; expected 00020003")},
    {" packets=3\n", " packets=4\n", BAD_REGISTER("register 15 gets 00000003; expected 00000004")},
    {"@10000007", "@10000008", BAD_ADDRESS("10000008")}, /* a row of tables too many */
    {"@10000143", "@10000144", BAD_ADDRESS("10000144")}, /* a setting phase of the setting index */
    {"@10000143", "@10000180", BAD_ADDRESS("10000180")}, /* after the setting index */
    {"@20000003", "@20000004", BAD_ADDRESS("20000004")}, /* a setting phase of the programs */
    {"@20000003", "@b0000044", BAD_ADDRESS("b0000044")},
};

static const struct image_lab_bad bad_tags[] = {
    {"tables=0", "tables=64", BAD_MACHINE},
    {"tables=0", "tables=2", BAD_MACHINE},
    {"beats=16", "beats=16 tables=0", BAD_MACHINE},
    {"benes:5,pipe=1,pad=0", "benes:27,radix=3,pipe=1,pad=0", ERR_NETWORK,
     "t.hex:2: ", "expected benes:N"},
    {"benes:5", "omega:8", ERR_NETWORK,
     "t.hex:2: ", "tags require another network; expected benes:N"},
    {"benes:5", "clos:2,2,4", ERR_NETWORK,
     "t.hex:2: ", "tags require another network; expected benes:N"},
    {"period=16", "period=17", BAD_RANGE},
    {"first=15", "first=16", BAD_RANGE},
    {"@1000014f", "@10000150", BAD_ADDRESS("10000150")},
    {"@1000014f", "@10000000", BAD_ADDRESS("10000000")}, /* no table */
    {"@2000003f", "@20000140", BAD_ADDRESS("20000140")}, /* a sixth node */
};

static const struct image_lab_bad bad_tree[] = {
    {"rows=64", "rows=64 settings=full tables=64 programs=computed beats=4", BAD_RUN},
    {"rows=64\n// run rows=5 flits=4 row-cycles=4\n",
     "rows=64 settings=full tables=64 programs=computed beats=4\n"
     "// run rows=5 flits=4 row-cycles=4 period=3 first=1 packets=3\n",
     ERR_NETWORK, "t.hex:", "phases of routers; expected a multistage network"},
    {"row-cycles=4", "row-cycles=4 period=0 first=0 packets=0", BAD_RUN},
    {"@0000000c 00000001", "@0000000c 00000000",
     BAD_REGISTER("register 12 gets 00000000; expected 00000001")},
    {"@0000000c 00000001", "@0000000c 00000003",
     BAD_REGISTER("register 12 gets 00000003; expected 00000001")},
    {"ports=single", "ports=multi", BAD_REGISTER("register 12 gets 00000001; expected 00000000")},
    {"@0000000c 00000001\n// end 4", "// end 3",
     BAD_REGISTER("no word for register 12; expected 00000001")},
    {"@0000000c", "@0000000e", BAD_ADDRESS("0000000e")},
};

static const struct image_lab_bad bad_full[] = {
    {"tables=64", "tables=8", BAD_MACHINE},
    {"programs=computed beats=4", "programs=stored beats=4", BAD_MACHINE},
    {"programs=computed beats=4", "programs=stored beats=1", BAD_MACHINE},
    {"@1000003f", "@10000600", BAD_ADDRESS("10000600")}, /* no setting index */
};

static void bad_texts_are_refused(void **state)
{
    (void)state;
    image_lab_refused(indexed, bad_indexed, sizeof bad_indexed / sizeof *bad_indexed);
    image_lab_refused(tags, bad_tags, sizeof bad_tags / sizeof *bad_tags);
    image_lab_refused(tree, bad_tree, sizeof bad_tree / sizeof *bad_tree);
    image_lab_refused(full, bad_full, sizeof bad_full / sizeof *bad_full);
}

/* At most 2^16 setting phases, the range of the register's fields. */
static void too_many_setting_period_are_refused(void **state)
{
    (void)state;
    struct err err = {0};
    struct machine machine =
        setting_period_lab_machine("benes:4", (struct setting_period_lab_how){MACHINE_TAGS, true});
    machine.log2_packets = machine.log2_flits = 1;
    machine.log2_rows = 17;
    machine.log2_period = 16;
    support_true(machine_check(&machine, &err), &err);
    struct run run = {.rows = 1, .flits = 1, .row_cycles = 9, .period = 65535, .packets = 1};
    support_true(machine_check_run(&machine, &run, "t.hex", &err), &err);
    run.period = 65536;
    assert_false(machine_check_run(&machine, &run, "t.hex", &err));
    support_error(&err, ERR_FIELD_RANGE, "t.hex:3: ");
    machine.log2_period = 17;
    assert_false(machine_check(&machine, &err));
    support_error(&err, ERR_NETWORK, "2^17 phases", "at most 2^16");
}

/* Only machines with a setting period have its registers. */
static void machines_without_setting_period_have_no_registers_of_them(void **state)
{
    (void)state;
    struct machine machine = support_machine(3, 1, 0);
    assert_false(machine_has_address(&machine, MACHINE_RUN_PERIOD));
    assert_false(machine_has_address(&machine, MACHINE_RUN_PACKETS));
    assert_false(machine_has_address(&machine, machine_setting_index_address(&machine, 0)));
    assert_true(machine_has_address(&machine, machine_table_address(&machine, 4, 63, 0)));
    machine.settings = MACHINE_INDEXED;
    machine.log2_period = machine.log2_settings = 2;
    assert_true(machine_has_address(&machine, MACHINE_RUN_PERIOD));
    assert_true(machine_has_address(&machine, MACHINE_RUN_PACKETS));
    assert_true(machine_has_address(&machine, machine_setting_index_address(&machine, 3)));
    assert_false(machine_has_address(&machine, machine_table_address(&machine, 4, 63, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routed_images_survive),
        cmocka_unit_test(random_words_survive),
        cmocka_unit_test(the_good_texts_read),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(too_many_setting_period_are_refused),
        cmocka_unit_test(machines_without_setting_period_have_no_registers_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
