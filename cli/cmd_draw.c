/* SPDX-License-Identifier: Apache-2.0 */
/* draw: the broadcast tree of a packet, or a tree of the papers, as a picture. */
#include "cli/command.h"
#include "cli/graphviz.h"
#include "cli/io.h"
#include "cli/options_keys.h"
#include "cli/options_tree.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <string.h>

static const char *const formats[] = {"dot", "svg", "png"};
#define FORMATS (sizeof formats / sizeof *formats)
static const enum output_kind kinds[FORMATS] = {OUTPUT_DOT, OUTPUT_SVG, OUTPUT_PNG};

struct draw_options {
    struct options_common common;
    struct options_tree tree;
    uint32_t packet; /* 0 if not given */
    uint32_t rounds; /* 0: all */
    unsigned format; /* index in formats; FORMATS: as the name of the output ends */
    const char *path;
    const char *output;
};

static bool parse_format(const char *name, struct draw_options *options)
{
    return options_choice("--format", name, formats, FORMATS, &options->format,
                          options->common.err);
}

/* The format that is given, else that of the file's name, else DOT. */
static unsigned format_of(const struct draw_options *options)
{
    unsigned which = options->format;
    if (which == FORMATS)
        for (which = 0; which < FORMATS && kinds[which] != output_kind_of(options->output);)
            which++;
    return which < FORMATS ? which : 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct draw_options *options = state->input;
    struct err *err = options->common.err;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->tree;
        state->child_inputs[1] = &options->common;
        return 0;
    case 'p':
        return options_refuse(
            options_number32("--packet", argument, 1, SCHEDULE_MAX_PACKETS, &options->packet, err));
    case KEY_ROUNDS:
        return options_refuse(
            options_number32("--rounds", argument, 1, UINT32_MAX, &options->rounds, err));
    case KEY_FORMAT:
        return options_refuse(parse_format(argument, options));
    case 'o':
        options->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool check(const struct draw_options *options, struct err *err)
{
    bool tree = options->tree.kind != NULL;
    if (!options_tree_check(&options->tree))
        return false;
    if (!tree && options->path == NULL)
        return err_set(err, ERR_OPTION,
                       "draw: no file; expected a schedule, - for standard input, or --tree KIND");
    if (tree && options->path != NULL)
        return err_set(err, ERR_OPTION, "%.40s: a file and --tree; expected one of both",
                       options->path);
    if (tree && options->packet != 0)
        return err_set(err, ERR_OPTION, "--packet: a tree has none; expected a schedule with it");
    if (tree && options->rounds != 0)
        return err_set(err, ERR_OPTION, "--rounds: a tree has none; expected a schedule with it");
    return options_check_output(&options->common, options->output, "drawing",
                                kinds[format_of(options)]);
}

static bool draw_schedule(const struct draw_options *options, struct drawing *drawing,
                          struct err *err)
{
    struct schedule schedule = {0};
    if (!io_read_schedule(options->path, &schedule, err))
        return false;
    if (schedule.packets == 0) {
        schedule_free(&schedule);
        return err_set(err, ERR_RANGE, "%.200s: has no packet; expected one to draw",
                       files_input_name(options->path));
    }
    uint32_t packet = options->packet != 0 ? options->packet : 1;
    uint64_t last = UINT64_MAX;
    if (options->rounds != 0)
        last = (uint64_t)options->rounds * schedule.lambda.denominator;
    bool drawn = packet <= schedule.packets
                     ? drawing_broadcast(files_input_name(options->path), &schedule, packet, last,
                                         drawing, err)
                     : err_set(err, ERR_RANGE,
                               "--packet: %" PRIu32 " is out of range; expected 1 … %" PRIu32,
                               packet, schedule.packets);
    schedule_free(&schedule);
    return drawn;
}

static bool report(const struct draw_options *options, const struct drawing *drawing,
                   const char *format, struct err *err)
{
    uint32_t depth = drawing_depth(drawing);
    int first_line = (int)strcspn(drawing->title, "\n");
    char last[RATIONAL_TEXT];
    rational_text(drawing->node[drawing->count - 1].time, drawing->denominator, last);
    if (options->common.json)
        return report_json(stdout,
                           json_pack("{s:o, s:s, s:o, s:I, s:I, s:s}", "file",
                                     report_json_text(options->output), "format", format, "drawn",
                                     report_json_bytes(drawing->title, (size_t)first_line), "nodes",
                                     (json_int_t)drawing->count, "depth", (json_int_t)depth, "last",
                                     last),
                           err);
    printf("%s: %.*s: %zu node%s, depth %" PRIu32 ", the last at %s\n", options->output, first_line,
           drawing->title, drawing->count, text_s(drawing->count), depth, last);
    return true;
}

static bool write_drawing(const struct draw_options *options, const struct drawing *drawing,
                          struct err *err)
{
    const char *format = formats[format_of(options)];
    bool written = strcmp(format, "dot") == 0
                       ? graphviz_write_dot(options->output, drawing, err)
                       : graphviz_write_picture(options->output, format, drawing, err);
    return written && (strcmp(options->output, "-") == 0 || report(options, drawing, format, err));
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {
        {&options_tree_argp, 0, NULL, 0}, {&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"packet", 'p', "P", 0, "the packet whose tree is drawn (1)", 1},
        {"rounds", KEY_ROUNDS, "R", 0, "only what is received up to round, or time, R (all)", 1},
        {"format", KEY_FORMAT, "FORMAT", 0, "dot, svg or png (as FILE ends, else dot)", 1},
        {"output", 'o', "FILE", 0, "write the drawing here (standard output)", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .args_doc = "FILE\n--tree KIND",
        .doc = "Draw how a packet of a schedule spreads, or a tree of the papers: depth is time."};
    struct draw_options options = {
        .common.err = err, .tree.err = err, .format = FORMATS, .output = "-"};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    struct drawing drawing = {0};
    bool drawn = check(&options, err) &&
                 (options.tree.kind != NULL ? options_tree_draw(&options.tree, &drawing)
                                            : draw_schedule(&options, &drawing, err));
    drawn = drawn && write_drawing(&options, &drawing, err);
    drawing_free(&drawing);
    return drawn;
}

const struct command command_draw = {
    .name = "draw",
    .arguments = "FILE [--packet P] [-o F]",
    .summary = "draw a packet's broadcast tree",
    .run = run,
};
