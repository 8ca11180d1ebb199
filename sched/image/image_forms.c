/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_forms.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS 8

static const struct image_pairs pairs_of_forms[IMAGE_FORMS] = {
    [IMAGE_WRITES] =
        {.head = "", .foot = "ffffffffffffffff\n", .before = "", .between = "", .after = "\n"},
    [IMAGE_C] = {.head = "#include <stdint.h>\n"
                         "\n"
                         "extern const uint32_t roundcast_image[][2]; // {address, word}\n"
                         "extern const uint32_t roundcast_image_words;\n"
                         "\n"
                         "const uint32_t roundcast_image[][2] = {\n",
                 .foot = "};\n"
                         "const uint32_t roundcast_image_words = "
                         "sizeof roundcast_image / sizeof *roundcast_image;\n",
                 .before = "    {0x",
                 .between = ", 0x",
                 .after = "},\n"},
};

const struct image_pairs *image_pairs_of(enum image_form form)
{
    return pairs_of_forms[form].head != NULL ? &pairs_of_forms[form] : NULL;
}

char *image_put_word(char *to, uint32_t word)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[word >> shift & 15];
    return to;
}

void image_pairs_write(FILE *to, const struct image_pairs *pairs, const struct image *image)
{
    fputs(pairs->head, to);
    for (size_t k = 0; k < image->count; k++) {
        char digits[DIGITS];
        fputs(pairs->before, to);
        image_put_word(digits, image->word[k].address);
        fwrite(digits, 1, DIGITS, to);
        fputs(pairs->between, to);
        image_put_word(digits, image->word[k].word);
        fwrite(digits, 1, DIGITS, to);
        fputs(pairs->after, to);
    }
    fputs(pairs->foot, to);
}

/* Reads the text `before`, which must be at *at, and then eight hexadecimal digits. */
static bool read_word(const char **at, const char *before, uint32_t *word)
{
    const size_t length = strlen(before);
    if (strncmp(*at, before, length) != 0)
        return false;
    char digits[DIGITS + 1] = "";
    strncpy(digits, *at + length, DIGITS);
    if (strspn(digits, "0123456789abcdefABCDEF") != DIGITS)
        return false;
    *word = (uint32_t)strtoul(digits, NULL, 16);
    *at += length + DIGITS;
    return true;
}

static bool read_pair(const struct image_pairs *pairs, const char *line, struct image_word *pair)
{
    return read_word(&line, pairs->before, &pair->address) &&
           read_word(&line, pairs->between, &pair->word) && strcmp(line, pairs->after) == 0;
}

struct image_pairs_reader image_pairs_begin(enum image_form form)
{
    const struct image_pairs *pairs = image_pairs_of(form);
    return (struct image_pairs_reader){.pairs = pairs, .expected = pairs ? pairs->head : NULL};
}

enum image_line image_pairs_read(struct image_pairs_reader *reader, const char *line,
                                 struct image_word *pair)
{
    const size_t length = strlen(line);
    if (*reader->expected == '\0' && !reader->after) {
        reader->after = strncmp(reader->pairs->foot, line, length) == 0;
        if (!reader->after)
            return read_pair(reader->pairs, line, pair) ? IMAGE_PAIR : IMAGE_WRONG;
        reader->expected = reader->pairs->foot;
    }
    if (strncmp(reader->expected, line, length) != 0)
        return IMAGE_WRONG;
    reader->expected += length;
    return IMAGE_AROUND;
}

bool image_pairs_done(const struct image_pairs_reader *reader)
{
    return reader->after && *reader->expected == '\0';
}
