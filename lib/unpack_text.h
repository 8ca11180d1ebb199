/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_text: prints the rows of an image as lines of the schedule that the image runs. */
#ifndef ROUNDCAST_UNPACK_TEXT_H
#define ROUNDCAST_UNPACK_TEXT_H

#include "sched/base/rational.h"
#include "sched/image/unpack.h"

#define UNPACK_ROW_TEXT (RATIONAL_TEXT + 8)

/* Writes the name of a row, "round 3", or "time 5/2" in a run without barriers, and returns it. */
const char *unpack_row_text(const struct unpacked *unpacked, uint32_t row,
                            char text[UNPACK_ROW_TEXT]);

/* Unpacks a row and stores the circuits of the packets that begin in it, in the order of
 * unpack_circuits, into circuit[unpack_most_circuits]. Returns their number. O(ports · stages). */
uint32_t unpack_row_circuits(struct unpacked *unpacked, uint32_t row, struct circuit circuit[]);

/* Prints the row in the format of a schedule: its name and a line for each circuit. A packet that
 * reaches no port, and a receiver that expects another packet or none, are comments. */
void unpack_print_row(FILE *to, const struct unpacked *unpacked, uint32_t row,
                      const struct circuit circuit[], uint32_t count);

/* Prints the whole schedule; `name` is the name of the file in messages. E104, E202. O(rows · ports
 * · stages). */
bool unpack_print_schedule(FILE *to, const char *name, struct unpacked *unpacked, struct err *err);

#endif
