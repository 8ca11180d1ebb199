/* SPDX-License-Identifier: Apache-2.0 */
/* second_reader: compares the reports of the program and of a reader of tests/readers for the same
 * files.
 *
 *     second_reader_begin();
 *     second_reader_case(program, "1.sched", 0);        any number of cases
 *     second_reader_agree("schedule.awk", "text", 20);  one process of awk reads all of them
 *
 * An outcome is a line `STATUS|WHAT|…`, where WHAT is the rounds, the circuits of a row, or the
 * line and the code of the first mistake; other output of the program is omitted. Files are in a
 * new working folder, which is removed at the end.
 */
#ifndef ROUNDCAST_SECOND_READER_H
#define ROUNDCAST_SECOND_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int second_reader_program(int argc, char **argv);

/* Moves to a new folder, and back. */
void second_reader_begin(void);
void second_reader_end(void);

/* Runs the program with the words of a command and discards its output. Returns its status. */
int second_reader_command(second_reader_program *program, const char *command);

/* A case: `verify FILE` if row is 0, else `unpack FILE --round ROW`. */
void second_reader_case(second_reader_program *program, const char *file, uint32_t row);

/* Adds a case of a schedule that ends after `rounds` rounds, as counted by another program. */
void second_reader_counted(const char *file, uint64_t rounds);

/* Writes each file that differs from this one in a single way, and makes it a case: a line left
 * out, doubled or exchanged with the next; a number raised, lowered, or too large; a word of
 * letters changed; a byte put in. */
void second_reader_changes(second_reader_program *program, const char *file, uint32_t row);

/* The same for the file cut after every `step` bytes. */
void second_reader_cuts(second_reader_program *program, const char *file, uint32_t row,
                        size_t step);

/* Checks that the reader, a file of tests/readers, agrees with the program in all cases since the
 * last call, and that there are at least so many different outcomes. */
void second_reader_agree(const char *reader, const char *text, size_t least);

/* Number of cases since the last call in which the reader and the program differ. */
size_t second_reader_differing(const char *reader);

/* Runs the reader alone on the cases. Returns the number of outcomes with this status that contain
 * the part. */
size_t second_reader_count(const char *reader, int status, const char *part);

/* Returns whether an outcome of the last second_reader_agree contained this word, such as a
 * code. */
bool second_reader_met(const char *word);

#endif
