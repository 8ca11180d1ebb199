/* SPDX-License-Identifier: Apache-2.0 */
/* test_image_reconfig: the legal setting indices of a machine with reconfiguration, by hand.
 *
 * A word has a setting of 3 bits and, above it, the number of further rows that it covers, of 16
 * rows at most. Covered: setting indices of three setting phases, in runs of 3 to 32 rows that
 * begin with setting phase 0 or 1; words that appear twice, lie after the setting phases of the
 * run, or have bits that no memory stores.
 *
 * Counter-cases. A setting phase that a run reaches has no word; a setting appears twice in
 * succession, within a turn and from one turn to the next. Words that a run does not reach are not
 * checked.
 */
#include "sched/image/image.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { SETTING_BITS = 3, NO_WORD = 0, MOST_WORDS = 5 };

/* A word for this number of rows; the bits above its 7 bits are set and must be ignored. */
#define WORD(rows, setting) (UINT32_C(0xfffff) << 7 | ((rows)-1) << SETTING_BITS | (setting))

struct judged {
    uint32_t first, rows;
    struct {
        uint32_t setting_phase, word;
    } setting_index[MOST_WORDS]; /* up to a word that is 0 */
    const char *expected;        /* NULL: holds */
};

#define MISSING(setting_phase)               \
    "name: no word for phase " setting_phase \
    " of the setting index; expected a setting and its rows"
#define AGAIN(setting_phase, setting)                                           \
    "name: phase " setting_phase " of the setting index holds setting " setting \
    ", as the one before; expected "                                            \
    "another, or one word for all its rows"

static const struct judged orders[] = {
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 3)}}, NULL},
    {0, 16, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 3)}}, NULL},
    /* Two words cover three rows, but not four. */
    {0, 3, {{0, WORD(1, 1)}, {1, WORD(2, 2)}}, NULL},
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 2)}}, MISSING("2")},
    {0, 3, {{0, WORD(1, 1)}, {2, WORD(2, 2)}}, MISSING("1")},
    {0, 3, {{1, WORD(1, 1)}, {2, WORD(2, 2)}}, MISSING("0")},
    {1, 3, {{1, WORD(1, 1)}, {2, WORD(2, 2)}}, NULL},
    {1, 4, {{1, WORD(1, 1)}, {2, WORD(2, 2)}}, MISSING("0")},
    /* One word covers at most 16 rows. */
    {0, 32, {{0, WORD(16, 1)}, {1, WORD(16, 2)}}, NULL},
    {0, 17, {{0, WORD(16, 1)}, {1, WORD(1, 2)}}, NULL},
    {0, 18, {{0, WORD(16, 1)}, {1, WORD(1, 2)}}, MISSING("2")},
    /* The later of two words is valid; setting phase 3 does not belong to this run. */
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 1)}, {2, WORD(1, 3)}, {1, WORD(2, 2)}}, NULL},
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {3, WORD(1, 3)}}, MISSING("2")},
    {0, 4, {{3, WORD(1, 3)}, {0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 3)}}, NULL},
    {0, 3, {{0, WORD(1, 2)}, {1, WORD(2, 2)}, {2, WORD(1, 3)}}, AGAIN("1", "2")},
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 2)}}, AGAIN("2", "2")},
    /* From one turn to the next, if the run gets that far. */
    {0, 4, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 1)}}, NULL},
    {0, 5, {{0, WORD(1, 1)}, {1, WORD(2, 2)}, {2, WORD(1, 1)}}, AGAIN("0", "1")},
};

/* Returns an image with exactly these words. */
static struct image image_of(const struct judged *judged)
{
    struct image image = {.machine = support_machine(2, 1, 0)};
    image.machine.settings = MACHINE_INDEXED;
    image.machine.reconfigures = true;
    image.machine.log2_rows = 4;
    image.machine.log2_settings = SETTING_BITS;
    image.machine.log2_period = 2;
    image.run = (struct run){.rows = judged->rows, .period = 3, .first = judged->first};
    struct image_word word[MOST_WORDS];
    for (; judged->setting_index[image.count].word != NO_WORD; image.count++)
        word[image.count] = (struct image_word){
            machine_setting_index_address(&image.machine,
                                          judged->setting_index[image.count].setting_phase),
            judged->setting_index[image.count].word};
    image.word = malloc(image.count * sizeof *image.word);
    assert_non_null(image.word);
    memcpy(image.word, word, image.count * sizeof *word);
    return image;
}

static void orders_by_hand(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof orders / sizeof *orders; which++) {
        struct image image = image_of(&orders[which]);
        struct err err = {0};
        bool holds = image_reconfig_check(&image, "name", &err);
        support_verdict(which, holds, &err, orders[which].expected ? ERR_IMAGE : ERR_NONE, 0,
                        orders[which].expected ? orders[which].expected : "");
        image.machine.reconfigures = false;
        support_true(image_reconfig_check(&image, "name", &err), &err);
        free(image.word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
