/* SPDX-License-Identifier: Apache-2.0 */
/* goal_bin: the binary form of GOAL, which txt2bin of LogGOPSim makes of a text and which LogGOPSim
 * executes. Numbers are little-endian, and nothing is aligned:
 *
 *     u64 4223                                header
 *     u32 ranks, u8 maximum cpu, u8 maximum nic
 *     u64 begin, end                          for each rank: its section, counted from byte 8
 *
 *     u32 operations, roots                   a section
 *     u32 root                                for each operation that requires nothing, its index
 *     u32 requirements, u8 kind, u32 peer,    for each operation; kind 1: send, 2: recv, 3: calc
 *     u64 bytes, u32 tag, u8 cpu, u8 nic,
 *     u32 ended, u32 first ended,             entries of the appendix: operations that require the
 *     u32 begun, u32 first begun              end of this one, and those that require its begin
 *     u32 operation                           the appendix */
#ifndef ROUNDCAST_GOAL_BIN_H
#define ROUNDCAST_GOAL_BIN_H

#include "sched/exchange/transfers.h"

#define GOAL_BIN_MAGIC 4223u
#define GOAL_BIN_USED_UP 2342u /* LogGOPSim --save-mem executes in the file, and marks it */

enum {
    GOAL_BIN_BASE = 8,                 /* sections are counted from here */
    GOAL_BIN_HEAD = GOAL_BIN_BASE + 6, /* then the table of sections */
    GOAL_BIN_ENTRY = 16,               /* a section in this table */
    GOAL_BIN_COUNTS = 8,               /* the numbers of operations and of roots */
    GOAL_BIN_OPERATION = 39,
    GOAL_BIN_INDEX = 4
};

/* Reads a binary file as a list of transfers. E104, E210; E203 for another first number; E204 for
 * another kind of operation; E205 for sizes, ranks and indices that do not agree; E206 for sections
 * or roots out of order; E207 for a file that ends too early; E208 for receipts from any rank or of
 * any tag; the errors of goal_schedule. The sizes of a section are checked before its operations
 * are stored. */
bool goal_bin_list(const struct document *document, struct transfers *transfers, struct err *err);

#endif
