/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/lines.h"

#include "sched/base/memory.h"
#include "sched/base/scan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct reader {
    struct scan *scan;
    char *text; /* the words of the line, each terminated by 0 */
    size_t size, room;
    size_t words;
};

static bool put(struct reader *reader, int byte, struct err *err)
{
    char *more = memory_grow(reader->text, reader->size + 1, &reader->room, sizeof *more);
    if (more == NULL)
        return err_no_memory(err, "a line");
    reader->text = more;
    reader->text[reader->size++] = (char)byte;
    return true;
}

/* Appends the next byte literally. */
static bool put_next(struct reader *reader, struct err *err)
{
    int byte = scan_peek(reader->scan);
    if (scan_at_mark(reader->scan) || (byte != '\t' && (byte < ' ' || byte == 0x7f)))
        return scan_unexpected(reader->scan, "words, and the line's end", err);
    reader->scan->at++;
    return put(reader, byte, err);
}

/* Reads a \ and the next byte. Drops the \ if the byte is in `escaped`, or always if that is
 * NULL. */
static bool read_escaped(struct reader *reader, const char *escaped, struct err *err)
{
    reader->scan->at++;
    int byte = scan_peek(reader->scan);
    bool loses = escaped == NULL || (byte > 0 && strchr(escaped, byte) != NULL);
    return (loses || put(reader, '\\', err)) && put_next(reader, err);
}

static bool read_quoted(struct reader *reader, int quote, struct err *err)
{
    struct scan *scan = reader->scan;
    scan->at++;
    while (scan_peek(scan) != quote) {
        if (scan_peek(scan) == '\n')
            return scan_error(scan, err, ERR_SYNTAX,
                              "a quote %c without its end; expected it on the same line", quote);
        bool escapes = quote == '"' && scan_peek(scan) == '\\';
        if (!(escapes ? read_escaped(reader, "\"\\$`", err) : put_next(reader, err)))
            return false;
    }
    scan->at++;
    return true;
}

static bool is_end(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

/* Reads the word that begins with the next byte. */
static bool read_word(struct reader *reader, struct err *err)
{
    bool read = true;
    for (int byte; read && !is_end(byte = scan_peek(reader->scan));)
        read = byte == '\'' || byte == '"' ? read_quoted(reader, byte, err)
               : byte == '\\'              ? read_escaped(reader, NULL, err)
                                           : put_next(reader, err);
    reader->words++;
    return read && put(reader, '\0', err);
}

/* Reads the remaining words of a line, and its end. */
static bool read_words(struct reader *reader, struct err *err)
{
    struct scan *scan = reader->scan;
    reader->size = reader->words = 0;
    for (;;) {
        scan_blanks(scan);
        if (scan_peek(scan) == '\n' || scan_peek(scan) == '#')
            return scan_line_end(scan, err);
        if (!read_word(reader, err))
            return false;
    }
}

/* Stores the words in one block of memory: the pointers, then the text. */
static bool keep(const struct reader *reader, uint64_t number, struct lines *lines, struct err *err)
{
    struct lines_line *more =
        memory_grow(lines->line, lines->count + 1, &lines->room, sizeof *more);
    if (more == NULL)
        return err_no_memory(err, "the lines of a file");
    lines->line = more;
    size_t pointers = (reader->words + 1) * sizeof(char *);
    char **word = malloc(pointers + reader->size);
    if (word == NULL)
        return err_no_memory(err, "a line");
    char *text = memcpy((char *)word + pointers, reader->text, reader->size);
    for (size_t which = 0; which < reader->words; which++) {
        word[which] = text;
        text += strlen(text) + 1;
    }
    word[reader->words] = NULL;
    lines->line[lines->count++] = (struct lines_line){number, reader->words, word};
    return true;
}

static bool read_all(struct reader *reader, struct lines *lines, struct err *err)
{
    struct scan *scan = reader->scan;
    while (scan_next_line(scan)) {
        uint64_t number = scan->line;
        if (!read_words(reader, err) || !keep(reader, number, lines, err))
            return false;
    }
    if (ferror(scan->from))
        return scan_unexpected(scan, "a line", err);
    return lines->count > 0 ||
           scan_error(scan, err, ERR_CUT, "no line has a word; expected one or more");
}

bool lines_read(FILE *from, const char *name, struct lines *lines, struct err *err)
{
    struct reader reader = {.scan = scan_new(from, name, err)};
    bool read = reader.scan != NULL && read_all(&reader, lines, err);
    scan_free(reader.scan);
    free(reader.text);
    return read;
}

void lines_free(struct lines *lines)
{
    for (size_t which = 0; which < lines->count; which++)
        free(lines->line[which].word);
    free(lines->line);
    *lines = (struct lines){0};
}

/* -- Words and command lines of a shell -------------------------------------------------------- */

void shell_quote(FILE *to, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-_=+,./:@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    putc('\'', to);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            putc(*word, to);
    putc('\'', to);
}

bool shell_has(const char *program, const char *package, struct err *err)
{
    const char *path = getenv("PATH");
    for (const char *at = path != NULL ? path : ""; *at != '\0';) {
        size_t length = strcspn(at, ":");
        char name[4096];
        snprintf(name, sizeof name, "%.*s/%s", (int)length, at, program);
        if (length > 0 && access(name, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return err_set(err, ERR_TOOL, "%s is not on PATH; expected it, of the package %s", program,
                   package);
}

int shell_run(const char *line, char *printed, size_t size)
{
    FILE *from = popen(line, "re");
    if (from == NULL)
        return -1;
    size_t used = fread(printed, 1, size - 1, from);
    printed[used] = '\0';
    while (fgetc(from) != EOF)
        ;
    int status = pclose(from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
