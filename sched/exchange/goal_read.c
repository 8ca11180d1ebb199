/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/goal_program.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A word: letters, digits, `_` and `-`, or one other character; length 0: the end. */
struct word {
    const char *at;
    size_t length;
};

/* The label of an operation of the current rank: an entry of a hash table, free if length is 0. */
struct label_of {
    struct word word;
    uint32_t rank;
    size_t operation;
};

struct goal_reader {
    const struct document *document;
    struct goal *goal;
    const char *next;
    struct word word;    /* the current one */
    const char *line_of; /* up to here lines are counted in `line` */
    uint32_t line;
    bool *seen; /* [ranks]: the rank was read */
    struct label_of *label;
    size_t labels, label_room; /* the room is a power of two, at most half of it used */
};

/* -- words --------------------------------------------------------------------------------------*/

static bool is_of_word(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '-';
}

/* Returns the first byte from `at` on that is neither blank nor in a comment. */
static const char *skip(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*' && strstr(at + 2, "*/") != NULL)
            at = strstr(at + 2, "*/") + 2;
        else
            return at;
    }
}

static void advance(struct goal_reader *reader)
{
    const char *at = skip(reader->next);
    size_t length = 0;
    while (is_of_word(at[length]))
        length++;
    if (length == 0 && *at != '\0')
        length = 1;
    for (; reader->line_of < at; reader->line_of++)
        reader->line += *reader->line_of == '\n';
    reader->word = (struct word){at, length};
    reader->next = at + length;
}

static bool is(const struct word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

static bool wrong(const struct goal_reader *reader, struct err *err, enum err_code code,
                  const char *expected)
{
    const struct word *word = &reader->word;
    return word->length == 0
               ? document_wrong(reader->document, word->at, err, code, "the end; expected %s",
                                expected)
               : document_wrong(reader->document, word->at, err, code, "'%.*s'; expected %s",
                                (int)MIN(word->length, 40u), word->at, expected);
}

/* Reads a word that must be `text`. */
static bool take(struct goal_reader *reader, const char *text, struct err *err)
{
    if (!is(&reader->word, text))
        return wrong(reader, err, ERR_SYNTAX, text);
    advance(reader);
    return true;
}

/* Reads a number with an optional suffix, such as 8b. E204, E205. */
static bool take_number(struct goal_reader *reader, const char *suffix, uint64_t most,
                        uint64_t *number, struct err *err)
{
    const struct word word = reader->word;
    size_t length = word.length, after = strlen(suffix);
    bool has_suffix = length > after && memcmp(word.at + length - after, suffix, after) == 0;
    *number = 0;
    for (size_t k = 0; k < length - (has_suffix ? after : 0); k++) {
        if (word.at[k] < '0' || word.at[k] > '9')
            return wrong(reader, err, is(&word, "-1") ? ERR_UNSUPPORTED : ERR_SYNTAX,
                         is(&word, "-1") ? "one rank and one tag, which decide the message"
                                         : "a number");
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(word.at[k] - '0'), number) || *number > most)
            return wrong(reader, err, ERR_FIELD_RANGE, "a smaller number");
    }
    if (length == 0)
        return wrong(reader, err, ERR_SYNTAX, "a number");
    advance(reader);
    return true;
}

/* -- labels -------------------------------------------------------------------------------------*/

/* Returns the entry of a label of a rank, or the free one for it. */
static struct label_of *entry_of(const struct goal_reader *reader, const struct word *word,
                                 uint32_t rank)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ rank;
    for (size_t k = 0; k < word->length; k++)
        hash = (hash ^ (unsigned char)word->at[k]) * UINT64_C(0x100000001b3);
    size_t place = (size_t)(hash ^ hash >> 32) & (reader->label_room - 1);
    for (;; place = (place + 1) & (reader->label_room - 1)) {
        struct label_of *entry = &reader->label[place];
        if (entry->word.length == 0 || (entry->rank == rank && entry->word.length == word->length &&
                                        memcmp(entry->word.at, word->at, word->length) == 0))
            return entry;
    }
}

/* Doubles the table of labels if half of it is used. E104. */
static bool has_room(struct goal_reader *reader, struct err *err)
{
    struct label_of *old = reader->label;
    size_t room = reader->label_room;
    if (2 * (reader->labels + 1) <= room)
        return true;
    reader->label_room = room > 0 ? 2 * room : 64;
    reader->label = calloc(reader->label_room, sizeof *reader->label);
    if (reader->label == NULL) {
        reader->label = old;
        reader->label_room = room;
        return err_no_memory(err, "%zu labels", reader->labels);
    }
    for (size_t k = 0; k < room; k++)
        if (old[k].word.length > 0)
            *entry_of(reader, &old[k].word, old[k].rank) = old[k];
    free(old);
    return true;
}

static bool add_label(struct goal_reader *reader, const struct word *word, uint32_t rank,
                      struct err *err)
{
    if (!has_room(reader, err))
        return false;
    struct label_of *entry = entry_of(reader, word, rank);
    if (entry->word.length > 0)
        return document_wrong(reader->document, word->at, err, ERR_ORDER,
                              "a second label '%.*s' of rank %" PRIu32 "; expected another name",
                              (int)MIN(word->length, 40u), word->at, rank);
    *entry = (struct label_of){*word, rank, reader->goal->operations};
    reader->labels++;
    return true;
}

/* Finds the operation of a label. E204. */
static bool find_label(const struct goal_reader *reader, const struct word *word, uint32_t rank,
                       size_t *operation, struct err *err)
{
    const struct label_of *entry = reader->label_room > 0 ? entry_of(reader, word, rank) : NULL;
    if (entry == NULL || entry->word.length == 0)
        return document_wrong(reader->document, word->at, err, ERR_SYNTAX,
                              "no operation '%.*s' before; expected a label of rank %" PRIu32,
                              (int)MIN(word->length, 40u), word->at, rank);
    *operation = entry->operation;
    return true;
}

/* -- operations ---------------------------------------------------------------------------------*/

/* Reads `cpu N` and `nic N`, which a schedule does not use, and the tag of a message. */
static bool read_attributes(struct goal_reader *reader, struct goal_operation *operation,
                            struct err *err)
{
    for (;;) {
        uint64_t number;
        bool tag = is(&reader->word, "tag") && operation->kind != GOAL_CALC;
        if (!tag && !is(&reader->word, "cpu") && !is(&reader->word, "nic"))
            return true;
        advance(reader);
        if (!take_number(reader, "", UINT32_MAX, &number, err))
            return false;
        operation->tag = tag ? (uint32_t)number : operation->tag;
    }
}

/* Reads an operation from its name on: `send`, `recv` or `calc`. */
static bool read_operation(struct goal_reader *reader, uint32_t rank, struct err *err)
{
    static const char *const names[] = {"send", "recv", "calc"};
    struct goal_operation operation = {.rank = rank, .at = reader->word.at, .line = reader->line};
    unsigned which = 0;
    uint64_t peer = 0;
    while (which < 3 && !is(&reader->word, names[which]))
        which++;
    if (which == 3)
        return wrong(reader, err, ERR_SYNTAX, "send, recv or calc");
    operation.kind = (enum goal_kind)which;
    advance(reader);
    if (!take_number(reader, which < 2 ? "b" : "", UINT64_MAX, &operation.bytes, err))
        return false;
    if (which < 2 && (!take(reader, which == 0 ? "to" : "from", err) ||
                      !take_number(reader, "", reader->goal->ranks - 1, &peer, err)))
        return false;
    operation.peer = (uint32_t)peer;
    if (which < 2 && operation.peer == rank)
        return document_wrong(reader->document, operation.at, err, ERR_SELF_SEND,
                              "rank %" PRIu32 " is its own peer; expected another rank", rank);
    return read_attributes(reader, &operation, err) &&
           goal_add_operation(reader->goal, &operation, err);
}

/* Reads what an operation requires: `A requires B`. */
static bool read_requirement(struct goal_reader *reader, const struct word *label, uint32_t rank,
                             struct err *err)
{
    bool immediate = is(&reader->word, "irequires");
    size_t operation, before;
    advance(reader);
    if (!find_label(reader, label, rank, &operation, err) ||
        !find_label(reader, &reader->word, rank, &before, err) ||
        !goal_add_edge(reader->goal, operation, before, immediate, err))
        return false;
    advance(reader);
    return true;
}

/* Reads one line of a rank. */
static bool read_line(struct goal_reader *reader, uint32_t rank, struct err *err)
{
    const struct word word = reader->word;
    if (is(&word, "send") || is(&word, "recv") || is(&word, "calc"))
        return read_operation(reader, rank, err);
    if (word.length == 0 || !is_of_word(*word.at))
        return wrong(reader, err, ERR_SYNTAX, "an operation, or }");
    advance(reader);
    if (is(&reader->word, "requires") || is(&reader->word, "irequires"))
        return read_requirement(reader, &word, rank, err);
    return take(reader, ":", err) && add_label(reader, &word, rank, err) &&
           read_operation(reader, rank, err);
}

static bool read_rank(struct goal_reader *reader, struct err *err)
{
    uint64_t rank;
    const char *at;
    if (!take(reader, "rank", err))
        return false;
    at = reader->word.at;
    if (!take_number(reader, "", reader->goal->ranks - 1, &rank, err))
        return false;
    if (reader->seen[rank])
        return document_wrong(reader->document, at, err, ERR_ORDER,
                              "a second part of rank %" PRIu64 "; expected one", rank);
    reader->seen[rank] = true;
    if (!take(reader, "{", err))
        return false;
    while (!is(&reader->word, "}"))
        if (!read_line(reader, (uint32_t)rank, err))
            return false;
    advance(reader);
    return true;
}

static bool read_all(struct goal_reader *reader, struct err *err)
{
    uint64_t ranks;
    advance(reader);
    if (!take(reader, "num_ranks", err))
        return false;
    const char *at = reader->word.at;
    if (!take_number(reader, "", SCHEDULE_MAX_NODES, &ranks, err))
        return false;
    if (ranks < 2)
        return document_wrong(reader->document, at, err, ERR_FIELD_RANGE,
                              "%" PRIu64 " ranks; expected at least 2", ranks);
    reader->goal->ranks = (uint32_t)ranks;
    reader->seen = calloc(ranks, sizeof *reader->seen);
    if (reader->seen == NULL)
        return err_no_memory(err, "%" PRIu64 " ranks", ranks);
    while (reader->word.length > 0)
        if (!read_rank(reader, err))
            return false;
    return true;
}

bool goal_parse(const struct document *document, struct goal *goal, struct err *err)
{
    struct goal_reader reader = {.document = document,
                                 .goal = goal,
                                 .next = document->text,
                                 .line_of = document->text,
                                 .line = 1};
    *goal = (struct goal){.document = document};
    bool read = read_all(&reader, err);
    free(reader.seen);
    free(reader.label);
    if (!read)
        goal_free(goal);
    return read;
}

bool goal_list_program(struct goal *goal, struct transfers *transfers, struct err *err)
{
    const struct document *document = goal->document;
    transfers->lines = document->binary ? (uint32_t)goal->operations
                                        : document_line(document, document->text + document->size);
    bool listed = goal_schedule(goal, transfers->model, transfers, err);
    transfers->nodes = MAX(transfers->nodes, goal->ranks);
    return listed;
}

bool goal_list(const struct document *document, struct transfers *transfers, struct err *err)
{
    struct goal goal;
    if (!goal_parse(document, &goal, err))
        return false;
    bool listed = goal_list_program(&goal, transfers, err);
    goal_free(&goal);
    return listed;
}
