/* SPDX-License-Identifier: Apache-2.0 */
/* test_freed: a freed structure is empty, like {0}, so that it may be freed again.
 *
 * State space: the structures that route and image fill for one schedule on three machines: with
 * tags, with masks and computed programs, and with indexed settings. Each is freed three times.
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/setting_period.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

/* Returns the setting phases of a schedule of one packet among 8 nodes. */
static struct setting_period setting_period_of(const char *algorithm,
                                               enum machine_settings settings, bool computed)
{
    const struct machine machine =
        setting_period_lab_machine("benes:8", (struct setting_period_lab_how){settings, computed});
    struct schedule schedule;
    struct setting_period setting_period;
    struct err err = {0};
    setting_period_lab_schedule(algorithm, 8, 1, &schedule);
    support_true(setting_period_find(&schedule, &machine, &setting_period, &err), &err);
    schedule_free(&schedule);
    assert_non_null(setting_period.setting_index);
    return setting_period;
}

static void settings_and_setting_period(void **state)
{
    (void)state;
    struct setting_period setting_period = setting_period_of("circulant", MACHINE_INDEXED, true);
    assert_non_null(setting_period.computed.memory);
    assert_true(setting_period.settings.count > 0);
    for (unsigned k = 0; k < 3; k++) {
        settings_free(&setting_period.settings);
        assert_null(setting_period.settings.index);
        assert_null(setting_period.settings.circuit);
        assert_null(setting_period.settings.back);
        assert_int_equal(setting_period.settings.rows + setting_period.settings.count +
                             setting_period.settings.room,
                         0);
    }
    for (unsigned k = 0; k < 3; k++) {
        periodic_programs_free(&setting_period.computed);
        assert_null(setting_period.computed.memory);
        assert_null(setting_period.computed.offset[0]);
        assert_int_equal(setting_period.computed.nodes + setting_period.computed.period +
                             setting_period.computed.first,
                         0);
    }
    for (unsigned k = 0; k < 3; k++) {
        setting_period_free(&setting_period);
        assert_null(setting_period.setting_index);
        assert_int_equal(setting_period.period + setting_period.first + setting_period.distinct, 0);
    }
}

static void maps_of_masks(void **state)
{
    (void)state;
    struct setting_period setting_period = setting_period_of("binomial", MACHINE_MASKS, false);
    assert_true(setting_period.maps.count > 0);
    for (unsigned k = 0; k < 3; k++) {
        affine_grouping_free(&setting_period.maps);
        assert_null(setting_period.maps.index);
        assert_null(setting_period.maps.part);
        assert_int_equal(setting_period.maps.count + setting_period.maps.room, 0);
    }
    setting_period_free(&setting_period);
}

static void images(void **state)
{
    (void)state;
    struct image image = {0};
    struct unpacked unpacked;
    struct err err = {0};
    image.machine =
        setting_period_lab_machine("benes:8", (struct setting_period_lab_how){MACHINE_FULL, false});
    image.run = (struct run){.rows = 1, .flits = 1, .row_cycles = 8};
    support_true(image_append(&image, machine_program_address(&image.machine, MACHINE_SEND, 0, 0),
                              MACHINE_VALID, &err),
                 &err);
    support_true(unpack_image(&image, &unpacked, &err), &err);
    for (unsigned k = 0; k < 3; k++) {
        unpack_free(&unpacked);
        assert_null(unpacked.memory);
        assert_null(unpacked.image);
        assert_int_equal(unpacked.count + unpacked.run.rows + unpacked.machine.kind, 0);
    }
    for (unsigned k = 0; k < 3; k++) {
        image_free(&image);
        assert_null(image.word);
        assert_int_equal(image.count + image.room + image.run.rows + image.machine.kind, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_and_setting_period),
                                       cmocka_unit_test(maps_of_masks), cmocka_unit_test(images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
