/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_round_trip: a schedule or image that can be read is written, read and written again, with
 * the same bytes.
 */
#include "sched/image/image.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t size;
};

/* Reads a text as a file of a kind and writes it again. Returns false if it cannot be read. */
typedef bool passage(const struct text *from, struct text *to, struct err *err);

static bool through_schedule(const struct text *from, struct text *to, struct err *err)
{
    struct schedule schedule = {0};
    FILE *file = fuzz_open(from->bytes, from->size);
    bool read = schedule_read(file, "input", &schedule, err);
    fclose(file);
    if (read)
        to->bytes = fuzz_schedule_text(&schedule, &to->size);
    schedule_free(&schedule);
    return read;
}

static bool through_form(const struct text *from, struct text *to, enum image_form form,
                         struct err *err)
{
    struct image image = {0};
    FILE *file = fuzz_open(from->bytes, from->size);
    bool read = image_read(file, "input", &image, err);
    fclose(file);
    if (!read)
        return false;
    file = open_memstream(&to->bytes, &to->size);
    fuzz_holds(file != NULL && image_write(file, "written", &image, form, err), err, "writing");
    fclose(file);
    image_free(&image);
    return true;
}

static bool through_image(const struct text *from, struct text *to, struct err *err)
{
    return through_form(from, to, IMAGE_HEX, err);
}

static bool through_writes(const struct text *from, struct text *to, struct err *err)
{
    return through_form(from, to, IMAGE_WRITES, err);
}

static bool through_c(const struct text *from, struct text *to, struct err *err)
{
    return through_form(from, to, IMAGE_C, err);
}

static void try(passage *through, const struct text *input)
{
    struct err err = {0};
    struct text first = {0}, second = {0};
    if (!through(input, &first, &err)) {
        fuzz_refused(&err);
        return;
    }
    fuzz_holds(through(&first, &second, &err), &err, "what was written is not read");
    if (FUZZ_FAULT)
        second.bytes[second.size / 2] ^= 1;
    if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
        fuzz_fail("written twice, not the same:\n%s---\n%s", first.bytes, second.bytes);
    free(first.bytes);
    free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct text input = {(char *)(uintptr_t)data, size};
    try(through_schedule, &input);
    try(through_image, &input);
    try(through_writes, &input);
    try(through_c, &input);
    return 0;
}
