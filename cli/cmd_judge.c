/* SPDX-License-Identifier: Apache-2.0 */
/* judge: reports what a schedule of any origin performs, the rules that it breaks, and its distance
 * from the bound and from the best known schedule. */
#include "cli/command.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>

struct judge_options {
    struct reading_options reading;
    const char *view;
};

static const struct roundcast_field own[] = {
    READING_FIELDS,
    {"view", 0, "F.html", "write a page that plays the schedule (default: none)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, offsetof(struct judge_options, view)},
};

static const char *const aspect_name[ROUNDCAST_ASPECTS] = {
    [ROUNDCAST_CONTENTS] = "contents", [ROUNDCAST_ORDER] = "order", [ROUNDCAST_PORTS] = "ports"};

static const char *const aspect_text[ROUNDCAST_ASPECTS] = {
    [ROUNDCAST_CONTENTS] = "every node receives the packets that it wants",
    [ROUNDCAST_ORDER] = "every node sends only packets that it has",
    [ROUNDCAST_PORTS] = "every round obeys the model"};

/* The subject of a report. */
struct subject {
    const char *name; /* the file */
    struct roundcast_format format;
    struct roundcast_schedule_info info;
    struct roundcast_judgement judgement;
};

static void print_aspects(const struct subject *subject)
{
    for (unsigned which = 0; which < ROUNDCAST_ASPECTS; which++) {
        const struct roundcast_breaches *breaches = &subject->judgement.aspect[which];
        if (breaches->count == 0)
            printf("  %-11s holds: %s%s%s\n", aspect_name[which], aspect_text[which],
                   which == ROUNDCAST_PORTS ? " " : "",
                   which == ROUNDCAST_PORTS ? subject->info.model : "");
        else
            printf("  %-11s fails: %" PRIu64 " breach%s; the first is E%d, %s\n",
                   aspect_name[which], breaches->count, breaches->count == 1 ? "" : "es",
                   breaches->first.code, breaches->first.text);
    }
    if (subject->format.proof != NULL)
        printf("  %-11s holds: %s\n", "execution", subject->format.proof);
}

static void print_text(const struct subject *subject)
{
    const struct roundcast_schedule_info *info = &subject->info;
    const struct roundcast_judgement *judgement = &subject->judgement;
    const struct roundcast_verdict *verdict = &judgement->verdict;
    char text[ROUNDCAST_TIME_TEXT], bound[ROUNDCAST_TIME_TEXT], gap[ROUNDCAST_TIME_TEXT];
    printf("%s: %s: %s, %" PRIu32 " node%s, %" PRIu32 " packet%s, %" PRIu64 " transfer%s\n",
           subject->name, verdict->holds ? "holds" : "fails", subject->format.what, info->nodes,
           text_s(info->nodes), info->packets, text_s(info->packets), verdict->transfers,
           text_s(verdict->transfers));
    printf("  %-11s %s\n", "collective", judgement->collective);
    print_aspects(subject);
    printf("  %-11s %s", report_end_name(info->times),
           roundcast_time_text(verdict->end, info->ticks, text));
    if (verdict->has_bound && verdict->holds)
        printf(" (bound %s, gap %s)", roundcast_time_text(verdict->bound, info->ticks, bound),
               roundcast_time_text(verdict->end - verdict->bound, info->ticks, gap));
    else if (verdict->has_bound)
        printf(" (bound %s)", roundcast_time_text(verdict->bound, info->ticks, bound));
    if (judgement->has_compact)
        printf(", %s after compaction", roundcast_time_text(judgement->compact, info->ticks, text));
    if (verdict->redundant > 0)
        printf(", %" PRIu64 " redundant transfer%s", verdict->redundant,
               text_s(verdict->redundant));
    putchar('\n');
    if (judgement->formula != NULL)
        printf("  %-11s %s: %s\n", "bound", judgement->formula, judgement->source);
    if (judgement->best != NULL)
        printf("  %-11s %s, by 'roundcast schedule %s%s%s'\n", "best known",
               roundcast_time_text(judgement->best_end, info->ticks, text), judgement->best,
               judgement->best_method != NULL ? " --method " : "",
               judgement->best_method != NULL ? judgement->best_method : "");
}

static json_t *json_of_aspect(const struct roundcast_breaches *breaches)
{
    json_t *object = json_pack("{s:b, s:I}", "holds", breaches->count == 0, "breaches",
                               (json_int_t)breaches->count);
    if (breaches->count > 0)
        roundcast_json_set(&object, "error", roundcast_json_error(&breaches->first));
    return object;
}

static bool print_json(const struct subject *subject, struct roundcast_error *err)
{
    const struct roundcast_schedule_info *info = &subject->info;
    const struct roundcast_judgement *judgement = &subject->judgement;
    const struct roundcast_verdict *verdict = &judgement->verdict;
    json_t *root = json_pack(
        "{s:o, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "file",
        roundcast_json_text(subject->name), "holds", verdict->holds, "format", subject->format.name,
        "collective", judgement->collective, "model", info->model, "nodes", (json_int_t)info->nodes,
        "packets", (json_int_t)info->packets, "transfers", (json_int_t)verdict->transfers,
        "redundant", (json_int_t)verdict->redundant, report_end_name(info->times),
        roundcast_json_end(info->times, verdict->end, info->ticks));
    for (unsigned which = 0; which < ROUNDCAST_ASPECTS; which++)
        roundcast_json_set(&root, aspect_name[which], json_of_aspect(&judgement->aspect[which]));
    if (judgement->has_compact)
        roundcast_json_set(&root, "compact",
                           roundcast_json_end(info->times, judgement->compact, info->ticks));
    if (verdict->has_bound)
        roundcast_json_set(&root, "bound",
                           roundcast_json_end(info->times, verdict->bound, info->ticks));
    if (verdict->has_bound && verdict->holds)
        roundcast_json_set(
            &root, "gap",
            roundcast_json_end(info->times, verdict->end - verdict->bound, info->ticks));
    if (judgement->best != NULL)
        roundcast_json_set(
            &root, "best",
            json_pack("{s:s, s:s*, s:o}", "algorithm", judgement->best, "method",
                      judgement->best_method, report_end_name(info->times),
                      roundcast_json_end(info->times, judgement->best_end, info->ticks)));
    return roundcast_json_print(stdout, root, err);
}

/* Reports the judgement. An error is that of the first aspect that fails. */
static bool report(const struct judge_options *options, const struct subject *subject,
                   struct roundcast_error *err)
{
    const struct roundcast_judgement *judgement = &subject->judgement;
    if (options->reading.common.json) {
        if (!print_json(subject, err))
            return false;
    } else {
        print_text(subject);
    }
    if (judgement->verdict.holds)
        return true;
    unsigned which = ROUNDCAST_CONTENTS;
    while (judgement->aspect[which].count == 0 && which + 1 < ROUNDCAST_ASPECTS)
        which++;
    *err = judgement->aspect[which].first;
    err->reported = true;
    return false;
}

static bool judge(const struct judge_options *options, const char *path,
                  struct roundcast_error *err)
{
    struct subject subject = {.name = roundcast_input_name(path)};
    if (options->view != NULL &&
        !options_check_output(&options->reading.common, options->view, "view", OUTPUT_PAGE, err))
        return false;
    struct roundcast_schedule *schedule =
        reading_load(&options->reading, path, &subject.format, err);
    bool judged = schedule != NULL && roundcast_judge(schedule, &subject.judgement, err);
    if (judged && options->view != NULL)
        judged = roundcast_page_write(options->view, &(struct roundcast_page){.schedule = schedule},
                                      err);
    if (judged) {
        subject.info = roundcast_schedule_describe(schedule);
        judged = report(options, &subject, err);
    }
    roundcast_schedule_free(schedule);
    return judged;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct judge_options options = {.view = NULL};
    const char *path = NULL;
    enum options_outcome outcome =
        options_parse(&command_judge, argc, argv, &options.reading.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.reading.common, "file", &path, err))
        return false;
    if (path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "judge: no file; expected one, or - for standard input");
    return judge(&options, path, err);
}

const struct command command_judge = {
    .name = "judge",
    .arguments = "FILE [--expect COLLECTIVE]",
    .summary = "check and rate a schedule of any tool or script",
    .request = ROUNDCAST_FOR_READING,
    .usage = "FILE",
    .text = "Report the collective of a schedule, the rules that it breaks, its rounds, the gap to "
            "the lower bound, and the best known schedule. FILE is a schedule, a file of another "
            "tool, or a list of transfers. The exit status is 1 if a rule is broken.",
    .examples = "roundcast judge mine.csv --expect all-gather\n"
                "roundcast judge plan.xml --model telephone --json\n"
                "roundcast judge mine.csv --compact --view mine.html",
    COMMAND_OWN(own),
    .run = run,
};
