/* SPDX-License-Identifier: Apache-2.0 */
/* roundcast: schedules of collective communications, compiled to the settings of switches.
 *
 *     words ─► roundcast_build ─┐                    ┌─► roundcast_each_setting
 *                               ├─► roundcast_route ─┤
 *     file ──► roundcast_read ──┘                    └─► roundcast_image_write ─► a folder
 *              roundcast_write ─► file                   for `roundcast simulate`
 *
 * Words are those of the command line behind the command's name, in an array that ends with NULL:
 * {"-n", "22", "-m", "8", NULL}; NULL in place of the array is no words. The pages
 * roundcast-schedule(1) and roundcast-route(1) have them all; --help, --json and -o are the
 * program's own. A file that is called - is standard input or output.
 *
 * Errors. A function that can fail returns false or NULL then, and fills *error, which may be NULL.
 * What it would have given is left as it was. Nothing is printed, and nothing ends the program.
 *
 * Threads. There is no state outside of handles. Threads may call any function at the same time,
 * also for one handle; but a handle is freed once, when nobody uses it any more, and of two that
 * write one file at the same time one may get E202. Reading, writing and verifying large
 * schedules and routing start threads of their own by OpenMP (OMP_NUM_THREADS).
 *
 * Times. A time is counted in ticks: in the models with rounds a tick is a round, counted from 1.
 * In the postal model with λ = P/Q in lowest terms it is 1/Q of a unit, counted from 0.
 */
#ifndef ROUNDCAST_H
#define ROUNDCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- errors ---------------------------------------------------------------------------------- */

/* An error. Its text names a field of a request by its plain name ("tree"), where the program names
 * the option (`--tree`). docs/cli.md lists all codes. */
struct roundcast_error {
    int code;       /* 101 …; the hundreds digit is the error class */
    char text[480]; /* `where: what; expected what`, UTF-8 */
    char field[32]; /* the field that the text is about, "nodes"; "" if it is about none */
};

/* The name of a code, "one-port" for 301; "?" for what is none. Lives for ever. */
const char *roundcast_error_name(int code);

/* The version, "0.2.0". Lives for ever. */
const char *roundcast_version(void);

/* --- schedules ------------------------------------------------------------------------------- */

struct roundcast_schedule; /* transfers in order of time, with their model and demand */

/* Build an algorithm's schedule. `algorithm` is a name of `roundcast list`, `words` are those of
 * `roundcast schedule`. NULL with E101, E102, E103 for what is asked for, E104 without memory, E2xx
 * for a file of a demand. Free it. As long as the algorithm takes, mostly O(transfers). */
struct roundcast_schedule *roundcast_build(const char *algorithm, const char *const words[],
                                           struct roundcast_error *error);

/* The least end, in ticks, that any schedule of the collective can have that the same words ask an
 * algorithm for. E101, E102, E103, E104, E2xx. O(log n), but for the postal model O(λ n). */
bool roundcast_bound(const char *algorithm, const char *const words[], uint64_t *end,
                     struct roundcast_error *error);

/* Read a schedule's text (roundcast-schedule(5)) from a file, or from text[size], which messages
 * call `name`. A schedule that is read is well formed, not yet legal: that is roundcast_verify's.
 * NULL with E104, E201, E203 … E211. Free it. O(size). */
struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error);
struct roundcast_schedule *roundcast_read_text(const char *name, const char *text, size_t size,
                                               struct roundcast_error *error);

/* Write its text to a file, whole or not at all: E202. Or into memory that the caller gives to
 * free(), with *size bytes and a 0 behind them: NULL with E104. O(size). */
bool roundcast_write(const struct roundcast_schedule *schedule, const char *path,
                     struct roundcast_error *error);
char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error);

struct roundcast_schedule_info {
    const char *algorithm, *model; /* names that live as long as the schedule */
    uint32_t nodes;                /* processors, numbered from 0 */
    uint32_t packets;              /* numbered from 1 */
    uint32_t ticks;                /* in a unit of time: Q; 1 in models with rounds */
    uint64_t end;                  /* the last round, or the tick of the last arrival */
    size_t transfers;
};

/* What a schedule is. O(1). */
struct roundcast_schedule_info
roundcast_schedule_describe(const struct roundcast_schedule *schedule);

struct roundcast_transfer {
    uint64_t time;                /* in ticks */
    uint32_t source, destination; /* nodes; in trees routers, too, behind the nodes */
    uint32_t packet;
    uint32_t lane; /* of a tree's branch, from 0; 0 elsewhere */
};

/* Transfer `index`, 0 … transfers - 1, by ascending time. E102 behind the last. O(log rounds). */
bool roundcast_transfer_at(const struct roundcast_schedule *schedule, size_t index,
                           struct roundcast_transfer *transfer, struct roundcast_error *error);

struct roundcast_verdict {
    bool holds;
    bool has_bound;      /* it is a collective whose bound is known */
    uint64_t bound;      /* the least end of that collective, in ticks; 0 without one */
    uint64_t transfers;  /* that were checked */
    uint64_t arrivals;   /* first receipts of a packet by a node */
    uint64_t redundant;  /* receipts of a packet that the node has already */
    uint64_t violations; /* breaches of rules; the first one is the error's */
};

/* Does the schedule keep its model, and meet its demand? True if it does. Else the first fault, by
 * line of its text, round and node, is the error, E301 … E309, and the verdict is filled; or E104,
 * and nothing is known. O(transfers + nodes). */
bool roundcast_verify(const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error);

/* NULL is allowed. */
void roundcast_schedule_free(struct roundcast_schedule *schedule);

/* --- images ---------------------------------------------------------------------------------- */

struct roundcast_image; /* all tables of a machine, for one schedule and payload */

/* Verify a schedule and compile it for a machine. `words` are those of `roundcast route`; without
 * --network it is the smallest that fits. The schedule is copied, and stays as it is. NULL with
 * E101, E102, E104, E3xx, E401 … E409, E2xx for the payload's file. Free it. O(rows · ports · log
 * ports + transfers). */
struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const char *const words[], struct roundcast_error *error);

/* Write the folder of `roundcast route -o`: image.hex, schedule.sched and payload.bin, all or none
 * of them. E202. Or read one: NULL with E104, E2xx, E4xx. O(words). */
bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error);
struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error);

struct roundcast_image_info {
    char network[64];    /* "benes:32,pipe=1,pad=0" */
    uint32_t ports;      /* endpoints */
    uint32_t stages;     /* of a multistage network; 0: routers, which have no settings */
    uint32_t rows;       /* of the run: a row is a round, or a tick */
    uint32_t row_cycles; /* clock cycles of a row */
    uint32_t flits;      /* of a packet */
    uint32_t width;      /* bits of a flit */
    size_t words;        /* of all memories, that are loaded before the run */
};

/* What an image is of. O(1). */
struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image);

/* How a switch stands in a row: setting 0 … rows - 1 of the run, round - 1 or the tick.
 *
 *     2×2 switches              field: the switch; value: 0 straight, 1 crossed
 *     2×2 switches that copy    field: the lane behind the stage; value: 0 it has what is on the
 *                               same lane before the stage, 1 what is on its switch's other lane
 *     crossbars                 field: the lane behind the stage; value: i if it has what is on
 *                               input i - 1 of its crossbar, 0 nothing
 *
 * Where ports are no power of two some fields belong to no switch: what they have is of no use. */
struct roundcast_setting {
    uint32_t row, stage, field, value;
};

/* Call visit(with, setting) for every field of every stage, row by row, until one returns false. It
 * is read out of the image's tables, by the way that the hardware does it, whatever --settings
 * stores in them. Its result says nothing of visit's. E208 for routers, E104. O(rows · fields). */
bool roundcast_each_setting(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_setting *setting),
                            void *with, struct roundcast_error *error);

/* NULL is allowed. */
void roundcast_image_free(struct roundcast_image *image);

#ifdef __cplusplus
}
#endif

#endif
