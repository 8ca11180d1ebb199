/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_demands.h"

#include "cli/io.h"
#include "cli/options_keys.h"
#include "sched/base/text.h"

#include <inttypes.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_demands *options = state->input;
    switch (key) {
    case KEY_DEMANDS:
        options->file = argument;
        return 0;
    case KEY_EXACT:
        options->exact = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option demands_options[] = {
    {"demands", KEY_DEMANDS, "FILE", 0,
     "what a schedule's 'demand' lines ask for, in its model unless another is given; its rounds "
     "are not looked at",
     0},
    {"exact", KEY_EXACT, NULL, 0,
     "of general: the fewest rounds that there are, for small demands, by a SAT solver", 0},
    {0}};

const struct argp options_demands_argp = {.options = demands_options, .parser = parse};

void options_demands_free(struct options_demands *options)
{
    schedule_free(&options->schedule);
}

/* The file says all that there is to say. */
static bool check_words(const struct options_demands *options, const struct collective *asked)
{
    if (asked->traffic != NULL)
        return err_set(options->err, ERR_OPTION,
                       "--demands: with --matrix, --entries or --pattern; expected one");
    if (asked->topology != NULL)
        return err_set(options->err, ERR_OPTION,
                       "--tree, --dim: with --demands, which says the topology; expected neither");
    return (asked->m == 0 && asked->source == 0) ||
           err_set(options->err, ERR_OPTION,
                   "-m, --source: with --demands, which says which packets there are and where; "
                   "expected none");
}

static void set_asked(struct options_demands *options, struct collective *asked)
{
    const struct schedule *schedule = &options->schedule;
    asked->n = schedule->nodes;
    asked->m = 1;
    asked->kind = COLLECTIVE_DEMANDS;
    asked->demands = schedule;
    asked->topology = !topology_joins_all(&schedule->topology) ? &schedule->topology : NULL;
    asked->load.packets = schedule->packets;
}

bool options_demands_of_traffic(struct options_demands *options, struct collective *asked)
{
    const struct traffic *traffic = asked->traffic;
    const struct topology complete = topology_complete(traffic->nodes);
    bool made = schedule_init(&options->schedule, "traffic", &complete, COLLECTIVE_DEMANDS, 1,
                              asked->model, options->err);
    for (size_t k = 0; made && k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        made = schedule_add_demand(&options->schedule, entry->packets, entry->source,
                                   &entry->destination, 1, options->err);
    }
    if (made)
        set_asked(options, asked);
    return made;
}

bool options_demands_check(struct options_demands *options, bool has_model,
                           struct collective *asked)
{
    struct schedule *schedule = &options->schedule;
    if (options->file == NULL)
        return true;
    if (!check_words(options, asked) || !io_read_schedule(options->file, schedule, options->err))
        return false;
    if (asked->n != 0 && asked->n != schedule->nodes)
        return err_set(options->err, ERR_RANGE,
                       "-n: %" PRIu32 "; expected the %" PRIu32 " node%s of the demands", asked->n,
                       schedule->nodes, text_s(schedule->nodes));
    set_asked(options, asked);
    if (!has_model && asked->lambda.denominator == 0) {
        asked->model = schedule->model;
        if (model_has_times(schedule->model))
            asked->lambda = schedule->lambda;
    }
    return true;
}
