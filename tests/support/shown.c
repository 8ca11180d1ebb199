/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/shown.h"

#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- A trace, as the reader sees it ------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct shown_signal *)a)->name, ((const struct shown_signal *)b)->name);
}

static void add_signal(struct shown_trace *trace, const char *scope, const struct fstHier *hier)
{
    trace->signals = realloc(trace->signals, (trace->count + 1) * sizeof *trace->signals);
    assert_non_null(trace->signals);
    struct shown_signal *signal = &trace->signals[trace->count++];
    *signal = (struct shown_signal){.width = hier->u.var.length, .handle = hier->u.var.handle};
    snprintf(signal->name, sizeof signal->name, "%s.%s", scope, hier->u.var.name);
    char *range = strchr(signal->name, ' ');
    if (range != NULL && signal->width == 1)
        *range = '\0';
    else if (range != NULL)
        memmove(range, range + 1, strlen(range));
}

struct shown_trace shown_open_trace(const char *path)
{
    struct shown_trace trace = {.reader = fstReaderOpen(path)};
    assert_non_null(trace.reader);
    const char *scope = "";
    for (struct fstHier *hier; (hier = fstReaderIterateHier(trace.reader)) != NULL;)
        if (hier->htyp == FST_HT_SCOPE)
            scope = fstReaderPushScope(trace.reader, hier->u.scope.name, NULL);
        else if (hier->htyp == FST_HT_UPSCOPE)
            scope = fstReaderPopScope(trace.reader);
        else if (hier->htyp == FST_HT_VAR)
            add_signal(&trace, scope, hier);
    qsort(trace.signals, trace.count, sizeof *trace.signals, by_name);
    return trace;
}

void shown_close_trace(struct shown_trace *trace)
{
    fstReaderClose(trace->reader);
    free(trace->signals);
}

static const struct shown_signal *find_signal(const struct shown_trace *trace, const char *name)
{
    struct shown_signal key;
    snprintf(key.name, sizeof key.name, "%s", name);
    return bsearch(&key, trace->signals, trace->count, sizeof key, by_name);
}

/* -- A save file, as GTKWave reads it ---------------------------------------------------------- */

#define MAX_LINES 8192

static void read_head(struct shown *shown, const char *text)
{
    sscanf(text, "[timestart] %" SCNu64, &shown->from);
    sscanf(text, "[ruler] %" SCNu64 " %" SCNu64, &shown->ruler_origin, &shown->ruler_step);
    if (*text != '*')
        return;
    char *at = strchr(text, ' ');
    strtoll(at, &at, 10);
    for (unsigned marker = 0; marker < 26; marker++)
        shown->markers[marker] = (uint64_t)strtoll(at, &at, 10);
}

/* `+{label} name` or `#{label} bits` */
static void add_line(struct shown *shown, const char *group, const char *filter, const char *text)
{
    assert_true(shown->count < MAX_LINES);
    struct shown_line *line = &shown->line[shown->count++];
    const char *close = strchr(text, '}');
    assert_true((text[0] == '+' || text[0] == '#') && text[1] == '{' && close != NULL &&
                close[1] == ' ');
    snprintf(line->group, sizeof line->group, "%s", group);
    snprintf(line->label, sizeof line->label, "%.*s", (int)(close - text - 2), text + 2);
    snprintf(line->filter, sizeof line->filter, "%s", filter);
    line->signals = strdup(close + 2);
    /* Many bits are never one signal. */
    assert_true(text[0] == '#' || strchr(line->signals, ' ') == NULL);
}

/* A line that names a group or is a comment. */
static void name_group(struct shown *shown, unsigned flags, const char *name, char group[64])
{
    shown->comments += (flags & 0x1800000) == 0;
    if (flags & 0x800000)
        snprintf(group, 64, "%s", name);
    else if (flags & 0x1000000)
        group[0] = '\0';
}

struct shown shown_read(const char *path)
{
    struct shown shown = {.line = calloc(MAX_LINES, sizeof *shown.line)};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(shown.line);
    char *text = NULL, group[64] = "", filter[512] = "";
    size_t room = 0;
    unsigned flags = 0;
    while (getline(&text, &room, file) > 0) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] == '@') {
            flags = (unsigned)strtoul(text + 1, NULL, 16);
            filter[0] = '\0';
        } else if (text[0] == '^') {
            snprintf(filter, sizeof filter, "%s", strchr(text, ' ') + 1);
        } else if (text[0] == '-') {
            name_group(&shown, flags, text + 1, group);
        } else if (text[0] == '[' || text[0] == '*') {
            read_head(&shown, text);
        } else {
            assert_int_equal((flags & 0x2000) != 0, filter[0] == '/');
            add_line(&shown, group, filter, text);
        }
    }
    free(text);
    fclose(file);
    return shown;
}

void shown_free(struct shown *shown)
{
    for (size_t k = 0; k < shown->count; k++)
        free(shown->line[k].signals);
    free(shown->line);
}

const struct shown_line *shown_find_line(const struct shown *shown, const char *group,
                                         const char *label)
{
    for (size_t k = 0; k < shown->count; k++)
        if (strcmp(shown->line[k].group, group) == 0 && strcmp(shown->line[k].label, label) == 0)
            return &shown->line[k];
    fail_msg("no line '%s' in group '%s'", label, group);
    return NULL;
}

/* -- One with the other ------------------------------------------------------------------------ */

#define BITS_ROOM 1024 /* of the bits of a line, and a NUL */

/* Value of one part of a line at a time, as bits; false if the trace has no such signal or bit. */
static bool part_bits(const struct shown_trace *trace, const char *part, uint64_t ns, char *bits)
{
    const char *close = *part == '(' ? strchr(part, ')') : NULL;
    const struct shown_signal *signal = find_signal(trace, close ? close + 1 : part);
    unsigned long bit = close ? strtoul(part + 1, NULL, 10) : 0;
    if (signal == NULL || bit >= signal->width)
        return false;
    char *buffer = malloc(signal->width + 1);
    const char *value =
        fstReaderGetValueFromHandleAtTime(trace->reader, ns, signal->handle, buffer);
    if (value == NULL)
        bits[0] = '\0';
    else if (close)
        snprintf(bits, 2, "%c", value[bit]);
    else
        snprintf(bits, BITS_ROOM, "%s", value);
    free(buffer);
    return true;
}

unsigned shown_missing(const struct shown_trace *trace, const struct shown *shown, char wrong[256])
{
    unsigned missing = 0;
    for (size_t k = 0; k < shown->count; k++) {
        char *copy = strdup(shown->line[k].signals), *next = NULL, bits[BITS_ROOM];
        for (char *part = strtok_r(copy, " ", &next); part != NULL;
             part = strtok_r(NULL, " ", &next))
            if (!part_bits(trace, part, 0, bits)) {
                missing++;
                snprintf(wrong, 256, "%.255s", part);
            }
        free(copy);
    }
    return missing;
}

/* The text for a value in a filter, without its colour; the value itself if there is none. */
static void translate(const char *filter, char text[SHOWN_TEXT])
{
    FILE *file = fopen(filter, "r");
    assert_non_null(file);
    char value[SHOWN_TEXT], name[64];
    while (fscanf(file, "%159s %63[^\n]", value, name) == 2)
        if (strcmp(value, text) == 0) {
            const char *close = name[0] == '?' ? strchr(name + 1, '?') : NULL;
            snprintf(text, SHOWN_TEXT, "%s", close ? close + 1 : name);
            break;
        }
    fclose(file);
}

/* Writes bits, the highest first, as the digits of a hexadecimal number. */
static void hexadecimal(const char *bits, char text[SHOWN_TEXT])
{
    const size_t width = strlen(bits), digits = (width + 3) / 4;
    assert_true(digits < SHOWN_TEXT);
    unsigned value = 0;
    for (size_t k = 0; k < width; k++) {
        value = value << 1 | (bits[k] == '1');
        const size_t below = width - 1 - k;
        if (below % 4 == 0)
            text[digits - 1 - below / 4] = "0123456789ABCDEF"[value & 15];
    }
    text[digits] = '\0';
}

void shown_text(const struct shown_trace *trace, const struct shown_line *line, uint64_t ns,
                char text[SHOWN_TEXT])
{
    char *copy = strdup(line->signals), *next = NULL, all[BITS_ROOM] = "", bits[BITS_ROOM];
    for (char *part = strtok_r(copy, " ", &next); part != NULL; part = strtok_r(NULL, " ", &next)) {
        assert_true(part_bits(trace, part, ns, bits));
        assert_true(strlen(all) + strlen(bits) < sizeof all);
        strcat(all, bits);
    }
    free(copy);
    hexadecimal(all, text);
    if (line->filter[0] != '\0')
        translate(line->filter, text);
}

void shown_assert(const struct shown_trace *trace, const struct shown *shown, const char *group,
                  const char *label, uint64_t ns, const char *expected)
{
    char text[SHOWN_TEXT];
    shown_text(trace, shown_find_line(shown, group, label), ns, text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s, %s at %" PRIu64 " ns: '%s'; expected '%s'", group, label, ns, text, expected);
}

uint64_t shown_run_rises(const struct shown_trace *trace)
{
    char bits[BITS_ROOM];
    for (uint64_t ns = 0; ns <= fstReaderGetEndTime(trace->reader); ns += 10)
        if (part_bits(trace, "TOP.run_o", ns, bits) && strcmp(bits, "1") == 0)
            return ns;
    fail_msg("run never rises");
    return 0;
}
