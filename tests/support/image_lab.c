/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/image_lab.h"

#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool image_lab_read(const char *text, size_t size, struct image *image, struct err *err)
{
    FILE *file = size ? fmemopen((void *)(uintptr_t)text, size, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    bool read = image_read(file, "t.hex", image, err);
    fclose(file);
    return read;
}

char *image_lab_write(const struct image *image, enum image_form form, size_t *size)
{
    char *text = NULL;
    struct err err = {0};
    FILE *file = open_memstream(&text, size);
    assert_non_null(file);
    support_true(image_write(file, "t.hex", image, form, &err), &err);
    fclose(file);
    return text;
}

void image_lab_run(struct image *image)
{
    const struct run *run = &image->run;
    const struct {
        uint32_t address, word;
        bool there;
    } words[] = {
        {8, run->rows, true},
        {9, run->flits, true},
        {10, run->row_cycles, true},
        {12, run->single_port, machine_hops(&image->machine)},
        {14, 65536 * run->first + run->period, machine_has_setting_period(&image->machine)},
        {15, run->stream << 31 | run->packets,
         machine_has_setting_period(&image->machine) || image->machine.ranges},
        {16, run->reconfigure, image->machine.reconfigures},
        {18, run->operation, image->machine.combines},
    };
    struct err err = {0};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].there)
            support_true(image_append(image, words[k].address, words[k].word, &err), &err);
}

void image_lab_same_machine(const struct machine *seen, const struct machine *expected)
{
    size_t rest = offsetof(struct machine, log2_settings);
    assert_int_equal(seen->kind, expected->kind);
    assert_memory_equal(&seen->network, &expected->network, offsetof(struct multistage, copies));
    assert_int_equal(seen->network.copies, expected->network.copies);
    assert_int_equal(seen->network.blocks, expected->network.blocks);
    assert_int_equal(seen->network.fewer, expected->network.fewer);
    assert_int_equal(seen->settings, expected->settings);
    assert_int_equal(seen->computed, expected->computed);
    assert_int_equal(seen->ranges, expected->ranges);
    assert_int_equal(seen->log2_splits, expected->log2_splits);
    assert_int_equal(seen->reconfigures, expected->reconfigures);
    assert_int_equal(seen->combines, expected->combines);
    assert_int_equal(seen->operators, expected->operators);
    assert_int_equal(seen->keeps_own, expected->keeps_own);
    assert_int_equal(seen->shared, expected->shared);
    assert_memory_equal(&seen->log2_settings, &expected->log2_settings, sizeof *seen - rest);
}

static void round_trip(const struct image *image, enum image_form form)
{
    size_t size, again_size;
    struct err err = {0};
    struct image again;
    char *text = image_lab_write(image, form, &size);
    support_true(image_lab_read(text, size, &again, &err), &err);
    image_lab_same_machine(&again.machine, &image->machine);
    assert_memory_equal(&again.run, &image->run, sizeof again.run);
    assert_int_equal(again.count, image->count);
    if (image->count > 0)
        assert_memory_equal(again.word, image->word, image->count * sizeof *image->word);
    char *again_text = image_lab_write(&again, form, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(text, again_text, size);
    image_free(&again);
    free(text);
    free(again_text);
}

void image_lab_round_trip(const struct image *image)
{
    for (enum image_form form = 0; form < IMAGE_MEM; form++)
        round_trip(image, form);
}

void image_lab_prefixes(const char *text, size_t size)
{
    for (size_t length = 0; length < size; length++) {
        struct image image;
        struct err err = {0};
        assert_false(image_lab_read(text, length, &image, &err));
        assert_true(err.code == ERR_VERSION || err.code == ERR_SYNTAX || err.code == ERR_CUT);
        support_error(&err, err.code, "t.hex:", "expected");
    }
}

/* Returns `good` after the edit; the caller frees it. */
static char *image_lab_edited(const char *good, const struct image_lab_bad *bad)
{
    const char *from = bad->from, *at = strstr(good, from);
    char *text;
    assert_non_null(at);
    if (*from == '\0')
        at = good, from = good;
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - good), good, bad->to, at + strlen(from)) >=
                0);
    return text;
}

void image_lab_refused(const char *good, const struct image_lab_bad bad[], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char *text = image_lab_edited(good, &bad[k]);
        struct image image;
        struct err err = {0};
        if (image_lab_read(text, strlen(text), &image, &err))
            fail_msg("'%s' for '%s' was read", bad[k].to, bad[k].from);
        support_error(&err, bad[k].code, bad[k].where, bad[k].what);
        assert_null(image.word);
        free(text);
    }
}
