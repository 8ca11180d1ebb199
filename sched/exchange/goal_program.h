/* SPDX-License-Identifier: Apache-2.0 */
/* goal_program: a GOAL file that was read: operations of ranks, and what each of them requires.
 *
 *     num_ranks 2
 *     rank 0 {
 *     a: send 8b to 1 tag 4 cpu 0 nic 0      tag, cpu and nic may be missing: 0
 *     b: calc 100 cpu 0                      takes no round
 *     b requires a                           b begins after a has ended
 *     }
 *     rank 1 { r: recv 8b from 0 tag 4       the k-th of the file matches the k-th such send
 *     s: send 8b to 0 tag 4
 *     s requires r }                         s forwards what r receives: tag and size are equal
 *
 * `a irequires b`: a begins after b has begun. */
#ifndef ROUNDCAST_GOAL_PROGRAM_H
#define ROUNDCAST_GOAL_PROGRAM_H

#include "sched/exchange/transfers.h"

#define GOAL_NONE SIZE_MAX

/* What goal_schedule proves, for the formats that are read as GOAL programs. */
#define GOAL_PROOF "every send meets its receipt, and no operation waits for ever"

enum goal_kind { GOAL_SEND, GOAL_RECV, GOAL_CALC };

struct goal_operation {
    enum goal_kind kind;
    uint32_t rank, peer, tag;
    uint64_t bytes;
    const char *at;   /* its place in the document */
    uint32_t line;    /* its line, or in a binary file its number, from 1 */
    size_t edge;      /* the first operation that requires this one; GOAL_NONE */
    uint32_t missing; /* number of operations that it requires */
    /* found by goal_schedule: the send of a receipt, or the reverse; the receipt whose packet a
     * send, or a calculation, forwards, GOAL_NONE: none */
    size_t partner, from;
    uint64_t number; /* of the packet of a send that forwards nothing */
};

/* An operation that requires another one; the edges of an operation are a list. */
struct goal_edge {
    size_t to, next;
    bool immediate; /* irequires */
};

struct goal {
    const struct document *document;
    uint32_t ranks;
    size_t operations, operation_room, edges, edge_room;
    struct goal_operation *operation;
    struct goal_edge *edge;
};

/* Reads a file. E104, E204, E205; E206 for a label or a rank that occurs twice; E208 for receipts
 * from any rank or of any tag. O(bytes). Free it with goal_free. */
bool goal_parse(const struct document *document, struct goal *goal, struct err *err);

/* Appends an operation that requires nothing yet. E104. O(1) amortised. */
bool goal_add_operation(struct goal *goal, const struct goal_operation *operation, struct err *err);

/* Lets an operation require another one, `before`: that it has ended, or begun if `immediate`.
 * Precondition: both are operations of the program. E104. O(1) amortised. */
bool goal_add_edge(struct goal *goal, size_t operation, size_t before, bool immediate,
                   struct err *err);

void goal_free(struct goal *goal);

/* Finds the messages, their packets and their rounds under a model, and appends them to a list.
 * E104; E205 for a receipt of another size than its send; E206 for sends and receipts that do not
 * match, and operations that wait for ever. O(operations · log operations). */
bool goal_schedule(struct goal *goal, enum model model, struct transfers *transfers,
                   struct err *err);

/* Appends the transfers of a program to a list, with the number of its ranks and of its lines; a
 * line of a binary file is an operation. The errors of goal_schedule. */
bool goal_list_program(struct goal *goal, struct transfers *transfers, struct err *err);

/* Reads a text as a list of transfers. The errors of goal_parse and of goal_schedule. */
bool goal_list(const struct document *document, struct transfers *transfers, struct err *err);

#endif
