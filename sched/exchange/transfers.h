/* SPDX-License-Identifier: Apache-2.0 */
/* transfers: a list of transfers, as scripts and simulators print it, and the schedule that it is.
 *
 *     round,source,destination,packet
 *     0,0,1,a                          round 1   0 → 1: packet 1
 *     1,0,2,a                          round 2   0 → 2, 1 → 3: packet 1
 *     1,1,3,a                          demand 1 0 *: packet a starts at node 0, all nodes want it
 *
 * The list has no demands. A packet starts at its first sender. It is for all nodes if every packet
 * reaches all nodes; otherwise for the last node of its way if each node on the way forwards it
 * once, or else for every node that receives it. An expected collective decides instead. Packets
 * are numbered by source, receiver and label, so that the collective is recognised.
 *
 * A packet that is combined has its demand in a column of its own:
 *
 *     round,source,destination,packet,combine,reduction
 *     1,2,0,1,combine,0 of *           contributions of all nodes, combined, to node 0
 *     2,1,0,1,combine,0 of *
 *
 * Packets of such a list are numbered by label. */
#ifndef ROUNDCAST_TRANSFERS_H
#define ROUNDCAST_TRANSFERS_H

#include "sched/exchange/document.h"
#include "sched/schedule/schedule.h"

/* A transfer. Its time is `time` + `part` · 10⁻¹⁸; in a list with ticks, `time` ticks. */
struct listed {
    uint64_t time, part;
    uint32_t source, destination;
    uint32_t label; /* index of the label of its packet */
    uint32_t line;
    uint32_t lane;      /* of a branch of a tree */
    unsigned combining; /* enum combining */
};

/* The name of a packet in the file: a number, or a text in the document. */
struct label {
    uint64_t number;  /* the hash of the text, if there is a text */
    const char *text; /* NULL: a number; not owned */
    uint32_t length;
    const char *reduction; /* its demand, if it is combined; NULL: none; not owned */
    uint32_t reduction_length;
};

struct transfers {
    const struct document *document;
    /* for readers that find the rounds, or the packets: the model, and whether the expected
     * collective sends each packet to one node */
    enum model model;
    bool apart;
    /* for readers of given rounds: the topology, NULL: a complete graph; and 0, or the ticks of a
     * unit of time in a model with times */
    const struct topology *topology;
    uint32_t ticks;
    bool timed;    /* transfers have times; false: they are in order */
    bool fraction; /* a time is not a whole number */
    bool combines; /* a packet is combined */
    uint32_t lines;
    uint32_t nodes; /* 1 + the largest node; or more if the file gives the number */
    size_t count, room;
    struct listed *entry;
    uint32_t label_count, label_room;
    struct label *label;
    uint32_t *bucket; /* [buckets]: hash table of 1 + the index of a label; 0: free */
    uint32_t buckets;
    const char *reduction; /* of the packet of the entry that is read; NULL: none; not owned */
    uint32_t reduction_length;
};

/* What a reader of schedules is asked for. */
struct exchange_reading {
    enum model model; /* the rules of a round */
    bool has_model;   /* the model was given, also for files that name their own */
    /* the rules besides the model. The topology is NULL for a complete graph of the nodes of the
     * file; λ is for models with times, 0/0 if it is not given; 0 ports mean 1 */
    const struct topology *topology;
    struct rational lambda;
    uint32_t ports;
    uint32_t nodes; /* 0: 1 + the largest node of the file, or those of the topology */
    bool compact;   /* find the earliest rounds, keeping the order (recognise.h) */
    bool expects;   /* the schedule must be one of this collective: */
    enum collective_kind expected;
    /* the schedule must meet the demands of this one, on its topology; NULL: any demands. A list
     * names its packets by their numbers. The model is that of the demands unless it was given */
    const struct schedule *demands;
    const char *algorithm; /* text of the `algorithm` line; NULL: the name of the format */
};

/* The columns, or keys, of a transfer. A list without names has the first COLUMNS. */
enum transfers_column {
    COLUMN_TIME,
    COLUMN_SOURCE,
    COLUMN_DESTINATION,
    COLUMN_PACKET,
    COLUMNS,
    COLUMN_COMBINE = COLUMNS, /* how the receiver combines */
    COLUMN_REDUCTION,         /* the demand of the packet */
    COLUMN_LANE,              /* of a branch of a tree */
    COLUMN_OTHER
};

/* Returns the column with this name in upper or lower case; COLUMN_OTHER if there is none. */
enum transfers_column transfers_column_of(const char *name, size_t length);

/* Returns the names of a column as "round, time, …" for messages. */
const char *transfers_column_names(enum transfers_column column);

/* Checks that a transfer has all columns; only the time may be missing, in the whole file. E204. */
bool transfers_check_columns(struct transfers *transfers, const char *at,
                             const bool found[COLUMN_OTHER + 1], struct err *err);

/* Reads the text at[length] of a column into an entry. The text is in the document, at its place,
 * and remains there. E104; E204; E205. */
bool transfers_value(struct transfers *transfers, enum transfers_column column, const char *at,
                     size_t length, struct listed *entry, struct err *err);

/* Finds or adds a label of a packet; *index is its index. E104. */
bool transfers_label(struct transfers *transfers, const char *at, const struct label *label,
                     uint32_t *index, struct err *err);

/* Finds or adds the label of a packet that has only a number. E104. */
bool transfers_number(struct transfers *transfers, const char *at, uint64_t number, uint32_t *label,
                      struct err *err);

/* Appends an entry. Its source and destination must differ: E210. E204 for another reduction of its
 * packet; E104. Amortised O(1). */
bool transfers_add(struct transfers *transfers, const char *at, const struct listed *entry,
                   struct err *err);

/* Makes the schedule of the list. E102 for fewer nodes than the file has; E104; E204 for times that
 * are not whole, or that are missing, unless the rounds are found (`compact`); E205 for a packet
 * that the given demands do not have; E208 for given demands that a list cannot meet; E209 for an
 * empty list; E211 for nodes that no link of the topology joins; E302 for a sender without the
 * packet, if rounds are found; E313 for another collective than the expected one. O(transfers ·
 * log transfers + nodes). */
bool transfers_schedule(const struct transfers *transfers, const struct exchange_reading *how,
                        struct schedule *schedule, struct err *err);

void transfers_free(struct transfers *transfers);

/* --- Packets that are combined (transfers_combined.c) --------------------------------------- */

/* Returns the text of the column `combine`: "combine", "received", "replace" or
 * "received+replace". */
const char *transfers_combine_text(unsigned combining);

/* Reads the text of the column `combine` into enum combining; empty: "combine". Returns false for
 * another text. */
bool transfers_read_combine(const char *at, size_t length, unsigned *combining);

/* Writes the text of the column `reduction`: "0 of *", "* of 0+2+5" or "prefix of * ordered". */
void transfers_write_reduction(FILE *to, const struct demand *demand);

/* Adds the demand of `count` combined packets with this label. E104; E204 for another text than
 * transfers_write_reduction writes, and for a node that the list does not have. */
bool transfers_add_reduction(const struct transfers *transfers, const struct label *label,
                             uint32_t nodes, uint32_t count, struct schedule *schedule,
                             struct err *err);

#endif
