/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image.h"

#include "sched/base/files.h"
#include "sched/base/memory.h"
#include "sched/image/image_beats.h"
#include "sched/image/image_forms.h"
#include "sched/image/image_held.h"
#include "sched/image/image_rams.h"
#include "sched/image/image_routers.h"
#include "sched/machine/machine_network.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024
#define WORDS_A_LINE 8
#define LINE_SIZE IMAGE_ROUTERS_LINE
#define EXPECTED_MACHINE                                                     \
    "expected '// machine NETWORK width=W packets=K flits=F rows=R', and ' " \
    "settings=full|indexed|tags "                                            \
    "tables=T "                                                              \
    "programs=stored|computed beats=P' if it has beats, with powers of two"

bool image_reserve(struct image *image, uint64_t words, struct err *err)
{
    size_t most = memory_most(sizeof *image->word);
    bool fits = words <= most && image->count <= most - words;
    struct image_word *grown =
        fits ? realloc(image->word, (image->count + words + 1) * sizeof *grown) : NULL;
    if (grown == NULL)
        return err_set(err, ERR_TOO_BIG,
                       "image: %zu + %" PRIu64
                       " words do not fit in memory; expected at most %zu on this "
                       "machine, as of fewer rows",
                       image->count, words, most);
    image->word = grown;
    image->room = image->count + words + 1;
    return true;
}

bool image_append(struct image *image, uint32_t address, uint32_t word, struct err *err)
{
    if (image->count == image->room) {
        size_t room = image->room ? 2 * image->room : FIRST_ROOM;
        struct image_word *grown = realloc(image->word, room * sizeof *grown);
        if (grown == NULL)
            return err_no_memory(err, "%zu words", room);
        image->word = grown;
        image->room = room;
    }
    image->word[image->count++] = (struct image_word){address, word};
    return true;
}

void image_free(struct image *image)
{
    free(image->word);
    *image = (struct image){0};
}

/* The lines of the header below the version, as they are written and no other way. */
static void machine_line(const struct machine *machine, char line[LINE_SIZE])
{
    char network[MACHINE_NETWORK_TEXT], beats[IMAGE_BEATS_TEXT];
    snprintf(line, LINE_SIZE, "// machine %s width=%u packets=%u flits=%u rows=%u%s\n",
             machine_network_text(machine, network), machine->width, 1u << machine->log2_packets,
             1u << machine->log2_flits, 1u << machine->log2_rows,
             image_beats_of_machine(machine, beats));
}

static void run_line(const struct machine *machine, const struct run *run, char line[LINE_SIZE])
{
    char beats[IMAGE_BEATS_TEXT];
    snprintf(line, LINE_SIZE,
             "// run rows=%" PRIu32 " flits=%" PRIu32 " row-cycles=%" PRIu32 "%s\n", run->rows,
             run->flits, run->row_cycles, image_beats_of_run(machine, run, beats));
}

static const char first_line[] = "// roundcast-image 1";

const struct image_form_row image_form_rows[IMAGE_FORMS] = {
#define FORM_ROW(name, text, file) {text, file},
    IMAGE_FORMS_TABLE(FORM_ROW)
#undef FORM_ROW
};

/* What stands behind the version. */
static const char *form_text(enum image_form form, const char **space)
{
    *space = form == IMAGE_HEX ? "" : " ";
    return form == IMAGE_HEX ? "" : image_form_rows[form].text;
}

static void write_header(FILE *to, const struct image *image, enum image_form form)
{
    char line[LINE_SIZE];
    const char *space, *text = form_text(form, &space);
    fprintf(to, "%s%s%s\n", first_line, space, text);
    machine_line(&image->machine, line);
    fputs(line, to);
    run_line(&image->machine, &image->run, line);
    fputs(line, to);
    if (machine_hops(&image->machine)) {
        image_routers_line(image, line);
        fputs(line, to);
    }
}

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

#define REGISTERS 16

/* What a reset makes of the machine's registers. */
static uint32_t register_word(const struct image *image, uint32_t which)
{
    uint32_t word;
    return machine_run_word(&image->machine, &image->run, which, &word) ? word : 0;
}

static void write_registers(FILE *to, const struct image *image)
{
    for (uint32_t which = 0; which < REGISTERS; which++)
        fprintf(to, "%08" PRIx32 "\n", register_word(image, which));
}

bool image_write(FILE *to, const char *name, const struct image *image, enum image_form form,
                 struct err *err)
{
    const struct image_pairs *pairs = image_pairs_of(form);
    write_header(to, image, form);
    if (pairs != NULL)
        image_pairs_write(to, pairs, image);
    else if (form == IMAGE_MEM)
        write_registers(to, image);
    else
        write_hex(to, image);
    fprintf(to, "// end %zu\n", form == IMAGE_MEM ? REGISTERS : image->count);
    if (ferror(to))
        return files_refuse_output(name, errno, err);
    return true;
}

/* The lines of the header are strict: what was understood is written again and compared. */
static bool read_machine_line(FILE *from, const char *name, struct machine *machine,
                              struct err *err)
{
    char line[LINE_SIZE], again[LINE_SIZE], network[MACHINE_NETWORK_TEXT];
    unsigned packets, flits, rows;
    int end = 0;
    if (fgets(line, sizeof line, from) == NULL ||
        sscanf(line, "// machine %63s width=%u packets=%u flits=%u rows=%u%n", network,
               &machine->width, &packets, &flits, &rows, &end) != 5)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    machine->log2_packets = machine_log2(packets);
    machine->log2_flits = machine_log2(flits);
    machine->log2_rows = machine_log2(rows);
    if (!machine->log2_packets || !machine->log2_flits || !machine->log2_rows)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    image_beats_read_machine(line + end, machine);
    struct err inner;
    if (!machine_parse_network(network, machine, &inner))
        return err_at(err, &inner, "%.150s:2", name);
    machine_line(machine, again);
    if (strcmp(line, again) != 0)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    return machine_hops(machine) || machine_check(machine, &inner) ||
           err_at(err, &inner, "%.150s:2", name);
}

static bool read_run_line(FILE *from, const char *name, const struct machine *machine,
                          struct run *run, struct err *err)
{
    char line[LINE_SIZE], again[LINE_SIZE];
    int end = 0;
    bool read = fgets(line, sizeof line, from) != NULL &&
                sscanf(line, "// run rows=%" SCNu32 " flits=%" SCNu32 " row-cycles=%" SCNu32 "%n",
                       &run->rows, &run->flits, &run->row_cycles, &end) == 3;
    if (read)
        image_beats_read_run(line + end, run);
    run_line(machine, run, again);
    return (read && strcmp(line, again) == 0) ||
           err_set(
               err, ERR_SYNTAX,
               "%.200s:3: not a run; expected '// run rows=R flits=F row-cycles=C', and ' period=P "
               "first=X packets=M' with "
               "beats",
               name);
}

/* What another editor or system has made of it has a name. */
static const char *first_line_wrong(const char *line)
{
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
        return "a byte order mark (BOM) before the text";
    return strchr(line, '\r') != NULL ? "a carriage return (CRLF, as Windows ends lines)"
                                      : "not an image of this version";
}

/* The form that the first line names. */
static bool find_form(const char *line, enum image_form *found)
{
    for (enum image_form form = 0; form < IMAGE_FORMS; form++) {
        char good[LINE_SIZE];
        const char *space, *text = form_text(form, &space);
        snprintf(good, sizeof good, "%s%s%s\n", first_line, space, text);
        *found = form;
        if (strcmp(line, good) == 0)
            return true;
    }
    return false;
}

static bool read_header(FILE *from, const char *name, struct image *image, enum image_form *form,
                        struct err *err)
{
    char line[LINE_SIZE] = "";
    if (fgets(line, sizeof line, from) == NULL || !find_form(line, form))
        return err_set(err, ERR_VERSION,
                       "%.200s:1: %s; expected '%s', and ' writes', ' c' or ' mem' in those forms",
                       name, first_line_wrong(line), first_line);
    return read_machine_line(from, name, &image->machine, err) &&
           read_run_line(from, name, &image->machine, &image->run, err) &&
           (!machine_hops(&image->machine) || image_routers_read(from, name, image, err)) &&
           machine_check_run(&image->machine, &image->run, name, err);
}

struct reader {
    FILE *from;
    const char *name;
    unsigned long line;
    uint32_t address;
    uint32_t registers; /* a bit for each that a word was for */
    struct image *image;
    struct image_pairs_reader pairs; /* of a form that has them */
};

/* The machine's registers must say the same of the run as the header does. */
static bool check_register(struct reader *reader, uint32_t word, struct err *err)
{
    uint32_t which = reader->address, expected;
    if (!machine_run_word(&reader->image->machine, &reader->image->run, which, &expected))
        return true; /* another memory's */
    reader->registers |= UINT32_C(1) << which;
    return word == expected || err_set(err, ERR_IMAGE,
                                       "%.200s:%lu: register %" PRIu32 " gets %08" PRIx32
                                       "; expected %08" PRIx32 ", which the header says",
                                       reader->name, reader->line, which, word, expected);
}

/* A register without a word would keep what an earlier image has put there. */
static bool check_registers(const struct reader *reader, struct err *err)
{
    uint32_t expected;
    for (uint32_t which = 0; which <= MACHINE_RUN_PACKETS; which++)
        if (!(reader->registers >> which & 1) &&
            machine_run_word(&reader->image->machine, &reader->image->run, which, &expected))
            return err_set(err, ERR_IMAGE,
                           "%.200s:%lu: no word for register %" PRIu32 "; expected %08" PRIx32
                           ", which the header says",
                           reader->name, reader->line, which, expected);
    return true;
}

/* The word at the address that the reader has come to. */
static bool take_word(struct reader *reader, uint32_t word, struct err *err)
{
    if (!machine_has_address(&reader->image->machine, reader->address))
        return err_set(err, ERR_IMAGE,
                       "%.200s:%lu: address %08" PRIx32 "; expected one that the machine has",
                       reader->name, reader->line, reader->address);
    return check_register(reader, word, err) &&
           image_append(reader->image, reader->address, word, err);
}

/* A word of 8 hexadecimal digits, or `@` and an address of 8. */
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

/* A line of a form that has pairs. */
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

/* The words of a line, up to a comment. */
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

/* After `// end COUNT`: the right number, all registers, and nothing more. */
static bool read_end(const struct reader *reader, size_t count, struct err *err)
{
    if (count != reader->image->count)
        return err_set(err, ERR_CUT, "%.200s:%lu: %zu words before the end; expected %zu",
                       reader->name, reader->line, reader->image->count, count);
    if (reader->pairs.pairs != NULL && !image_pairs_done(&reader->pairs))
        return err_set(err, ERR_CUT, "%.200s:%lu: no line behind the last pair; expected one",
                       reader->name, reader->line);
    if (!check_registers(reader, err))
        return false;
    if (fgetc(reader->from) != EOF)
        return err_set(err, ERR_SYNTAX, "%.200s:%lu: something after the end; expected nothing",
                       reader->name, reader->line + 1);
    return true;
}

/* All lines up to `// end COUNT`, which tells a whole file from one that was cut. */
static bool read_words(struct reader *reader, struct err *err)
{
    char line[LINE_SIZE];
    size_t count;
    while (fgets(line, sizeof line, reader->from) != NULL) {
        reader->line++;
        if (strchr(line, '\n') == NULL)
            return err_set(err, ERR_CUT,
                           "%.200s:%lu: a line that is cut or too long; expected at most %d bytes",
                           reader->name, reader->line, LINE_SIZE - 2);
        if (sscanf(line, "// end %zu", &count) == 1)
            return read_end(reader, count, err);
        if (!(reader->pairs.pairs != NULL ? read_pair(reader, line, err)
                                          : read_line(reader, line, err)))
            return false;
    }
    return err_set(err, ERR_CUT,
                   "%.200s:%lu: the image ends after %zu words; expected '// end' and their number",
                   reader->name, reader->line + 1, reader->image->count);
}

/* The registers say what the header does and nothing else; they become words, too. */
static bool read_registers(struct reader *reader, struct err *err)
{
    char line[LINE_SIZE], good[LINE_SIZE] = "";
    struct image *image = reader->image;
    for (uint32_t which = 0; which <= REGISTERS; which++) {
        uint32_t word = register_word(image, which);
        if (which < REGISTERS)
            snprintf(good, sizeof good, "%08" PRIx32 "\n", word);
        else
            snprintf(good, sizeof good, "// end %d\n", REGISTERS);
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

/* What stands behind the header. */
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
    bool read = read_header(from, name, image, &form, err);
    reader.pairs = image_pairs_begin(form);
    reader.line = 3 + machine_hops(&image->machine);
    if (read && read_form(&reader, form, err) && image_held_check(image, name, err))
        return true;
    int error = errno;
    image_free(image);
    if (ferror(from))
        err_set(err, ERR_READ, "%.200s: %s; expected a readable file", name, strerror(error));
    return false;
}
