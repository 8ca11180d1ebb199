/* SPDX-License-Identifier: Apache-2.0 */
/* goal_bin: writes binary GOAL. A text is written and parsed first, so that both forms have the
 * same operations, as if txt2bin had made the binary file. */
#include "sched/exchange/goal_bin.h"

#include "sched/exchange/exchange.h"
#include "sched/exchange/goal_program.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* A section to be written: operations first … end of the program. */
struct part {
    size_t first, end, entries;
    uint32_t roots;
};

static void put_u32(FILE *to, uint32_t word)
{
    word = htole32(word);
    fwrite(&word, sizeof word, 1, to);
}

static void put_u64(FILE *to, uint64_t word)
{
    word = htole64(word);
    fwrite(&word, sizeof word, 1, to);
}

/* Returns the section of the operations of a rank from `first` on. */
static struct part part_of(const struct goal *goal, uint32_t rank, size_t first)
{
    struct part part = {.first = first, .end = first};
    for (; part.end < goal->operations && goal->operation[part.end].rank == rank; part.end++) {
        part.entries += goal->operation[part.end].missing;
        part.roots += goal->operation[part.end].missing == 0;
    }
    return part;
}

static uint64_t size_of(const struct part *part)
{
    return GOAL_BIN_COUNTS + (uint64_t)GOAL_BIN_INDEX * (part->roots + part->entries) +
           (uint64_t)GOAL_BIN_OPERATION * (part->end - part->first);
}

/* Writes an operation, whose entries of the appendix begin at `*next`; stores these entries, and
 * moves *next after them. */
static void put_operation(FILE *to, const struct goal *goal, const struct part *part,
                          const struct goal_operation *operation, uint32_t appendix[],
                          uint32_t *next)
{
    uint32_t count[2] = {0}, left[2];
    for (size_t e = operation->edge; e != GOAL_NONE; e = goal->edge[e].next)
        count[goal->edge[e].immediate]++;
    const uint32_t first[2] = {*next, *next + count[0]};
    memcpy(left, count, sizeof left);
    /* the list of edges begins with the last one of the text */
    for (size_t e = operation->edge; e != GOAL_NONE; e = goal->edge[e].next) {
        const bool immediate = goal->edge[e].immediate;
        appendix[first[immediate] + --left[immediate]] = (uint32_t)(goal->edge[e].to - part->first);
    }
    *next += count[0] + count[1];
    put_u32(to, operation->missing);
    fputc(operation->kind == GOAL_SEND ? 1 : operation->kind == GOAL_RECV ? 2 : 3, to);
    put_u32(to, operation->peer);
    put_u64(to, operation->bytes);
    put_u32(to, operation->tag);
    fputc(0, to); /* cpu */
    fputc(0, to); /* nic */
    for (unsigned immediate = 0; immediate < 2; immediate++) {
        put_u32(to, count[immediate]);
        put_u32(to, first[immediate]);
    }
}

static void put_part(FILE *to, const struct goal *goal, const struct part *part,
                     uint32_t appendix[])
{
    uint32_t next = 0;
    put_u32(to, (uint32_t)(part->end - part->first));
    put_u32(to, part->roots);
    for (size_t k = part->first; k < part->end; k++)
        if (goal->operation[k].missing == 0)
            put_u32(to, (uint32_t)(k - part->first));
    for (size_t k = part->first; k < part->end; k++)
        put_operation(to, goal, part, &goal->operation[k], appendix, &next);
    for (uint32_t e = 0; e < next; e++)
        put_u32(to, appendix[e]);
}

/* Writes a program whose operations are in the order of their ranks. */
static bool put_program(FILE *to, const struct goal *goal, struct err *err)
{
    uint32_t *appendix = malloc((goal->edges + 1) * sizeof *appendix);
    if (appendix == NULL)
        return err_no_memory(err, "%zu requirements", goal->edges);
    put_u64(to, GOAL_BIN_MAGIC);
    put_u32(to, goal->ranks);
    fputc(0, to); /* the maximum cpu */
    fputc(0, to); /* the maximum nic */
    uint64_t at = GOAL_BIN_HEAD - GOAL_BIN_BASE + (uint64_t)GOAL_BIN_ENTRY * goal->ranks;
    size_t first = 0;
    for (uint32_t rank = 0; rank < goal->ranks; rank++) {
        const struct part part = part_of(goal, rank, first);
        put_u64(to, at);
        put_u64(to, at += size_of(&part));
        first = part.end;
    }
    first = 0;
    for (uint32_t rank = 0; rank < goal->ranks && !ferror(to); rank++) {
        const struct part part = part_of(goal, rank, first);
        put_part(to, goal, &part, appendix);
        first = part.end;
    }
    free(appendix);
    return true;
}

static bool write_binary(FILE *to, const struct schedule *schedule,
                         const struct exchange_options *options, struct err *err)
{
    struct document document = {.name = "GOAL"};
    struct goal goal = {0};
    FILE *text = open_memstream(&document.text, &document.size);
    if (text == NULL)
        return err_no_memory(err, "a stream");
    bool written = exchange_goal.write(text, schedule, options, err);
    bool whole = !ferror(text);
    if ((fclose(text) != 0 || !whole) && written)
        written = err_no_memory(err, "the text of GOAL");
    /* a single rank has no operations, and its text cannot be parsed */
    goal.ranks = schedule->nodes;
    written = written && (schedule->nodes == 1 || goal_parse(&document, &goal, err)) &&
              put_program(to, &goal, err);
    goal_free(&goal);
    free(document.text);
    return written;
}

/* Compares the first number of a file: the head ends before its first byte 0. */
static bool is_binary(const char *head)
{
    return strcmp(head, "\x7f\x10") == 0 || strcmp(head, "\x26\x09") == 0;
}

const struct exchange_format exchange_goal_bin = {
    .name = "goal-bin",
    .what = "binary GOAL, for LogGOPSim",
    .suffix = "bin",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_COPIES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_binary,
    .list = goal_bin_list,
    .binary = true,
    .is_like = is_binary,
    .proof = GOAL_PROOF,
};
