/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_reader.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROWTH 4u        /* factor from the size of one window to the next */
#define MOST_PARTS 4096u /* maximum parts of a window */
#define CHUNKS 8u        /* chunks of a window for each thread */
/* bytes; at most 255, so that a byte can hold the number of their lines */
#define COUNTED_AT_ONCE 128u

const struct schedule_parts schedule_parts_usual = {
    .part = (size_t)256 << 10, .window = 16, .least = (size_t)4 << 20, .wait = (size_t)1 << 16};

struct part {
    struct schedule_lines lines; /* with room for as many transfers and steps as were counted */
    uint64_t first;              /* offset of its first line in the file */
    uint64_t next, at_step;      /* offsets of the pointers of `lines` */
    bool whole;                  /* all lines of the part were found */
};

struct run {
    const struct schedule_parts *parts;
    int file;
    uint64_t next, line; /* offset and number of the line after those that were added */
    uint64_t size;       /* bytes of the file */
    struct schedule *schedule;
    unsigned worker_count;
    size_t part_count, part_room;
    struct part *part; /* [part_room]: the parts of a window */
    size_t text_room;
    char *text;   /* [worker_count][text_room]: the text of the part that a thread reads */
    void *memory; /* the memory of all arrays (arena.h) */
};

/* Reads `most` bytes from an offset. Returns fewer at the end of the file, or if it cannot be
 * read. */
static size_t read_at(int file, char *text, size_t most, uint64_t offset)
{
    size_t count = 0;
    while (count < most) {
        ssize_t got = pread(file, text + count, most - count, (off_t)(offset + count));
        if (got <= 0)
            break;
        count += (size_t)got;
    }
    return count;
}

static bool open_run(struct run *run)
{
    const struct schedule_parts *parts = run->parts;
    size_t most = (size_t)((run->size - run->next - 1) / parts->part + 1);
    run->part_room = MIN(most, MOST_PARTS);
    run->text_room = 1 + parts->part + 2 * SCHEDULE_LINE_ROOM;
    const struct arena_array arrays[] = {ARENA(run->part, run->part_room),
                                         ARENA(run->text, run->worker_count * run->text_room)};
    run->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return run->memory != NULL;
}

/* Reads the text of a part, the byte before it, which shows whether a line begins with the part,
 * and the rest of its last line. Returns the number of bytes; the bytes after them are 0. */
static size_t read_part(const struct run *run, size_t which, char *text)
{
    size_t count = read_at(run->file, text, 1 + run->parts->part + SCHEDULE_LINE_ROOM,
                           run->next - 1 + which * run->parts->part);
    memset(text + count, 0, SCHEDULE_LINE_ROOM);
    return count;
}

/* Counts the lines that begin in a part: transfers and others. */
static void count_part(const struct run *run, struct part *part, const char text[], size_t bytes)
{
    size_t most = bytes < 1 + run->parts->part ? bytes : 1 + run->parts->part;
    size_t lines = 0, transfers = 0;
    for (size_t start = 1; start < most; start += COUNTED_AT_ONCE) {
        size_t end = most - start < COUNTED_AT_ONCE ? most : start + COUNTED_AT_ONCE;
        uint8_t begun = 0, digits = 0;
        for (size_t at = start; at < end; at++) {
            uint8_t begins = text[at - 1] == '\n';
            begun = (uint8_t)(begun + begins);
            digits = (uint8_t)(digits + (begins & ((uint8_t)(text[at] - '0') <= 9)));
        }
        lines += begun;
        transfers += digits;
    }
    part->lines.transfer_room = transfers;
    part->lines.step_room = lines - transfers;
}

static void find_part(const struct run *run, size_t which, const char text[], size_t bytes)
{
    struct part *part = &run->part[which];
    uint64_t offset = run->next - 1 + which * run->parts->part;
    size_t most = bytes < 1 + run->parts->part ? bytes : 1 + run->parts->part;
    const char *newline = memchr(text, '\n', bytes);
    const char *first = newline != NULL ? newline + 1 : text + most;
    schedule_lines_find(run->schedule, first, text + most, &part->lines);
    part->whole = part->lines.next >= text + most;
    part->first = offset + (uint64_t)(first - text);
    part->next = offset + (uint64_t)(part->lines.next - text);
    if (part->lines.steps > 0)
        part->at_step = offset + (uint64_t)(part->lines.at_step - text);
}

/* Counts the lines of all parts, or finds them. A thread takes several adjacent parts, because two
 * threads that first write to one large page would both clear it. */
static void do_parts(const struct run *run, bool find)
{
    size_t chunk = 1 + run->part_count / (CHUNKS * run->worker_count);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(run->worker_count)
    for (size_t which = 0; which < run->part_count; which++) {
        char *text = run->text + (size_t)omp_get_thread_num() * run->text_room;
        size_t bytes = read_part(run, which, text);
        if (find)
            find_part(run, which, text, bytes);
        else
            count_part(run, &run->part[which], text, bytes);
    }
}

/* Reserves room for the counted lines, and assigns each part the place of its transfers and
 * steps. */
static bool place_parts(const struct run *run)
{
    size_t transfers = 0, steps = 0;
    for (size_t which = 0; which < run->part_count; which++) {
        transfers += run->part[which].lines.transfer_room;
        steps += run->part[which].lines.step_room;
    }
    struct transfer *transfer = schedule_room(run->schedule, transfers, NULL);
    struct step *step = schedule_step_room(run->schedule, steps, NULL);
    if (transfer == NULL || step == NULL)
        return false;
    for (size_t which = 0; which < run->part_count; which++) {
        struct schedule_lines *lines = &run->part[which].lines;
        lines->transfer = transfer;
        lines->step = step;
        transfer += lines->transfer_room;
        step += lines->step_room;
    }
    return true;
}

/* Adds a part that follows the lines added before. Returns whether the next part may follow. The
 * file may have changed since its lines were counted. */
static bool add_part(struct run *run, struct part *part, bool *added, struct err *err)
{
    struct schedule_lines *lines = &part->lines;
    if (part->first != run->next)
        return false;
    bool follows = schedule_lines_follow(run->schedule, lines);
    bool whole = follows && part->whole && lines->transfers == lines->transfer_room &&
                 lines->steps == lines->step_room;
    size_t count = lines->transfers + lines->steps;
    *added = count == 0 || schedule_add_jump(run->schedule, run->line, err);
    if (!*added)
        return false;
    schedule_lines_add(run->schedule, lines);
    run->line += count;
    run->next = follows ? part->next : part->at_step;
    return whole;
}

/* Adds the next window. Returns whether another one may follow. */
static bool add_window(struct run *run, size_t parts, bool *added, struct err *err)
{
    size_t most = (size_t)((run->size - run->next - 1) / run->parts->part + 1);
    run->part_count = MIN(parts, most);
    do_parts(run, false);
    if (!place_parts(run))
        return false;
    do_parts(run, true);
    size_t which = 0;
    while (which < run->part_count && add_part(run, &run->part[which], added, err))
        which++;
    return which == run->part_count && run->next < run->size;
}

static bool add_windows(struct run *run, struct err *err)
{
    bool added = true, further = true;
    for (size_t parts = run->parts->window; further; parts *= GROWTH) {
        parts = MIN(parts, run->part_room);
        further = add_window(run, parts, &added, err);
    }
    return added;
}

/* Returns whether the rest of the file is large enough, and can be read at any position. */
static bool may_run(struct run *run, const struct scan *scan)
{
    struct stat status;
    run->file = fileno(scan->from);
    if (run->file < 0 || fstat(run->file, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    int64_t offset = scan_offset(scan);
    if (offset <= 0 || offset >= status.st_size)
        return false;
    run->next = (uint64_t)offset;
    run->size = (uint64_t)status.st_size;
    run->worker_count = threads_for(run->size - run->next, run->parts->least);
    return run->worker_count > 1;
}

bool schedule_read_parts(struct schedule_parts *parts, struct scan *scan, struct schedule *schedule,
                         struct err *err)
{
    if (schedule->transfer_count + schedule->step_count < parts->next)
        return true;
    struct run run = {.parts = parts, .schedule = schedule, .line = scan->line};
    parts->next = SIZE_MAX;
    if (!may_run(&run, scan) || !open_run(&run))
        return true;
    parts->tried++;
    bool added = add_windows(&run, err);
    threads_rest(run.worker_count);
    free(run.memory);
    parts->next = schedule->transfer_count + schedule->step_count + parts->wait;
    parts->wait *= 2;
    scan->line = run.line;
    return added && scan_seek(scan, (int64_t)run.next, err);
}
