/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include "cli/text.h"
#include "lib/roundcast/exchange.h"
#include "lib/roundcast/field.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SUFFIXES 3

static const struct output_row {
    const char *what;
    const char *suffix[SUFFIXES]; /* the default one first */
    bool text;                    /* .txt is also valid */
    bool off_terminal;            /* a terminal cannot show it */
    const char *written_by;       /* the command that writes this kind; NULL: several commands do */
} rows[OUTPUT_KINDS] = {
    [OUTPUT_SCHEDULE] =
        {"a schedule", {"sched"}, true, false, "'roundcast schedule' writes schedules"},
    [OUTPUT_PAGE] =
        {"a page of HTML", {"html", "htm"}, false, true, "'roundcast view' writes pages"},
    [OUTPUT_DATABASE] = {"a database of SQLite",
                         {"sqlite", "sqlite3", "db"},
                         false,
                         true,
                         "'roundcast sweep STUDY' writes databases"},
    [OUTPUT_CSV] = {"a table of comma-separated values",
                    {"csv"},
                    true,
                    false,
                    "'roundcast sweep --csv F.sqlite' writes CSV"},
    [OUTPUT_COMMANDS] = {"a list of commands", {"batch"}, true, false, NULL},
    [OUTPUT_DOT] = {"a drawing in DOT", {"dot", "gv"}, true, false, "'roundcast draw' writes DOT"},
    [OUTPUT_SVG] = {"a picture in SVG",
                    {"svg"},
                    false,
                    false,
                    "'roundcast draw' and 'roundcast plot' write SVG"},
    [OUTPUT_PNG] = {"a picture in PNG",
                    {"png"},
                    false,
                    true,
                    "'roundcast draw' and 'roundcast plot' write PNG"},
    [OUTPUT_PDF] = {"a picture in PDF",
                    {"pdf"},
                    false,
                    true,
                    "'roundcast plot' writes PDF, and 'dot -Tpdf F.dot' makes it from a drawing"},
    [OUTPUT_GOAL] =
        {"a schedule in GOAL", {"goal"}, true, false, "'roundcast export' writes other formats"},
    [OUTPUT_C] = {"a source file of C", {"c"}, true, false, "'roundcast export --mpi-c' writes C"},
    [OUTPUT_XML] =
        {"a file of XML", {"xml"}, true, false, "'roundcast export --to msccl' writes XML"},
    [OUTPUT_JSON] =
        {"a file of JSON", {"json"}, true, false, "'roundcast export --to sccl' writes JSON"},
    [OUTPUT_SLICES] = {"a list of time slices",
                       {"slices"},
                       true,
                       false,
                       "'roundcast export' writes other formats"},
    [OUTPUT_FOLDER] = {"a folder", {NULL}, false, false, NULL}};

/* Suffixes of formats that no command writes, or writes only as several files. */
static const char *const foreign[] = {"jpg", "jpeg", "gif", "webp", "eps", "ps",  "tex", "md",
                                      "gz",  "xz",   "zip", "tar",  "fst", "vcd", "hex", "mem",
                                      "bin", "h",    "py",  "v",    "sv",  "xlsx"};

/* Returns the suffix of a name, without its dot; NULL if it has none. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name && dot[1] != '\0' ? dot + 1 : NULL;
}

static enum output_kind kind_of_suffix(const char *suffix)
{
    for (unsigned kind = 0; suffix != NULL && kind < OUTPUT_KINDS; kind++)
        for (size_t k = 0; k < SUFFIXES && rows[kind].suffix[k] != NULL; k++)
            if (strcasecmp(suffix, rows[kind].suffix[k]) == 0)
                return (enum output_kind)kind;
    return OUTPUT_KINDS;
}

enum output_kind output_kind_of(const char *path)
{
    return kind_of_suffix(suffix_of(path));
}

enum output_kind output_kind_of_format(const char *format)
{
    struct roundcast_format row;
    for (unsigned index = 0; roundcast_format_at(index, &row); index++)
        if (strcmp(format, row.name) == 0)
            return kind_of_suffix(row.suffix);
    return OUTPUT_KINDS;
}

static bool is_foreign(const char *suffix)
{
    bool found = false;
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        found = found || strcasecmp(suffix, foreign[k]) == 0;
    return found;
}

/* Returns whether a file of this kind may have the suffix. An unknown suffix is accepted. */
static bool may_have(const char *suffix, enum output_kind kind)
{
    enum output_kind other = kind_of_suffix(suffix);
    if (other != OUTPUT_KINDS)
        return other == kind;
    if (strcasecmp(suffix, "txt") == 0)
        return rows[kind].text;
    return !is_foreign(suffix);
}

static bool refuse_suffix(const char *field, const char *path, const char *suffix,
                          enum output_kind kind, struct roundcast_error *err)
{
    char names[SUFFIXES][12], expected[60];
    const char *item[SUFFIXES + 1];
    size_t count = 0;
    enum output_kind other = kind_of_suffix(suffix);
    const char *hint = other != OUTPUT_KINDS ? rows[other].written_by : NULL;
    for (; count < SUFFIXES && rows[kind].suffix[count] != NULL; count++) {
        snprintf(names[count], sizeof names[count], ".%s", rows[kind].suffix[count]);
        item[count] = names[count];
    }
    item[count++] = "no suffix";
    return roundcast_error_field(
        err, ROUNDCAST_E_OPTION, field,
        ": %.60s ends in .%.10s, but %s is written; expected %s%s%s", path, suffix, rows[kind].what,
        roundcast_text_list(item, count, " or ", expected, sizeof expected),
        hint != NULL ? "; " : "", hint != NULL ? hint : "");
}

bool output_check(const char *field, const char *path, enum output_kind kind,
                  struct roundcast_error *err)
{
    const char *suffix = suffix_of(path);
    if (kind == OUTPUT_KINDS)
        return true;
    if (strcmp(path, "-") == 0)
        return !rows[kind].off_terminal || !isatty(STDOUT_FILENO) ||
               roundcast_error_field(err, ROUNDCAST_E_OPTION, field,
                                     ": %s does not go to a terminal; expected F.%s, or a pipe",
                                     rows[kind].what, rows[kind].suffix[0]);
    return suffix == NULL || may_have(suffix, kind) ||
           refuse_suffix(field, path, suffix, kind, err);
}
