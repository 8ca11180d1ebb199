/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/study.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static void step(struct words *words)
{
    words->scan->at++;
    words->next++;
}

/* Skips blanks and a comment. */
static void pass_over(struct words *words)
{
    while (scan_peek(words->scan) == ' ' || scan_peek(words->scan) == '\t')
        step(words);
    if (scan_peek(words->scan) == '#')
        while (scan_peek(words->scan) != '\n' && scan_peek(words->scan) != EOF)
            step(words);
}

static bool is_end(struct words *words)
{
    return scan_peek(words->scan) == '\n' || scan_peek(words->scan) == EOF;
}

bool words_line(struct words *words, struct err *err)
{
    words->next = 1;
    for (;;) {
        pass_over(words);
        if (!is_end(words))
            return words_next(words, err);
        words->column = words->next;
        if (scan_peek(words->scan) == EOF)
            return ferror(words->scan->from) && scan_unexpected(words->scan, "a line", err);
        words->scan->at++;
        words->scan->line++;
        words->next = 1;
    }
}

/* Returns whether a word may contain the character. File names may contain any characters except
 * blanks and #. */
static bool is_part(int byte, const struct words *words)
{
    return byte > ' ' && byte != '#' && byte != 0x7f && !scan_at_mark(words->scan);
}

static bool reject_length(const struct words *words, struct err *err)
{
    return words_error(words, err, ERR_FIELD_RANGE, "a word is too long; expected at most %d bytes",
                       WORDS_ROOM - 1);
}

bool words_next(struct words *words, struct err *err)
{
    pass_over(words);
    words->column = words->next;
    if (scan_peek(words->scan) == '\n')
        return false;
    size_t length = 0;
    for (; is_part(scan_peek(words->scan), words) && length < WORDS_ROOM; step(words))
        words->word[length++] = (char)scan_peek(words->scan);
    if (length == WORDS_ROOM)
        return reject_length(words, err);
    words->word[length] = '\0';
    int byte = scan_peek(words->scan);
    bool ends = byte == ' ' || byte == '\t' || byte == '\n' || byte == '#';
    return (length > 0 && ends) || scan_unexpected(words->scan, "words, and the line's end", err);
}

bool words_rest(struct words *words, struct err *err)
{
    size_t length = strlen(words->word);
    for (int byte; byte = scan_peek(words->scan),
                   (byte == ' ' || byte == '\t' || is_part(byte, words)) && length < WORDS_ROOM;
         step(words))
        words->word[length++] = (char)byte;
    if (length == WORDS_ROOM)
        return reject_length(words, err);
    while (words->word[length - 1] == ' ' || words->word[length - 1] == '\t')
        length--;
    words->word[length] = '\0';
    int byte = scan_peek(words->scan);
    return byte == '\n' || byte == '#' ||
           scan_unexpected(words->scan, "words, and the line's end", err);
}

bool words_error(const struct words *words, struct err *err, enum err_code code, const char *format,
                 ...)
{
    struct err inner;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&inner, code, format, arguments);
    va_end(arguments);
    return words_error_at(words, &inner, err);
}

bool words_error_at(const struct words *words, const struct err *inner, struct err *err)
{
    return err_at(err, inner, "%.120s:%" PRIu64 ":%" PRIu64, words->scan->name, words->scan->line,
                  words->column);
}
