/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view.h"

#include "sched/base/json_text.h"
#include "sched/base/text.h"
#include "view/data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The report follows this tag on the same line. */
#define REPORT_TAG "<script type=\"application/json\" id=\"report\">"

/* The marks in a template that are replaced by parts of the page. */
#define MARK_STYLE "/* style */"
#define MARK_SCRIPT "/* script */"
#define MARK_DATA "<!-- data -->"

/* -- The files of pages ------------------------------------------------------------------------ */

/* The files of pages, linked into the program as null-terminated strings. */

extern const char template_page[], template_index[], template_style[];

/* The scripts of a page, concatenated. */
extern const char template_script[];

/* The assembler reads the files relative to the root of the sources. The Makefile lists them as
 * dependencies of this file. */
#define FILE_OF(path) ".incbin \"view/" path "\"\n"
#define TEXT(symbol, files)                                                               \
    __asm__(".section .rodata\n.global " #symbol "\n.type " #symbol ", @object\n" #symbol \
            ":\n" files ".byte 0\n.size " #symbol ", . - " #symbol "\n.previous\n");

TEXT(template_page, FILE_OF("page.html"))
TEXT(template_index, FILE_OF("index.html"))
TEXT(template_style, FILE_OF("page.css"))
TEXT(template_script,
     FILE_OF("data.js") FILE_OF("moment.js") FILE_OF("paint.js") FILE_OF("verdict.js")
         FILE_OF("lens.js") FILE_OF("multistage.js") FILE_OF("tree.js") FILE_OF("cube.js")
             FILE_OF("complete.js") FILE_OF("network.js") FILE_OF("views.js") FILE_OF("spread.js")
                 FILE_OF("timeline.js") FILE_OF("node.js") FILE_OF("page.js"))

/* Writes JSON with `<` escaped, because `<` could begin a tag of the page, even inside a string. */
static void write_escaped(const char *bytes, size_t count, FILE *to)
{
    for (size_t k = 0; k < count; k++)
        if (bytes[k] == '<')
            fputs("\\u003c", to);
        else
            fputc(bytes[k], to);
}

static bool write_report(FILE *to, json_t *report, struct err *err)
{
    size_t size;
    char *text = json_text(report, JSON_ENSURE_ASCII | JSON_COMPACT, &size);
    if (text == NULL)
        return err_no_memory(err, "the report of a page");
    fputs(REPORT_TAG, to);
    write_escaped(text, size, to);
    free(text);
    fputs("</script>\n", to);
    return true;
}

static bool write_data(FILE *to, const struct view_page *page, struct err *err)
{
    if (!write_report(to, page->report, err))
        return false;
    fputs("<script type=\"application/json\" id=\"data\">{\"schedule\":", to);
    data_schedule(to, page->schedule);
    fputs(",\n\"clock\":", to);
    if (page->image == NULL)
        fputs("null", to);
    else if (!data_clock(to, page->schedule, page->image, err))
        return false;
    fputs(",\n\"network\":", to);
    if (page->image == NULL || machine_hops(&page->image->machine))
        fputs("null", to);
    else if (!data_network(to, page->image, err))
        return false;
    fputs("}</script>\n", to);
    return true;
}

/* Writes a template up to a mark, which it contains, and returns the text after it. */
static const char *write_until(FILE *to, const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    fwrite(text, 1, (size_t)(at - text), to);
    return at + strlen(mark);
}

static bool check_written(FILE *to, const char *name, struct err *err)
{
    return !ferror(to) || err_set(err, ERR_WRITE, "%.200s: %s; expected a file that can be written",
                                  name, strerror(errno));
}

static bool check_size(const struct view_page *page, struct err *err)
{
    const struct schedule *schedule = page->schedule;
    if (schedule->topology.any)
        return err_set(err, ERR_UNSUPPORTED,
                       "page: it draws trees of equal levels; expected no list of parents");
    uint64_t words = page->image != NULL ? data_setting_words(page->image) : 0;
    if (schedule->transfer_count > VIEW_MAX_TRANSFERS)
        return err_set(err, ERR_TOO_BIG, "page: %zu transfer%s; expected at most %" PRIu32,
                       schedule->transfer_count, text_s(schedule->transfer_count),
                       VIEW_MAX_TRANSFERS);
    if (words > VIEW_MAX_SETTING_WORDS)
        return err_set(err, ERR_TOO_BIG,
                       "page: %" PRIu64 " word%s of settings; expected at most %" PRIu32, words,
                       text_s(words), VIEW_MAX_SETTING_WORDS);
    return schedule->end <= VIEW_MAX_TIME ||
           err_set(err, ERR_RANGE,
                   "page: the last round or tick is %" PRIu64 "; expected at most %" PRIu64,
                   schedule->end, VIEW_MAX_TIME);
}

bool view_write(FILE *to, const char *name, const struct view_page *page, struct err *err)
{
    if (!check_size(page, err))
        return false;
    const char *rest = write_until(to, template_page, MARK_STYLE);
    fputs(template_style, to);
    rest = write_until(to, rest, MARK_DATA);
    if (!write_data(to, page, err))
        return false;
    rest = write_until(to, rest, MARK_SCRIPT);
    fputs(template_script, to);
    fputs(rest, to);
    return check_written(to, name, err);
}

bool view_write_index(FILE *to, const char *name, json_t *reports, struct err *err)
{
    const char *rest = write_until(to, template_index, MARK_STYLE);
    fputs(template_style, to);
    rest = write_until(to, rest, MARK_DATA);
    if (!write_report(to, reports, err))
        return false;
    fputs(rest, to);
    return check_written(to, name, err);
}

json_t *view_read_report(FILE *from, const char *name, struct err *err)
{
    char *line = NULL;
    size_t room = 0;
    json_t *report = NULL;
    errno = 0;
    while (report == NULL && errno != ENOMEM && getline(&line, &room, from) > 0) {
        const char *tag = strstr(line, REPORT_TAG);
        if (tag != NULL) /* the error of the parser may be about a part of the file after the
                          * report */
            report = json_loads(tag + strlen(REPORT_TAG), JSON_DISABLE_EOF_CHECK, NULL);
    }
    free(line);
    if (ferror(from))
        err_set(err, ERR_READ, "%.200s: %s; expected a file that can be read", name,
                strerror(errno));
    else if (report == NULL && !feof(from)) /* one that ends otherwise had no memory */
        err_no_memory(err, "the report of %.200s", name);
    else if (!json_is_object(report))
        err_set(err, ERR_SYNTAX, "%.200s: no report; expected a page that roundcast view wrote",
                name);
    if (json_is_object(report) && !ferror(from))
        return report;
    json_decref(report);
    return NULL;
}
