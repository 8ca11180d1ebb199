/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack_setting_period: from the images of machines with a setting period back to the
 * circuits of each round.
 *
 * Exhaustive: circulant for n = 2 … 40 and several m, on benes:n and a Clos network, all settings
 * and programs that each supports. Every row's circuits, as the image makes them, must be the
 * schedule's transfers of that round, with their packets, and no others. Counter-case: if a word of
 * the setting index, an entry of a program or the first setting phase is changed, some transfers
 * differ. Bits above the width of a word of the setting index are ignored.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

#include <stdio.h>

static void every_image(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 3, 14};
    unsigned unpacked = 0;
    for (uint32_t n = 2; n <= 40; n++)
        for (unsigned which = 0; which < 3 * SETTING_PERIOD_LAB_HOWS * 2; which++) {
            const struct setting_period_lab_how how =
                setting_period_lab_hows[which / 3 % SETTING_PERIOD_LAB_HOWS];
            struct schedule schedule;
            struct support_job job;
            struct err err = {0};
            char network[20];
            bool clos = which >= 3 * SETTING_PERIOD_LAB_HOWS;
            if (clos && how.settings == MACHINE_TAGS)
                continue;
            snprintf(network, sizeof network, clos ? "clos:4,3,%u" : "benes:%u",
                     clos ? n / 3 + 2 : n);
            setting_period_lab_schedule("circulant", n, packets[which % 3], &schedule);
            support_true(setting_period_lab_job(&schedule, setting_period_lab_machine(network, how),
                                                3, 1, &job, &err),
                         &err);
            assert_int_equal(support_strays(&job.schedule, &job.image), 0);
            unpacked++;
            support_job_free(&job);
        }
    assert_int_equal(unpacked, 39 * 3 * (6 + 4));
}

/* Returns the last word of the image in a region; the setting index comes after the tables of the
 * stages, so there it is the last word of the setting index. */
static struct image_word *last_word(struct image *image, enum machine_region region)
{
    struct image_word *found = NULL;
    for (size_t k = 0; k < image->count; k++)
        if (machine_region_of(image->word[k].address) == region)
            found = &image->word[k];
    assert_non_null(found);
    return found;
}

/* Builds a broadcast to 13 nodes on a machine of the given kind. */
static void open_job(unsigned how, struct schedule *schedule, struct support_job *job)
{
    const struct machine machine =
        setting_period_lab_machine("benes:13", setting_period_lab_hows[how]);
    struct err err = {0};
    setting_period_lab_schedule("circulant", 13, 14, schedule);
    support_true(setting_period_lab_job(schedule, machine, 3, 1, job, &err), &err);
}

static void a_word_off_strays(void **state)
{
    (void)state;
    for (unsigned how = 1; how < SETTING_PERIOD_LAB_HOWS; how++) {
        struct schedule schedule;
        struct support_job job;
        open_job(how, &schedule, &job);
        static const enum machine_region regions[] = {MACHINE_TABLE, MACHINE_SEND, MACHINE_RECEIVE};
        for (unsigned region = 0; region < 3; region++) {
            if (setting_period_lab_hows[how].settings == MACHINE_FULL &&
                regions[region] == MACHINE_TABLE)
                continue;
            struct image_word *word = last_word(&job.image, regions[region]);
            word->word ^= 1;
            assert_true(support_strays(&schedule, &job.image) > 0);
            word->word ^= 1;
            if (regions[region] ==
                /* the machine does not have the bits above a setting index's word */
                MACHINE_TABLE) {
                word->word ^= UINT32_C(0xffffffff)
                              << machine_setting_index_bits(&job.image.machine);
                assert_int_equal(support_strays(&schedule, &job.image), 0);
                word->word ^= UINT32_C(0xffffffff)
                              << machine_setting_index_bits(&job.image.machine);
            }
        }
        job.image.run.first ^= 1;
        assert_true(support_strays(&schedule, &job.image) > 0);
        job.image.run.first ^= 1;
        assert_int_equal(support_strays(&schedule, &job.image), 0);
        support_job_free(&job);
    }
}

/* A word of the setting index that is missing in the image is 0. */
static void a_word_of_zero_may_lack(void **state)
{
    (void)state;
    unsigned lacking = 0;
    for (unsigned how = 1; how < SETTING_PERIOD_LAB_HOWS; how++) {
        struct schedule schedule;
        struct support_job job;
        open_job(how, &schedule, &job);
        struct image_word *word = job.image.word, *setting_index = NULL;
        for (size_t k = 0; k < job.image.count && machine_has_setting_index(&job.image.machine);
             k++)
            if (word[k].address == machine_setting_index_address(&job.image.machine, 0))
                setting_index = &word[k];
        if (setting_index != NULL && setting_index->word == 0) {
            *setting_index = word[--job.image.count];
            assert_int_equal(support_strays(&schedule, &job.image), 0);
            lacking++;
        }
        support_job_free(&job);
    }
    assert_true(lacking > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_image),
        cmocka_unit_test(a_word_off_strays),
        cmocka_unit_test(a_word_of_zero_may_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
