/* SPDX-License-Identifier: Apache-2.0 */
/* test_setting_period_faults: faults of the setting index or the programs of a machine with a
 * setting period are detected, on csim.
 *
 * State space. Circulant on benes:8, benes:5 and benes:11, m = 12, all settings and programs with
 * setting phases; each image passes before and after. Every bit of every word of the setting index,
 * and of every entry of the computed programs (the offset and the valid bit), is flipped in turn:
 * the scoreboard must fail unless the word means the same as before. The same is done for the first
 * setting phase and the number of setting phases.
 */
#include "sched/base/bits.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"

#include <stdio.h>

static void assert_holds(const struct support_job *job)
{
    struct simulate_report report;
    struct err err = {0};
    support_true(setting_period_lab_holds(job, &job->image, &report, &err), &err);
    assert_int_equal(report.checks.seen,
                     (uint64_t)(job->schedule.nodes - 1) * job->schedule.packets);
}

/* Returns the bits of a word that the machine uses: of the setting index, or of an entry's offset
 * and valid bit; otherwise 0. */
static uint32_t heeded(const struct machine *machine, struct image_word word)
{
    enum machine_region region = machine_region_of(word.address);
    bool setting_index =
        word.address >= machine_setting_index_address(machine, 0) && region == MACHINE_TABLE;
    bool entry = region == MACHINE_SEND || region == MACHINE_RECEIVE;
    if (setting_index && machine->settings != MACHINE_FULL)
        return (UINT32_C(1) << machine_setting_index_bits(machine)) - 1;
    if (entry && machine->computed && !(word.address & MACHINE_ALL_NODES))
        return MACHINE_VALID | ((UINT32_C(1) << machine_offset_bits(machine)) - 1);
    return 0;
}

/* On 8 ports the shift by 4 is the complement of 4, so that no difference can be observed. */
static bool same_tag(const struct machine *machine, uint32_t word)
{
    return machine->settings == MACHINE_TAGS && machine->network.ports == 8 && (word & 7) == 4;
}

/* Returns whether a word is neither a shift nor, on these ports, a complement; the setting that the
 * stages derive from it may be one that exists. */
static bool no_tag(const struct machine *machine, uint32_t word)
{
    return machine->settings == MACHINE_TAGS && !bits_is_power(machine->network.ports) &&
           word >= machine->network.ports;
}

static void flip_all(struct support_job *job, unsigned *flipped, unsigned *same)
{
    const struct machine *machine = &job->image.machine;
    for (size_t k = 0; k < job->image.count; k++)
        for (uint32_t bit = 1; bit != 0; bit *= 2) {
            struct image_word *word = &job->image.word[k];
            struct simulate_report report;
            struct err err = {0};
            if (!(heeded(machine, *word) & bit))
                continue;
            bool table = machine_region_of(word->address) == MACHINE_TABLE;
            if (table && no_tag(machine, word->word ^ bit))
                continue;
            bool expected = table && same_tag(machine, word->word) && bit == 8;
            word->word ^= bit;
            bool holds = setting_period_lab_holds(job, &job->image, &report, &err);
            if (holds != expected)
                fail_msg("settings %d, computed %d, %08x at %08x: held is %d",
                         (int)machine->settings, machine->computed, word->word, word->address,
                         holds);
            word->word ^= bit;
            *flipped += 1, *same += holds;
        }
}

static void flipped_bits_are_seen(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {8, 5, 11};
    for (unsigned which = 0; which < 3; which++)
        for (unsigned how = 1; how < SETTING_PERIOD_LAB_HOWS; how++) {
            struct schedule schedule;
            struct support_job job;
            struct err err = {0};
            unsigned flipped = 0, same = 0;
            char network[20];
            snprintf(network, sizeof network, "benes:%u", nodes[which]);
            setting_period_lab_schedule("circulant", nodes[which], 12, &schedule);
            support_true(setting_period_lab_job(
                             &schedule,
                             setting_period_lab_machine(network, setting_period_lab_hows[how]), 1,
                             2, &job, &err),
                         &err);
            assert_holds(&job);
            flip_all(&job, &flipped, &same);
            assert_true(flipped >= 6 && same <= 5);
            assert_holds(&job);
            support_job_free(&job);
        }
}

/* Changes the register of {first, period} in the image, independently of the header: another first
 * setting phase, one setting phase more. */
static void other_setting_period_are_seen(void **state)
{
    (void)state;
    for (unsigned how = 1; how < SETTING_PERIOD_LAB_HOWS; how++) {
        struct schedule schedule;
        struct support_job job;
        struct simulate_report report;
        struct err err = {0};
        setting_period_lab_schedule("circulant", 9, 12, &schedule);
        support_true(setting_period_lab_job(
                         &schedule,
                         setting_period_lab_machine("benes:9", setting_period_lab_hows[how]), 1, 2,
                         &job, &err),
                     &err);
        struct image_word *word = job.image.word;
        while (word->address != MACHINE_RUN_PERIOD)
            assert_true(++word < job.image.word + job.image.count);
        assert_int_equal(word->word, job.image.run.first << 16 | 4);
        word->word ^= UINT32_C(1) << 16;
        assert_false(setting_period_lab_holds(&job, &job.image, &report, &err));
        word->word ^= UINT32_C(1) << 16 | 7; /* 3 setting phases */
        assert_false(setting_period_lab_holds(&job, &job.image, &report, &err));
        word->word ^= 7;
        assert_holds(&job);
        support_job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_bits_are_seen),
        cmocka_unit_test(other_setting_period_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
