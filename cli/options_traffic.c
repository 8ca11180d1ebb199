/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_traffic.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/base/text.h"
#include "sched/traffic/traffic_make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PATTERNS 16

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_traffic *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        options->price.err = options->err;
        state->child_inputs[0] = &options->price;
        return 0;
    case KEY_MATRIX:
        options->matrix = argument;
        return 0;
    case KEY_ENTRIES:
        options->entries = argument;
        return 0;
    case KEY_PATTERN:
        options->pattern = argument;
        return 0;
    case KEY_PACKET_BYTES:
        return options_refuse(options_bytes("--packet-bytes", argument, 1, UINT32_MAX,
                                            &options->unit.packet_bytes, options->err));
    case KEY_TOTAL:
        return options_refuse(
            options_number("--total", argument, 1, UINT32_MAX, &options->unit.total, options->err));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option traffic_options[] = {
    {"matrix", KEY_MATRIX, "FILE", 0,
     "traffic: row i has how many packets node i sends to each node; also .gz, - for standard "
     "input",
     0},
    {"entries", KEY_ENTRIES, "FILE", 0, "the same as lines: source, destination, packets", 0},
    /* help() adds the patterns */
    {"pattern", KEY_PATTERN, "NAME:K", 0, "the same between -n nodes: ", 0},
    {"packet-bytes", KEY_PACKET_BYTES, "B", 0,
     "numbers are bytes, and a packet has B of them, such as 512, 4K or 64Ki", 0},
    {"total", KEY_TOTAL, "P", 0, "numbers of the file are shares of P packets", 0},
    {0},
};

/* --pattern says which there are. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    char list[200], *whole;
    const char *syntax[MAX_PATTERNS];
    size_t count = 0;
    for (; count < MAX_PATTERNS && traffic_patterns[count].name != NULL; count++)
        syntax[count] = traffic_patterns[count].syntax;
    if (key != KEY_PATTERN ||
        asprintf(&whole, "%s%s", text, text_list(syntax, count, " or ", list, sizeof list)) < 0)
        return (char *)text;
    return whole;
}

static const struct argp_child children[] = {{&options_price_argp, 0, NULL, 0}, {0}};

const struct argp options_traffic_argp = {
    .options = traffic_options, .parser = parse, .children = children, .help_filter = help};

void options_traffic_free(struct options_traffic *options)
{
    traffic_free(&options->traffic);
}

bool options_traffic_given(const struct options_traffic *options)
{
    return options->matrix != NULL || options->entries != NULL || options->pattern != NULL;
}

const char *options_traffic_name(const struct options_traffic *options)
{
    if (options->matrix != NULL || options->entries != NULL)
        return options->matrix != NULL ? "--matrix" : "--entries";
    return options->pattern != NULL ? "--pattern" : NULL;
}

/* One demand, and what goes with it. */
static bool check_words(const struct options_traffic *options, const struct collective *asked)
{
    int given = (options->matrix != NULL) + (options->entries != NULL) + (options->pattern != NULL);
    if (given > 1)
        return err_set(options->err, ERR_OPTION,
                       "--matrix, --entries, --pattern: several of them; expected one");
    if (options->unit.packet_bytes != 0 && given == 0)
        return err_set(options->err, ERR_OPTION,
                       "--packet-bytes: of no traffic; expected --matrix, --entries or --pattern "
                       "with it");
    if (options->unit.total != 0 && options->matrix == NULL && options->entries == NULL)
        return err_set(options->err, ERR_OPTION,
                       "--total: of no file; expected --matrix or --entries with it");
    if (options->unit.packet_bytes != 0 && options->unit.total != 0)
        return err_set(options->err, ERR_OPTION, "--total: with --packet-bytes; expected one");
    if (given == 1 && asked->topology != NULL)
        return err_set(options->err, ERR_OPTION,
                       "--tree, --dim: with traffic; expected a complete graph");
    if (given == 1 && asked->m != 0)
        return err_set(options->err, ERR_OPTION,
                       "-m: with a demand that says how many packets there are; expected none");
    if (given == 1 && asked->source != 0)
        return err_set(options->err, ERR_OPTION,
                       "--source: with a demand that says who sends; expected none");
    if (options->pattern != NULL && asked->n < 2)
        return err_set(options->err, ERR_OPTION, "--pattern: without -n; expected 2 or more nodes");
    return true;
}

static bool load(struct options_traffic *options, uint64_t seed, uint32_t nodes)
{
    struct traffic *traffic = &options->traffic;
    if (options->matrix != NULL)
        return traffic_read_matrix(options->matrix, options->unit, traffic, options->err);
    if (options->entries != NULL)
        return traffic_read_entries(options->entries, options->unit, nodes, traffic, options->err);
    if (!traffic_make(options->pattern, nodes, seed, traffic, options->err))
        return false;
    if (options->unit.packet_bytes != 0)
        traffic_cut(traffic, (uint32_t)options->unit.packet_bytes, traffic);
    return true;
}

static bool check_price(const struct options_traffic *options, struct collective *asked)
{
    uint32_t cycles;
    bool given = options->price.reconfigure != NULL, traffic = options_traffic_given(options);
    if (given && !traffic && !options->pays)
        return err_set(options->err, ERR_OPTION,
                       "--reconfigure: without traffic; expected --matrix, --entries or --pattern");
    asked->priced = given && traffic && !options->unweighed;
    bool read = options_price_read(&options->price, &cycles);
    asked->cost.change = cycles;
    return read;
}

bool options_traffic_check(struct options_traffic *options, uint64_t seed, struct collective *asked)
{
    struct traffic *traffic = &options->traffic;
    if (!check_words(options, asked) || !check_price(options, asked))
        return false;
    if (!options_traffic_given(options))
        return true;
    if (!load(options, seed, asked->n))
        return false;
    if (asked->n != 0 && asked->n != traffic->nodes)
        return err_set(options->err, ERR_RANGE,
                       "-n: %" PRIu32 "; expected the %" PRIu32 " node%s of the matrix", asked->n,
                       traffic->nodes, text_s(traffic->nodes));
    asked->n = traffic->nodes;
    asked->m = 1;
    asked->kind = COLLECTIVE_TRAFFIC;
    asked->traffic = traffic;
    return traffic_load(traffic, &asked->load, options->err) &&
           (!asked->priced || traffic_load_settings(traffic, &asked->load, options->err));
}
