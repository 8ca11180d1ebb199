/* shown: what GTKWave shows of a trace, worked out from the save file, its filters and the trace itself.
 * Include it after <cmocka.h>'s four headers.
 *
 * A .gtkw file is read as GTKWave reads it, the trace through GTKWave's own reader, and a value is what
 * the bits of a line are at a time, translated by the line's filter.
 */
#ifndef ROUNDCAST_SHOWN_H
#define ROUNDCAST_SHOWN_H

#include <fstapi.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* -- A trace, as the reader sees it ------------------------------------------------------------------ */

struct signal {
    char name[200]; /* TOP.machine.row[5:0]; a signal of one bit has no range */
    unsigned width;
    fstHandle handle;
};

struct trace {
    void *reader;
    struct signal *signals;
    size_t count;
};

static inline int by_name(const void *a, const void *b)
{
    return strcmp(((const struct signal *)a)->name, ((const struct signal *)b)->name);
}

static inline void add_signal(struct trace *trace, const char *scope, const struct fstHier *hier)
{
    trace->signals = realloc(trace->signals, (trace->count + 1) * sizeof *trace->signals);
    assert_non_null(trace->signals);
    struct signal *signal = &trace->signals[trace->count++];
    *signal = (struct signal){.width = hier->u.var.length, .handle = hier->u.var.handle};
    snprintf(signal->name, sizeof signal->name, "%s.%s", scope, hier->u.var.name);
    char *range = strchr(signal->name, ' ');
    if (range != NULL && signal->width == 1)
        *range = '\0';
    else if (range != NULL)
        memmove(range, range + 1, strlen(range));
}

static inline struct trace open_trace(const char *path)
{
    struct trace trace = {.reader = fstReaderOpen(path)};
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

static inline void close_trace(struct trace *trace)
{
    fstReaderClose(trace->reader);
    free(trace->signals);
}

static inline const struct signal *find_signal(const struct trace *trace, const char *name)
{
    struct signal key;
    snprintf(key.name, sizeof key.name, "%s", name);
    return bsearch(&key, trace->signals, trace->count, sizeof key, by_name);
}

/* -- A save file, as GTKWave reads it ------------------------------------------------------------------ */

struct line {
    char group[64]; /* the innermost: "sends", "node 3", "stage 2" */
    char label[64];
    char filter[512]; /* absolute path, or "" */
    char *signals;    /* `name` or `(bit)name (bit)name name …` */
};

#define MAX_LINES 8192

struct shown {
    struct line *line;
    size_t count;
    uint64_t from, ruler_origin, ruler_step, markers[26];
    unsigned comments; /* lines such as "nodes 0 ... 63 of 100" */
};

static inline void read_head(struct shown *shown, const char *text)
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
static inline void add_line(struct shown *shown, const char *group, const char *filter, const char *text)
{
    assert_true(shown->count < MAX_LINES);
    struct line *line = &shown->line[shown->count++];
    const char *close = strchr(text, '}');
    assert_true((text[0] == '+' || text[0] == '#') && text[1] == '{' && close != NULL && close[1] == ' ');
    snprintf(line->group, sizeof line->group, "%s", group);
    snprintf(line->label, sizeof line->label, "%.*s", (int)(close - text - 2), text + 2);
    snprintf(line->filter, sizeof line->filter, "%s", filter);
    line->signals = strdup(close + 2);
    /* Many bits are never one signal. */
    assert_true(text[0] == '#' || strchr(line->signals, ' ') == NULL);
}

/* A line that names a group or is a comment. */
static inline void name_group(struct shown *shown, unsigned flags, const char *name, char group[64])
{
    shown->comments += (flags & 0x1800000) == 0;
    if (flags & 0x800000)
        snprintf(group, 64, "%s", name);
    else if (flags & 0x1000000)
        group[0] = '\0';
}

static inline struct shown read_save(const char *path)
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

static inline void free_shown(struct shown *shown)
{
    for (size_t k = 0; k < shown->count; k++)
        free(shown->line[k].signals);
    free(shown->line);
}

static inline const struct line *find_line(const struct shown *shown, const char *group, const char *label)
{
    for (size_t k = 0; k < shown->count; k++)
        if (strcmp(shown->line[k].group, group) == 0 && strcmp(shown->line[k].label, label) == 0)
            return &shown->line[k];
    fail_msg("no line '%s' in group '%s'", label, group);
    return NULL;
}

/* -- One with the other -------------------------------------------------------------------------------- */

/* Value of one part of a line at a time, as bits; false if the trace has no such signal or bit. */
static inline bool part_bits(const struct trace *trace, const char *part, uint64_t ns, char *bits)
{
    const char *close = *part == '(' ? strchr(part, ')') : NULL;
    const struct signal *signal = find_signal(trace, close ? close + 1 : part);
    unsigned long bit = close ? strtoul(part + 1, NULL, 10) : 0;
    if (signal == NULL || bit >= signal->width)
        return false;
    char *buffer = malloc(signal->width + 1);
    const char *value = fstReaderGetValueFromHandleAtTime(trace->reader, ns, signal->handle, buffer);
    if (value == NULL)
        bits[0] = '\0';
    else if (close)
        snprintf(bits, 2, "%c", value[bit]);
    else
        snprintf(bits, 64, "%.63s", value);
    free(buffer);
    return true;
}

/* How many parts of all lines the trace does not have; the last of them in `wrong`. */
static inline unsigned count_missing(const struct trace *trace, const struct shown *shown, char wrong[256])
{
    unsigned missing = 0;
    for (size_t k = 0; k < shown->count; k++) {
        char *copy = strdup(shown->line[k].signals), *next = NULL, bits[64];
        for (char *part = strtok_r(copy, " ", &next); part != NULL; part = strtok_r(NULL, " ", &next))
            if (!part_bits(trace, part, 0, bits)) {
                missing++;
                snprintf(wrong, 256, "%.255s", part);
            }
        free(copy);
    }
    return missing;
}

/* What stands for a value in a filter, without its colour; the value itself if nothing does. */
static inline void translate(const char *filter, char text[128])
{
    FILE *file = fopen(filter, "r");
    assert_non_null(file);
    char value[64], name[64];
    while (fscanf(file, "%63s %63[^\n]", value, name) == 2)
        if (strcmp(value, text) == 0) {
            const char *close = name[0] == '?' ? strchr(name + 1, '?') : NULL;
            snprintf(text, 128, "%s", close ? close + 1 : name);
            break;
        }
    fclose(file);
}

/* What GTKWave shows on a line at a time. */
static inline void show(const struct trace *trace, const struct line *line, uint64_t ns, char text[128])
{
    char *copy = strdup(line->signals), *next = NULL, bits[64];
    uint64_t value = 0;
    unsigned width = 0;
    for (char *part = strtok_r(copy, " ", &next); part != NULL; part = strtok_r(NULL, " ", &next)) {
        assert_true(part_bits(trace, part, ns, bits));
        for (const char *bit = bits; *bit != '\0'; bit++, width++)
            value = value << 1 | (*bit == '1');
    }
    free(copy);
    snprintf(text, 128, "%0*" PRIX64, (int)(width + 3) / 4, value);
    if (line->filter[0] != '\0')
        translate(line->filter, text);
}

static inline void assert_shows(const struct trace *trace, const struct shown *shown, const char *group,
                                const char *label, uint64_t ns, const char *expected)
{
    char text[128];
    show(trace, find_line(shown, group, label), ns, text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s, %s at %" PRIu64 " ns: '%s'; expected '%s'", group, label, ns, text, expected);
}

/* When run rises, which is the second cycle of the first row. */
static inline uint64_t run_rises(const struct trace *trace)
{
    char bits[64];
    for (uint64_t ns = 0; ns <= fstReaderGetEndTime(trace->reader); ns += 10)
        if (part_bits(trace, "TOP.run_o", ns, bits) && strcmp(bits, "1") == 0)
            return ns;
    fail_msg("run never rises");
    return 0;
}

#endif
