/* io: files that a command reads and writes; `-` is standard input or output. */
#ifndef ROUNDCAST_IO_H
#define ROUNDCAST_IO_H

#include "sched/schedule/schedule.h"

/* What messages call a file: its path, or "standard input" and "standard output" for `-`. */
const char *io_input_name(const char *path);
const char *io_output_name(const char *path);

/* Open for reading; E201. Close with io_close_input. */
FILE *io_open_input(const char *path, struct err *err);
void io_close_input(FILE *file);

/* Open, read and close a schedule. E201, E203 … E210. Free it with schedule_free. */
bool io_read_schedule(const char *path, struct schedule *schedule, struct err *err);

/* Write a schedule, whole or not at all. E202. */
bool io_write_schedule(const char *path, const struct schedule *schedule, struct err *err);

/* A file that appears whole or not at all: it is written beside its place and moved there by
 * io_commit. (Devices and pipes are written directly.) */
struct io_output {
    FILE *file;
    const char *name; /* for messages */
    char *target;     /* the file to replace; NULL: nothing to move */
    char *temporary;  /* where it is written until then; NULL: nothing to move */
};

/* Open for writing; E202. Then either commit or discard, once. */
bool io_open_output(const char *path, struct io_output *output, struct err *err);

/* Close, and put the file in its place. E202; nothing is left behind then. */
bool io_commit(struct io_output *output, struct err *err);

/* Close, and leave everything as it was. */
void io_discard(struct io_output *output);

#endif
