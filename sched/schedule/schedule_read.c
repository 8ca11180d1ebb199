/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_read: the strict reader of the schedule file (docs/formats.md).
 *
 * No memory is allocated for numbers that the header claims: demands, steps and transfers grow as
 * their lines are read. */
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/schedule/schedule.h"
#include "sched/schedule/schedule_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Checks that a link joins the nodes of a transfer. */
static bool check_link(struct scan *scan, const struct topology *topology, struct transfer transfer,
                       struct err *err)
{
    const struct topology_row *row = topology_row(topology);
    char from[TOPOLOGY_NODE_TEXT], to[TOPOLOGY_NODE_TEXT];
    return row->joins == NULL || row->joins(topology, transfer.source, transfer.destination) ||
           scan_error(scan, err, ERR_NO_LINK, "no %s joins %s and %s; expected %s", row->link,
                      topology_node_text(topology, transfer.source, from),
                      topology_node_text(topology, transfer.destination, to), row->joined);
}

/* Reads the words after a transfer of a combined packet: `received`, `replace`, both in this order,
 * or none. */
static bool read_combining(struct scan *scan, const struct schedule *schedule, uint32_t packet,
                           unsigned *combining, struct err *err)
{
    static const char *const words[] = {"received", "replace"};
    char word[SCAN_WORD];
    *combining = 0;
    if (!schedule->has_reductions)
        return true;
    for (unsigned least = 0; scan_blanks(scan), scan_peek(scan) >= 'a' && scan_peek(scan) <= 'z';) {
        if (!scan_word(scan, "", word, err))
            return false;
        unsigned which = least;
        while (which < 2 && strcmp(word, words[which]) != 0)
            which++;
        if (which == 2)
            return scan_error(scan, err, ERR_SYNTAX, "'%s'; expected %s", word,
                              least == 0   ? "'received', 'replace' or the end of the line"
                              : least == 1 ? "'replace' or the end of the line"
                                           : "the end of the line");
        if (schedule_demand_of(schedule, packet)->reduction == NULL)
            return scan_error(scan, err, ERR_FIELD_RANGE,
                              "'%s': packet %" PRIu32
                              " is not combined; expected a packet of a 'reduce' line",
                              word, packet);
        *combining |= 1u << which;
        least = which + 1;
    }
    return true;
}

/* Reads a transfer over one branch of a tree: source, destination, packet, the lane if the branch
 * has several, and the words of a combined packet. */
static bool read_hop(struct scan *scan, struct schedule *schedule, struct err *err)
{
    const struct topology *tree = &schedule->topology;
    uint32_t source, destination;
    uint64_t packet, lane = 0, line = scan->line;
    if (!schedule_read_node(scan, tree, "source", &source, err) ||
        !schedule_read_node(scan, tree, "destination", &destination, err) ||
        !scan_number(scan, "packet", 1, schedule->packets, &packet, err))
        return false;
    struct transfer transfer = {source, destination, (uint32_t)packet};
    if (!check_link(scan, tree, transfer, err))
        return false;
    unsigned level = topology_branch(tree, source, destination);
    scan_blanks(scan);
    if (scan_peek(scan) >= '0' && scan_peek(scan) <= '9' &&
        !scan_number(scan, "lane", 0, tree->capacity[level] - 1, &lane, err))
        return false;
    unsigned combining;
    return read_combining(scan, schedule, transfer.packet, &combining, err) &&
           scan_line_end(scan, err) && schedule_add_jump(schedule, line, err) &&
           schedule_set_combining(schedule, schedule->transfer_count, combining, err) &&
           schedule_append_lane(schedule, transfer, (uint32_t)lane, err);
}

static bool read_transfer(struct scan *scan, struct schedule *schedule, struct err *err)
{
    if (topology_has_routers(&schedule->topology))
        return read_hop(scan, schedule, err);
    uint64_t source, destination, packet, line = scan->line;
    if (!scan_number(scan, "source", 0, schedule->nodes - 1, &source, err) ||
        !scan_number(scan, "destination", 0, schedule->nodes - 1, &destination, err) ||
        !scan_number(scan, "packet", 1, schedule->packets, &packet, err))
        return false;
    if (source == destination)
        return scan_error(scan, err, ERR_SELF_SEND,
                          "node %" PRIu64 " sends to itself; expected another node", source);
    struct transfer transfer = {(uint32_t)source, (uint32_t)destination, (uint32_t)packet};
    if (!check_link(scan, &schedule->topology, transfer, err))
        return false;
    unsigned combining;
    return read_combining(scan, schedule, transfer.packet, &combining, err) &&
           scan_line_end(scan, err) && schedule_add_jump(schedule, line, err) &&
           schedule_set_combining(schedule, schedule->transfer_count, combining, err) &&
           schedule_append(schedule, transfer, err);
}

/* Reads canonical lines fast. Trees are excluded: transfers between routers have lanes, and are
 * read one by one. */
static bool read_canonical(struct scan *scan, struct schedule_parts *parts,
                           struct schedule *schedule, struct err *err)
{
    return topology_has_routers(&schedule->topology) ||
           (schedule_read_parts(parts, scan, schedule, err) &&
            schedule_read_lines(scan, schedule, err));
}

/* Reads transfers, and further steps if they are canonical, up to the first line that does not
 * begin with a digit. */
static bool read_transfers(struct scan *scan, struct schedule_parts *parts,
                           struct schedule *schedule, struct err *err)
{
    if (!read_canonical(scan, parts, schedule, err))
        return false;
    while (scan_next_line(scan) && scan_peek(scan) >= '0' && scan_peek(scan) <= '9')
        if (!read_transfer(scan, schedule, err) || !read_canonical(scan, parts, schedule, err))
            return false;
    return true;
}

struct time_range {
    uint64_t minimum, maximum;
};

/* Reads a round, or a time in ticks: a multiple of the tick, written as P or P/Q. */
static bool read_time(struct scan *scan, const struct schedule *schedule, const char *what,
                      struct time_range in, uint64_t *time, struct err *err)
{
    bool timed = model_has_times(schedule->model);
    uint64_t number, tick = schedule->lambda.denominator, divisor = 1;
    if (!scan_number(scan, what, in.minimum, in.maximum, &number, err) ||
        (timed && scan_take(scan, '/') &&
         !scan_number(scan, "denominator", 1, RATIONAL_MAX, &divisor, err)))
        return false;
    return schedule_ticks(number, divisor, tick, in.maximum, time) ||
           scan_error(scan, err, ERR_FIELD_RANGE,
                      "%s %" PRIu64 "/%" PRIu64 "; expected a multiple of 1/%" PRIu64
                      ", the tick of λ, and at most %" PRIu64 " of them",
                      what, number, divisor, tick, in.maximum);
}

/* Reads the text after the word `round` or `time`: its number and its transfers, and further steps,
 * up to the next word. */
static bool read_step(struct scan *scan, struct schedule_parts *parts, struct schedule *schedule,
                      const char *word, struct err *err)
{
    uint64_t time;
    if (!read_time(scan, schedule, word,
                   (struct time_range){!model_has_times(schedule->model), SCHEDULE_MAX_TIME}, &time,
                   err))
        return false;
    uint64_t before_time =
        schedule->step_count > 0 ? schedule->step[schedule->step_count - 1].time : 0;
    if (schedule->step_count > 0 && time <= before_time) {
        char now[SCHEDULE_TIME_TEXT], last[SCHEDULE_TIME_TEXT];
        return scan_error(scan, err, ERR_ORDER, "%s follows %s; expected a later %s",
                          schedule_time_text(schedule, time, now),
                          schedule_time_text(schedule, before_time, last), word);
    }
    if (!scan_line_end(scan, err) || schedule_open_step(schedule, time, 1, err) == NULL)
        return false;
    if (!read_transfers(scan, parts, schedule, err))
        return false;
    if (schedule->transfer_count == schedule->step[schedule->step_count - 1].first)
        return scan_unexpected(scan, "a transfer: source, destination and packet", err);
    schedule_close_step(schedule, 0);
    return true;
}

/* Reads the text after the word `end`; no line may follow. */
static bool read_end(struct scan *scan, struct schedule *schedule, uint64_t line, struct err *err)
{
    uint64_t end;
    bool timed = model_has_times(schedule->model);
    if (!read_time(scan, schedule, timed ? "last arrival" : "last round",
                   (struct time_range){0, SCHEDULE_MAX_TIME + RATIONAL_MAX}, &end, err))
        return false;
    if (end != schedule->end) {
        char now[RATIONAL_TEXT], last[RATIONAL_TEXT];
        return scan_error(scan, err, ERR_ORDER, "'end %s'; expected the last %s, %s",
                          rational_text(end, schedule->lambda.denominator, now),
                          timed ? "arrival" : "round",
                          rational_text(schedule->end, schedule->lambda.denominator, last));
    }
    if (!schedule_add_jump(schedule, line, err) || !scan_line_end(scan, err))
        return false;
    if (scan_next_line(scan) || ferror(scan->from))
        return scan_unexpected(scan, "nothing after the 'end' line", err);
    return true;
}

/* Reads demands, then rounds or times, then `end`; without a demand, `end` only. */
static bool read_body(struct scan *scan, struct schedule_parts *parts, struct schedule *schedule,
                      struct err *err)
{
    char word[SCAN_WORD];
    for (;;) {
        scan_next_line(scan);
        uint64_t line = scan->line;
        bool demanded = schedule->demand_count > 0, begun = schedule->step_count > 0;
        bool timed = model_has_times(schedule->model);
        const char *step = timed ? "time" : "round", *expected = "'demand' or 'end'";
        if (demanded && begun)
            expected = timed ? "'time' or 'end'" : "'round' or 'end'";
        else if (demanded)
            expected = timed ? "'demand', 'time' or 'end'" : "'demand', 'round' or 'end'";
        if (!scan_word(scan, expected, word, err))
            return false;
        bool control = strcmp(word, "control") == 0, reduce = strcmp(word, "reduce") == 0;
        if ((control || reduce || strcmp(word, "demand") == 0) && !begun) {
            if (reduce ? !schedule_read_reduce(scan, line, schedule, err)
                       : !schedule_read_demand(scan, line, control, schedule, err))
                return false;
        } else if (strcmp(word, step) == 0 && demanded) {
            if (!read_step(scan, parts, schedule, step, err))
                return false;
        } else if (strcmp(word, "end") == 0) {
            return read_end(scan, schedule, line, err);
        } else {
            bool known = reduce || strcmp(word, "demand") == 0 || strcmp(word, step) == 0;
            return scan_error(scan, err, known ? ERR_ORDER : ERR_SYNTAX, "'%s'; expected %s", word,
                              expected);
        }
    }
}

bool schedule_read_by_parts(FILE *from, const char *name, struct schedule_parts *parts,
                            struct schedule *schedule, struct err *err)
{
    struct scan *scan = scan_new(from, name, err);
    if (scan == NULL)
        return false;
    struct schedule reading = {0};
    bool read = schedule_read_head(scan, &reading, err) && read_body(scan, parts, &reading, err);
    scan_free(scan);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}

bool schedule_read(FILE *from, const char *name, struct schedule *schedule, struct err *err)
{
    struct schedule_parts parts = schedule_parts_usual;
    return schedule_read_by_parts(from, name, &parts, schedule, err);
}

/* -- Files ------------------------------------------------------------------------------------- */

bool schedule_file_read_any(const char *path, struct schedule *schedule, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        files_close_input(file);
        return err_set(err, ERR_READ,
                       "%.60s: is a folder; expected a schedule, such as %.60s/schedule.sched in a "
                       "folder that 'roundcast route' wrote",
                       path, path);
    }
    bool read = schedule_read(file, files_input_name(path), schedule, err);
    files_close_input(file);
    return read;
}

bool schedule_file_read(const char *path, struct schedule *schedule, struct err *err)
{
    if (!schedule_file_read_any(path, schedule, err))
        return false;
    bool uncombined = schedule_check_uncombined(files_input_name(path), schedule, err);
    if (!uncombined)
        schedule_free(schedule);
    return uncombined;
}

bool schedule_file_write(const char *path, const struct schedule *schedule, struct err *err)
{
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    if (!schedule_write(output.file, output.name, schedule, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}
