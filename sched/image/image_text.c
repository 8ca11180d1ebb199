/* SPDX-License-Identifier: Apache-2.0 */
/* image_text: writes an image as text, and reads one strictly, in each of its forms (image.h). */
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/image/image.h"
#include "sched/image/image_forms.h"
#include "sched/image/image_rams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_A_LINE 8
#define LINE_SIZE IMAGE_HEADER_LINE

static void write_hex(FILE *to, const struct image *image)
{
    char line[LINE_SIZE];
    for (size_t k = 0, next; k < image->count; k = next) {
        if (k == 0 || image->word[k].address != image->word[k - 1].address + 1)
            fprintf(to, "@%08" PRIx32 "\n", image->word[k].address);
        char *at = image_put_word(line, image->word[k].word);
        for (next = k + 1; next < image->count && next < k + WORDS_A_LINE &&
                           image->word[next].address == image->word[next - 1].address + 1;
             next++) {
            *at++ = ' ';
            at = image_put_word(at, image->word[next].word);
        }
        *at++ = '\n';
        fwrite(line, 1, (size_t)(at - line), to);
    }
}

/* Returns the value of a register of the machine after a reset. */
static uint32_t register_word(const struct image *image, uint32_t which)
{
    uint32_t word;
    return machine_run_word(&image->machine, &image->run, which, &word) ? word : 0;
}

static void write_registers(FILE *to, const struct image *image)
{
    for (uint32_t which = 0; which < MACHINE_RUN_REGISTERS; which++)
        fprintf(to, "%08" PRIx32 "\n", register_word(image, which));
}

bool image_write(FILE *to, const char *name, const struct image *image, enum image_form form,
                 struct err *err)
{
    const struct image_pairs *pairs = image_pairs_of(form);
    image_header_write(to, image, form);
    if (pairs != NULL)
        image_pairs_write(to, pairs, image);
    else if (form == IMAGE_MEM)
        write_registers(to, image);
    else
        write_hex(to, image);
    fprintf(to, "// end %zu\n", form == IMAGE_MEM ? MACHINE_RUN_REGISTERS : image->count);
    if (ferror(to))
        return files_refuse_output(name, errno, err);
    return true;
}

struct reader {
    FILE *from;
    const char *name;
    unsigned long line;
    uint32_t address;
    uint32_t registers; /* a bit for each register that had a word */
    struct image *image;
    struct image_pairs_reader pairs; /* for a form with pairs */
};

/* Checks that a word of a run register equals the header. E406. */
static bool check_register(struct reader *reader, uint32_t word, struct err *err)
{
    uint32_t which = reader->address, expected;
    if (!machine_run_word(&reader->image->machine, &reader->image->run, which, &expected))
        return true; /* a word of another memory */
    reader->registers |= UINT32_C(1) << which;
    return word == expected || err_set(err, ERR_IMAGE,
                                       "%.200s:%lu: register %" PRIu32 " gets %08" PRIx32
                                       "; expected %08" PRIx32 ", which the header says",
                                       reader->name, reader->line, which, word, expected);
}

/* Checks that each run register had a word; otherwise it would keep the value of an earlier image.
 * E406. */
static bool check_registers(const struct reader *reader, struct err *err)
{
    uint32_t expected;
    for (uint32_t which = 0; which < MACHINE_RUN_REGISTERS; which++)
        if (!(reader->registers >> which & 1) &&
            machine_run_word(&reader->image->machine, &reader->image->run, which, &expected))
            return err_set(err, ERR_IMAGE,
                           "%.200s:%lu: no word for register %" PRIu32 "; expected %08" PRIx32
                           ", which the header says",
                           reader->name, reader->line, which, expected);
    return true;
}

/* Checks and appends the word at the current address. */
static bool take_word(struct reader *reader, uint32_t word, struct err *err)
{
    if (!machine_has_address(&reader->image->machine, reader->address))
        return err_set(err, ERR_IMAGE,
                       "%.200s:%lu: address %08" PRIx32 "; expected one that the machine has",
                       reader->name, reader->line, reader->address);
    return check_register(reader, word, err) &&
           image_append(reader->image, reader->address, word, err);
}

/* Reads a word of 8 hexadecimal digits, or `@` and an address of 8 digits. */
static bool read_token(struct reader *reader, const char *token, struct err *err)
{
    bool is_address = *token == '@';
    const char *digits = token + is_address;
    if (strlen(digits) != 8 || strspn(digits, "0123456789abcdefABCDEF") != 8)
        return err_set(err, ERR_SYNTAX,
                       "%.200s:%lu: '%.20s'; expected 8 hexadecimal digits, or @ and 8",
                       reader->name, reader->line, token);
    uint32_t value = (uint32_t)strtoul(digits, NULL, 16);
    if (is_address) {
        reader->address = value;
        return true;
    }
    if (!take_word(reader, value, err))
        return false;
    reader->address++;
    return true;
}

/* Reads a line of a form with pairs. */
static bool read_pair(struct reader *reader, const char *line, struct err *err)
{
    struct image_word pair;
    switch (image_pairs_read(&reader->pairs, line, &pair)) {
    case IMAGE_PAIR:
        reader->address = pair.address;
        return take_word(reader, pair.word, err);
    case IMAGE_AROUND:
        return true;
    default:
        return err_set(err, ERR_SYNTAX,
                       "%.200s:%lu: '%.*s'; expected %s8 hexadecimal digits%s8 more, or a line "
                       "that stands around these pairs",
                       reader->name, reader->line, (int)strcspn(line, "\n"), line,
                       reader->pairs.pairs->before, reader->pairs.pairs->between);
    }
}

/* Reads the words of a line, up to a comment. */
static bool read_line(struct reader *reader, char *line, struct err *err)
{
    char *rest = NULL;
    for (char *token = strtok_r(line, " \t\n", &rest); token != NULL;
         token = strtok_r(NULL, " \t\n", &rest)) {
        if (strncmp(token, "//", 2) == 0)
            break;
        if (!read_token(reader, token, err))
            return false;
    }
    return true;
}

/* Checks the end of the text, after `// end COUNT`: the number of words, all registers, and nothing
 * more. */
static bool read_end(const struct reader *reader, size_t count, struct err *err)
{
    if (count != reader->image->count)
        return err_set(err, ERR_CUT, "%.200s:%lu: %zu word%s before the end; expected %zu",
                       reader->name, reader->line, reader->image->count,
                       text_s(reader->image->count), count);
    if (reader->pairs.pairs != NULL && !image_pairs_done(&reader->pairs))
        return err_set(err, ERR_CUT, "%.200s:%lu: no line after the last pair; expected one",
                       reader->name, reader->line);
    if (!check_registers(reader, err))
        return false;
    if (fgetc(reader->from) != EOF)
        return err_set(err, ERR_SYNTAX, "%.200s:%lu: something after the end; expected nothing",
                       reader->name, reader->line + 1);
    return true;
}

/* Reads all lines up to `// end COUNT`, which a truncated file does not have. */
static bool read_words(struct reader *reader, struct err *err)
{
    char line[LINE_SIZE];
    size_t count;
    while (fgets(line, sizeof line, reader->from) != NULL) {
        reader->line++;
        if (strchr(line, '\n') == NULL)
            return err_set(err, ERR_CUT,
                           "%.200s:%lu: a line that is cut or too long; expected at most %d byte%s",
                           reader->name, reader->line, LINE_SIZE - 2, text_s(LINE_SIZE - 2));
        if (sscanf(line, "// end %zu", &count) == 1)
            return read_end(reader, count, err);
        if (!(reader->pairs.pairs != NULL ? read_pair(reader, line, err)
                                          : read_line(reader, line, err)))
            return false;
    }
    return err_set(
        err, ERR_CUT,
        "%.200s:%lu: the image ends after %zu word%s; expected '// end' and their number",
        reader->name, reader->line + 1, reader->image->count, text_s(reader->image->count));
}

/* Checks that the registers agree with the header, and adds them as words. */
static bool read_registers(struct reader *reader, struct err *err)
{
    char line[LINE_SIZE], good[LINE_SIZE] = "";
    struct image *image = reader->image;
    for (uint32_t which = 0; which <= MACHINE_RUN_REGISTERS; which++) {
        uint32_t word = register_word(image, which);
        if (which < MACHINE_RUN_REGISTERS)
            snprintf(good, sizeof good, "%08" PRIx32 "\n", word);
        else
            snprintf(good, sizeof good, "// end %" PRIu32 "\n", MACHINE_RUN_REGISTERS);
        reader->line++;
        if (fgets(line, sizeof line, reader->from) == NULL || strcmp(line, good) != 0)
            return err_set(err, ERR_IMAGE, "%.200s:%lu: another line; expected '%.*s'",
                           reader->name, reader->line, (int)strcspn(good, "\n"), good);
        if (machine_run_word(&image->machine, &image->run, which, &word) &&
            !image_append(image, which, word, err))
            return false;
    }
    return fgetc(reader->from) == EOF ||
           err_set(err, ERR_SYNTAX, "%.200s:%lu: something after the end; expected nothing",
                   reader->name, reader->line + 1);
}

/* Reads the lines after the header. */
static bool read_form(struct reader *reader, enum image_form form, struct err *err)
{
    if (form != IMAGE_MEM)
        return read_words(reader, err);
    return image_rams_check(&reader->image->machine, err) && read_registers(reader, err) &&
           image_rams_read(reader->name, reader->image, err);
}

bool image_read(FILE *from, const char *name, struct image *image, struct err *err)
{
    *image = (struct image){0};
    struct reader reader = {.from = from, .name = name, .image = image};
    enum image_form form = IMAGE_HEX;
    bool read = image_header_read(from, name, image, &form, err);
    reader.pairs = image_pairs_begin(form);
    reader.line = 3 + machine_hops(&image->machine);
    if (read && read_form(&reader, form, err) && image_reconfig_check(image, name, err))
        return true;
    int error = errno;
    image_free(image);
    if (ferror(from))
        err_set(err, ERR_READ, "%.200s: %s; expected a readable file", name, strerror(error));
    return false;
}
