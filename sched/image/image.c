/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image.h"

#include "sched/base/memory.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Words -------------------------------------------------------------------------------- */

bool image_reserve(struct image *image, uint64_t words, struct err *err)
{
    size_t most = memory_most(sizeof *image->word);
    bool fits = words <= most && image->count <= most - words;
    struct image_word *grown =
        fits ? realloc(image->word, (image->count + words + 1) * sizeof *grown) : NULL;
    if (grown == NULL)
        return err_set(err, ERR_TOO_BIG,
                       "image: %zu + %" PRIu64
                       " word%s do not fit in memory; expected at most %zu on this "
                       "machine, as of fewer rows",
                       image->count, words, text_s(words), most);
    image->word = grown;
    image->room = image->count + words + 1;
    return true;
}

bool image_append(struct image *image, uint32_t address, uint32_t word, struct err *err)
{
    struct image_word *grown =
        memory_grow(image->word, image->count + 1, &image->room, sizeof *grown);
    if (grown == NULL)
        return err_no_memory(err, "%zu words", image->count + 1);
    image->word = grown;
    image->word[image->count++] = (struct image_word){address, word};
    return true;
}

void image_free(struct image *image)
{
    free(image->word);
    *image = (struct image){0};
}

const struct image_form_row image_form_rows[IMAGE_FORMS] = {
#define FORM_ROW(name, text, file) {text, file},
    IMAGE_FORMS_TABLE(FORM_ROW)
#undef FORM_ROW
};

/* --- The setting index of a machine with reconfiguration ---------------------------------- */

/* Marks a phase without a word: no word of the setting index has that many bits (machine_check). */
#define NO_WORD UINT64_MAX

/* Finds the last word of each setting phase: word[period]. */
static void take_words(const struct image *image, uint64_t word[])
{
    const struct machine *machine = &image->machine;
    for (uint32_t setting_phase = 0; setting_phase < image->run.period; setting_phase++)
        word[setting_phase] = NO_WORD;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(machine, image->word[k].address);
        if (at.region == MACHINE_TABLE && at.bank == machine_stages(machine) &&
            at.row < image->run.period)
            word[at.row] = image->word[k].word &
                           (UINT32_MAX >> (32 - machine_setting_index_word_bits(machine)));
    }
}

static bool check_setting_period(const struct image *image, const uint64_t word[], const char *name,
                                 struct err *err)
{
    const unsigned bits = machine_setting_index_bits(&image->machine);
    const uint64_t setting = (UINT64_C(1) << bits) - 1;
    uint64_t row = 0, before = NO_WORD;
    for (uint64_t passed = 0; row < image->run.rows && passed <= image->run.period; passed++) {
        uint32_t setting_phase = (uint32_t)((image->run.first + passed) % image->run.period);
        if (word[setting_phase] == NO_WORD)
            return err_set(err, ERR_IMAGE,
                           "%.200s: no word for phase %" PRIu32
                           " of the setting index; expected a setting and its rows",
                           name, setting_phase);
        if (before != NO_WORD && (word[setting_phase] & setting) == (before & setting))
            return err_set(err, ERR_IMAGE,
                           "%.200s: phase %" PRIu32 " of the setting index holds setting %" PRIu64
                           ", as the one before; expected another, or one word for all its rows",
                           name, setting_phase, word[setting_phase] & setting);
        before = word[setting_phase];
        row += (before >> bits) + 1;
    }
    return true;
}

bool image_reconfig_check(const struct image *image, const char *name, struct err *err)
{
    if (!image->machine.reconfigures)
        return true;
    uint64_t *word = malloc(image->run.period * sizeof *word);
    if (word == NULL)
        return err_no_memory(err, "%" PRIu32 " phases", image->run.period);
    take_words(image, word);
    bool checked = check_setting_period(image, word, name, err);
    free(word);
    return checked;
}
