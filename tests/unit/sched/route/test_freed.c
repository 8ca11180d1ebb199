/* SPDX-License-Identifier: Apache-2.0 */
/* test_freed: what is freed is empty, as {0} is: it may be freed again, as all may that is empty.
 *
 * State space: what route and image find for one schedule on three machines, that have tags, masks
 * and computed programs, and indexed settings; each freed three times.
 */
#include "sched/image/unpack.h"
#include "sched/route/beats.h"
#include "tests/support/beats_lab.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

/* Finds the beats of a schedule of one packet among 8. */
static struct beats beats_of(const char *algorithm, enum machine_settings settings, bool computed)
{
    const struct machine machine =
        beats_lab_machine("benes:8", (struct beats_lab_how){settings, computed});
    struct schedule schedule;
    struct beats beats;
    struct err err = {0};
    beats_lab_schedule(algorithm, 8, 1, &schedule);
    support_true(beats_find(&schedule, &machine, &beats, &err), &err);
    schedule_free(&schedule);
    assert_non_null(beats.order);
    return beats;
}

static void settings_and_beats(void **state)
{
    (void)state;
    struct beats beats = beats_of("circulant", MACHINE_INDEXED, true);
    assert_non_null(beats.computed.memory);
    assert_true(beats.settings.count > 0);
    for (unsigned k = 0; k < 3; k++) {
        settings_free(&beats.settings);
        assert_null(beats.settings.index);
        assert_null(beats.settings.circuit);
        assert_null(beats.settings.back);
        assert_int_equal(beats.settings.rows + beats.settings.count + beats.settings.room, 0);
    }
    for (unsigned k = 0; k < 3; k++) {
        periodic_programs_free(&beats.computed);
        assert_null(beats.computed.memory);
        assert_null(beats.computed.offset[0]);
        assert_int_equal(beats.computed.nodes + beats.computed.period + beats.computed.first, 0);
    }
    for (unsigned k = 0; k < 3; k++) {
        beats_free(&beats);
        assert_null(beats.order);
        assert_int_equal(beats.period + beats.first + beats.distinct, 0);
    }
}

static void maps_of_masks(void **state)
{
    (void)state;
    struct beats beats = beats_of("binomial", MACHINE_MASKS, false);
    assert_true(beats.maps.count > 0);
    for (unsigned k = 0; k < 3; k++) {
        affine_grouping_free(&beats.maps);
        assert_null(beats.maps.index);
        assert_null(beats.maps.part);
        assert_int_equal(beats.maps.count + beats.maps.room, 0);
    }
    beats_free(&beats);
}

static void images(void **state)
{
    (void)state;
    struct image image = {0};
    struct unpacked unpacked;
    struct err err = {0};
    image.machine = beats_lab_machine("benes:8", (struct beats_lab_how){MACHINE_FULL, false});
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_and_beats),
                                       cmocka_unit_test(maps_of_masks), cmocka_unit_test(images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
