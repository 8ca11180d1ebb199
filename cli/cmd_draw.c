/* SPDX-License-Identifier: Apache-2.0 */
/* draw: draws the broadcast tree of a packet, or a tree of the papers. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/drawing.h"
#include "lib/roundcast/list.h"

#include <inttypes.h>
#include <string.h>

static const char *const formats[] = {"dot", "svg", "png"};
#define FORMATS (sizeof formats / sizeof *formats)
static const enum output_kind kinds[FORMATS] = {OUTPUT_DOT, OUTPUT_SVG, OUTPUT_PNG};

struct draw_options {
    struct options common;
    struct roundcast_tree tree;
    uint32_t packet; /* 0 if not given */
    uint32_t rounds; /* index in formats; FORMATS: determined by the suffix of the output */
    unsigned format; /* index in formats; FORMATS: as the name of the output ends */
    const char *path;
    const char *output;
};

static const char *format_choice(unsigned which)
{
    return which < FORMATS ? formats[which] : NULL;
}

static bool set_kind(void *base, const char *text, struct roundcast_error *err)
{
    struct draw_options *options = base;
    unsigned which;
    options->tree.kind = text;
    return roundcast_field_choose("tree", text, roundcast_tree_kind, &which, err);
}

#define AT(member) offsetof(struct draw_options, member)

static const struct roundcast_field own[] = {
    {"tree", 0, "KIND",
     "draw a tree instead of a schedule: full (FT_d(t)), top (T_i), hat (T̂_i) or cube (T(i))",
     ROUNDCAST_FIELD_TOPOLOGY, ROUNDCAST_FIELD_CHOICE, AT(tree.kind), .choice = roundcast_tree_kind,
     .set = set_kind},
    {"nodes", 'n', "N", "top, hat: draw the tree of a broadcast to N processors",
     ROUNDCAST_FIELD_TOPOLOGY, ROUNDCAST_FIELD_NUMBER, AT(tree.nodes), 1, ROUNDCAST_MAX_NODES},
    {"degree", 'd', "D", "full, top, hat: give nodes D children", ROUNDCAST_FIELD_TOPOLOGY,
     ROUNDCAST_FIELD_NUMBER, AT(tree.degree), 1, ROUNDCAST_MAX_NODES},
    {"order", 't', "T", "full: draw labels up to T", ROUNDCAST_FIELD_TOPOLOGY,
     ROUNDCAST_FIELD_NUMBER, AT(tree.order), 0, ROUNDCAST_TREE_NOT_GIVEN - 1},
    {"index", 'i', "I",
     "draw tree I: 0 … D-1 of top and hat (default: 0), 1 … D of cube (default: 1)",
     ROUNDCAST_FIELD_TOPOLOGY, ROUNDCAST_FIELD_NUMBER, AT(tree.index), 0, ROUNDCAST_MAX_NODES - 1},
    {"dim", 0, "D", "cube: draw a tree of the hypercube of D dimensions", ROUNDCAST_FIELD_TOPOLOGY,
     ROUNDCAST_FIELD_NUMBER, AT(tree.dim), 1, ROUNDCAST_MAX_DIMENSIONS},
    {"packet", 'p', "P", "draw the tree of packet P of a schedule (default: 1)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_NUMBER, AT(packet), 1, ROUNDCAST_MAX_PACKETS},
    {"rounds", 0, "R", "draw only what is received up to round or time R (default: all)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_NUMBER, AT(rounds), 1, UINT32_MAX},
    {"format", 0, "FORMAT", "write {choices} (default: as FILE ends, else dot)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_CHOICE, AT(format), .choice = format_choice},
    {"output", 'o', "FILE", "write the drawing to this file (default: standard output)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, AT(output)},
};

/* Returns the given format, or else the format of the output's suffix, or else DOT. */
static unsigned format_of(const struct draw_options *options)
{
    unsigned which = options->format;
    if (which == FORMATS)
        for (which = 0; which < FORMATS && kinds[which] != output_kind_of(options->output);)
            which++;
    return which < FORMATS ? which : 0;
}

static bool check(const struct draw_options *options, struct roundcast_error *err)
{
    bool tree = options->tree.kind != NULL;
    if (!roundcast_tree_check(&options->tree, err))
        return false;
    if (!tree && options->path == NULL)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "draw: no file; expected a schedule, - for standard input, or {tree} KIND");
    if (tree && options->path != NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "%.40s: a file and {tree} are given; expected one of them",
                                   options->path);
    if (tree && options->packet != 0)
        return roundcast_error_conflict(err, "packet", "tree");
    if (tree && options->rounds != 0)
        return roundcast_error_conflict(err, "rounds", "tree");
    return options_check_output(&options->common, options->output, "drawing",
                                kinds[format_of(options)], err);
}

static struct roundcast_drawing *draw_schedule(const struct draw_options *options,
                                               struct roundcast_error *err)
{
    struct roundcast_schedule *schedule = roundcast_read_any(options->path, err);
    if (schedule == NULL)
        return NULL;
    struct roundcast_drawing *drawing = roundcast_draw_packet(
        schedule, options->packet != 0 ? options->packet : 1, options->rounds, err);
    roundcast_schedule_free(schedule);
    return drawing;
}

static bool report(const struct draw_options *options, const struct roundcast_drawing *drawing,
                   const char *format, struct roundcast_error *err)
{
    const struct roundcast_drawing_info info = roundcast_drawing_describe(drawing);
    int first_line = (int)strcspn(info.title, "\n");
    char last[ROUNDCAST_TIME_TEXT];
    roundcast_time_text(info.last, info.ticks, last);
    if (options->common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:s, s:o, s:I, s:I, s:s}", "file",
                      roundcast_json_text(options->output), "format", format, "drawn",
                      roundcast_json_bytes(info.title, (size_t)first_line), "nodes",
                      (json_int_t)info.nodes, "depth", (json_int_t)info.depth, "last", last),
            err);
    printf("%s: %.*s: %zu node%s, depth %" PRIu32 ", the last at %s\n", options->output, first_line,
           info.title, info.nodes, text_s(info.nodes), info.depth, last);
    return true;
}

static bool write_drawing(const struct draw_options *options,
                          const struct roundcast_drawing *drawing, struct roundcast_error *err)
{
    const char *format = formats[format_of(options)];
    return roundcast_drawing_write(drawing, format, options->output, err) &&
           (strcmp(options->output, "-") == 0 || report(options, drawing, format, err));
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    const uint32_t none = ROUNDCAST_TREE_NOT_GIVEN;
    struct draw_options options = {
        .format = FORMATS, .output = "-", .tree = {NULL, none, none, none, none, none}};
    enum options_outcome outcome =
        options_parse(&command_draw, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err) || !check(&options, err))
        return false;
    struct roundcast_drawing *drawing = options.tree.kind != NULL
                                            ? roundcast_draw_tree(&options.tree, err)
                                            : draw_schedule(&options, err);
    bool drawn = drawing != NULL && write_drawing(&options, drawing, err);
    roundcast_drawing_free(drawing);
    return drawn;
}

const struct command command_draw = {
    .name = "draw",
    .arguments = "FILE [--packet P] [-o F]",
    .summary = "draw a packet's broadcast tree",
    .usage = "FILE\n--tree KIND",
    .text =
        "Draw how a packet of a schedule spreads or is combined, or a tree of the papers; depth "
        "is time.",
    .examples = "roundcast draw b.sched --packet 2 -o b.svg\n"
                "roundcast draw --tree full -d 3 -t 6 -o ft.dot\n"
                "roundcast draw --tree cube --dim 4 -i 2 -o t2.svg",
    COMMAND_OWN(own),
    .run = run,
};
