/* SPDX-License-Identifier: Apache-2.0 */
/* exchange: schedules in the formats of other tools. A format is a name in EXCHANGE_TABLE and a
 * file that defines its row; docs/exchange.md describes each format, docs/extending.md how to add
 * one. */
#ifndef ROUNDCAST_EXCHANGE_H
#define ROUNDCAST_EXCHANGE_H

#include "sched/exchange/transfers.h"

/* All formats: X(NAME) for a row exchange_NAME, which the file NAME.c defines. A file is recognised
 * as the first format that it is like. */
#define EXCHANGE_TABLE(X) \
    X(goal)               \
    X(goal_bin)           \
    X(openoptics)         \
    X(sccl)               \
    X(forestcoll)         \
    X(msccl)              \
    X(mscclpp)            \
    X(mpi_c)              \
    X(ion)                \
    X(sonic_ocs)          \
    X(taprio)             \
    X(noxim)              \
    X(booksim_trace)      \
    X(booksim_anynet)     \
    X(tsnkit)             \
    X(teccl)              \
    X(taccl)              \
    X(chakra)             \
    X(chakra_et)          \
    X(jsonl)              \
    X(csv)

/* Features of a schedule that some formats cannot express, as bits. */
enum exchange_feature {
    EXCHANGE_TREE = 1,      /* routers between the processors */
    EXCHANGE_CONTROL = 2,   /* control packets, which carry a number */
    EXCHANGE_TIMES = 4,     /* times that are not rounds */
    EXCHANGE_COPIES = 8,    /* one send to several nodes */
    EXCHANGE_PORTS = 16,    /* several sends of a node in a round */
    EXCHANGE_COMBINES = 32, /* packets that are combined */
    EXCHANGE_FABRIC = 64    /* packets that the network combines; no format expresses them */
};

/* Options of a writer. */
struct exchange_options {
    uint64_t bytes; /* bytes of a packet, if the format contains them; at least 1 */
    /* the executor whose limits apply, 1 + its index; 0: the limits of the format */
    unsigned executor;
};

#define EXCHANGE_EXECUTORS 3

/* Returns the name of executor 0 … EXCHANGE_EXECUTORS - 1, over all formats. */
const char *exchange_executor_name(unsigned which);

struct exchange_format {
    const char *name;
    const char *what;   /* one line, for reports and help */
    const char *suffix; /* suffix of its files, without the point */
    const char *proof;  /* what `read` proves besides, for reports; NULL: nothing */
    unsigned lacks;     /* bits of exchange_feature that a schedule must not have */
    uint32_t most;      /* maximum number of nodes of a schedule */
    /* Returns the name of the runtime with this index whose limits a file can keep; NULL after the
     * last. NULL: the format has no executors. */
    const char *(*executor)(unsigned which);

    /* Writes a legal schedule that the format can express. The caller checks the file for write
     * errors. E104, E208. NULL: the format cannot be written. */
    bool (*write)(FILE *to, const struct schedule *schedule, const struct exchange_options *options,
                  struct err *err);

    /* Reads a schedule, and finds rounds under a model; messages call the file `name`. E104, E2xx.
     * NULL: the format cannot be read, or is a list of transfers. */
    bool (*read)(FILE *from, const char *name, enum model model, struct schedule *schedule,
                 struct err *err);

    /* Reads a list of transfers, whose schedule transfers_schedule makes. E104, E2xx. NULL: the
     * format is no list. */
    bool (*list)(const struct document *document, struct transfers *transfers, struct err *err);

    /* `list` reads given rounds, so that every topology and every model applies; false: rounds are
     * found, under models on a complete graph */
    bool given;

    bool binary; /* the files that `list` reads are binary */

    /* Returns whether a file that begins with this text can be of this format. NULL: no file. */
    bool (*is_like)(const char *head);
};

#define EXCHANGE_DECLARE(name) extern const struct exchange_format exchange_##name;
EXCHANGE_TABLE(EXCHANGE_DECLARE)
#undef EXCHANGE_DECLARE

/* All formats in the order of EXCHANGE_TABLE, ending with NULL. */
extern const struct exchange_format *const exchange_table[];

#define EXCHANGE_NAMES 240

/* Writes "a|b|c", the names of the formats that can be written, or of those that can be read.
 * Returns text. */
const char *exchange_names(bool written, char text[EXCHANGE_NAMES]);

/* Returns the format with this name that can be written, or read; NULL with E101 if there is
 * none. */
const struct exchange_format *exchange_find(const char *name, bool written, struct err *err);

/* Returns whether schedules of the format can be read. */
static inline bool exchange_is_read(const struct exchange_format *format)
{
    return format->read != NULL || format->list != NULL;
}

/* Reads a schedule under a model; messages call the file `name`. E103 for a model for which no
 * rounds can be found, and the errors of the format. */
bool exchange_read(const struct exchange_format *format, FILE *from, const char *name,
                   enum model model, struct schedule *schedule, struct err *err);

/* Reads the schedule of a file (`-`: standard input) in any format: of roundcast, or in `format`;
 * NULL: the format is recognised by the first bytes, and stored in *format, NULL for a schedule of
 * roundcast. The schedule is not verified. E103 for a model for which no rounds can be found; E201;
 * E203 for a file that no format is like; E313 for another collective than the expected one; the
 * errors of the format, of transfers_schedule and of compact_schedule. */
bool exchange_load(const char *path, const struct exchange_reading *how,
                   const struct exchange_format **format, struct schedule *schedule,
                   struct err *err);

/* Reads a schedule like exchange_load, from an open file or pipe; messages call it `name`. E202 if
 * a pipe cannot be copied to a temporary file. */
bool exchange_load_from(FILE *file, const char *name, const struct exchange_reading *how,
                        const struct exchange_format **format, struct schedule *schedule,
                        struct err *err);

/* Writes a legal schedule to a file; messages call the file `name`. E101 as exchange_check_options;
 * E208 for a feature that the format or the executor cannot express, E102 for too many nodes, E104,
 * E202. O(transfers + demands + nodes), except formats with a matrix of nodes. */
bool exchange_write(const struct exchange_format *format, FILE *to, const char *name,
                    const struct schedule *schedule, const struct exchange_options *options,
                    struct err *err);

/* Checks that a format has executors if the options name one. E101. */
bool exchange_check_options(const struct exchange_format *format,
                            const struct exchange_options *options, struct err *err);

#endif
