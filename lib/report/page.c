/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run.h"

#include "lib/report/run_json.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/version.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "view/view.h"

#include <inttypes.h>
#include <string.h>

#define FACTS_TEXT (DESCRIBE_MACHINE_TEXT + 200)
#define TITLE_TEXT 500

/* Writes "send-receive: 12 rounds (bound 12); benes:32, …; a round is 13 cycles". */
static void facts_text(const struct schedule *schedule, const struct image *image,
                       char text[FACTS_TEXT])
{
    char end[DESCRIBE_END_TEXT], network[DESCRIBE_MACHINE_TEXT];
    snprintf(text, FACTS_TEXT, "%s: %s", model_name(schedule->model), describe_end(schedule, end));
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        text_append(text, FACTS_TEXT, " (bound %s)",
                    rational_text(bound, schedule->lambda.denominator, end));
    if (image == NULL)
        return;
    bool timed = model_has_times(schedule->model);
    uint32_t unit = timed ? image->run.flits : image->run.row_cycles;
    text_append(text, FACTS_TEXT, "; %s; a %s is %" PRIu32 " cycle%s",
                describe_machine(&image->machine, network), timed ? "unit of time" : "round", unit,
                text_s(unit));
    if (image->machine.reconfigures)
        text_append(text, FACTS_TEXT, ", a change of settings %" PRIu32, image->run.reconfigure);
}

/* Number of parts in which the index shows the activity; shorter schedules have one part per
 * step. */
#define ACTIVITY 48

static json_t *activity(const struct schedule *schedule)
{
    size_t steps = schedule->step_count, parts = MIN(steps, ACTIVITY);
    json_t *sent = json_array();
    for (size_t part = 0; part < parts; part++) {
        size_t first = part * steps / parts, last = (part + 1) * steps / parts - 1;
        size_t count = schedule_step_end(schedule, last) - schedule->step[first].first;
        report_json_append(&sent, json_integer((json_int_t)(count / (last - first + 1))));
    }
    return sent;
}

/* Adds the keys of the report of a run. Returns false without memory. */
static bool add_run(json_t *root, const struct run_report *run)
{
    json_t *keys = run_json(run);
    report_json_set(&keys, "packets_wanted",
                    json_integer((json_int_t)run->simulated.checks.wanted));
    return json_object_update_new(root, keys) == 0;
}

/* Returns the texts of the page: the verdict, the run and the facts. NULL if there is no memory. */
static json_t *page_report(const struct schedule *schedule, const struct image *image,
                           const struct run_report *run)
{
    struct verify_report verified;
    struct err breach = {0};
    bool legal = verify_schedule("schedule", schedule, &verified, &breach);
    if (breach.code == ERR_TOO_BIG) /* without memory it is not known whether the schedule is
                                     * legal */
        return NULL;
    char facts[FACTS_TEXT], title[TITLE_TEXT];
    facts_text(schedule, image, facts);
    snprintf(title, sizeof title, "%s: %" PRIu32 " packet%s, %" PRIu32 " node%s",
             schedule->algorithm, schedule->packets, text_s(schedule->packets),
             schedule_processors(schedule), text_s(schedule_processors(schedule)));
    json_t *root =
        json_pack("{s:o, s:s, s:s, s:s, s:o, s:o}", "title", report_json_text(title), "facts",
                  facts, "version", ROUNDCAST_VERSION, "commit", version_commit(), "activity",
                  activity(schedule), "legal", legal ? json_null() : report_json_error(&breach));
    bool made = root != NULL && json_object_update_new(root, run_json_schedule(schedule)) == 0 &&
                (image == NULL || json_object_update_new(root, run_json_machine(image)) == 0) &&
                (run == NULL || add_run(root, run));
    if (made)
        return root;
    json_decref(root);
    return NULL;
}

bool page_write(const char *path, const struct schedule *schedule, const struct image *image,
                const struct run_report *run, struct err *err)
{
    struct view_page page = {
        .schedule = schedule, .image = image, .report = page_report(schedule, image, run)};
    struct files_output output;
    bool opened = page.report != NULL ? files_open_output(path, &output, err)
                                      : err_no_memory(err, "the report of a page");
    bool written = opened && view_write(output.file, output.name, &page, err);
    json_decref(page.report);
    if (written)
        return files_commit(&output, err);
    if (opened)
        files_discard(&output);
    return false;
}

/* Adds the report of a page, with the name that links to it. */
static bool add_report(const char *path, json_t **reports, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    json_t *report = view_read_report(file, files_input_name(path), err);
    files_close_input(file);
    if (report == NULL)
        return false;
    const char *slash = strrchr(path, '/');
    report_json_set(&report, "page", report_json_text(slash != NULL ? slash + 1 : path));
    report_json_append(reports, report);
    return *reports != NULL || err_no_memory(err, "the index of pages");
}

bool page_write_index(const char *path, const char *const page[], size_t count, struct err *err)
{
    json_t *reports = json_array();
    bool read = reports != NULL || err_no_memory(err, "the index of pages");
    for (size_t which = 0; read && which < count; which++)
        read = add_report(page[which], &reports, err);
    struct files_output output;
    bool opened = read && files_open_output(path, &output, err);
    bool written = opened && view_write_index(output.file, output.name, reports, err);
    json_decref(reports);
    if (written)
        return files_commit(&output, err);
    if (opened)
        files_discard(&output);
    return false;
}
