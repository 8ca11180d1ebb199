/* SPDX-License-Identifier: Apache-2.0 */
/* image: the tables of a machine: compiled from a schedule, written, read back and examined.
 *
 *     schedule ─► roundcast_route ─► image ─► roundcast_image_write ─► folder
 *     request ─► roundcast_compile ──┘ └──► roundcast_each_setting, roundcast_unpack, …
 */
#ifndef ROUNDCAST_LIB_IMAGE_H
#define ROUNDCAST_LIB_IMAGE_H

#include "roundcast/error.h"

#include <stddef.h>

struct roundcast_request;
struct roundcast_schedule;

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_image; /* all tables of a machine, for one schedule and payload */

/* Verifies a schedule and compiles it for the machine of the request. The schedule is copied and
 * not changed. NULL with E101, E102, E104, E3xx, E401 … E409, E2xx for the payload's file. Free it
 * with roundcast_image_free. O(rows · ports · log ports + transfers). */
struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const struct roundcast_request *request,
                                        struct roundcast_error *error);

/* A round of a schedule, and whether an omega network passes it. */
struct roundcast_round {
    uint64_t round;
    bool passes;
    uint32_t needed,
        least; /* passes into which the library divides the round; least possible number of
                * passes */
    /* if the round does not pass, the first conflict: two circuits need the same output of a
     * switch */
    uint32_t stage, sw, source[2], destination[2];
};
struct roundcast_passing {
    uint32_t ports; /* ports of the network */
    size_t count;
    const struct roundcast_round *round; /* round[count], the rounds with transfers */
};

/* Further results of routing. Initialise it with the first two members. */
struct roundcast_routing {
    void *with; /* passed to `passing` */

    /* Called before the image is made, if the network is an omega network, or an inverse one, and
     * the schedule has rounds between processors. The argument `passing` is valid until the call
     * returns. NULL: not called. */
    void (*passing)(void *with, const struct roundcast_passing *passing);

    /* with request->split: rounds that were split, rounds added, and the least number that any
     * split adds */
    uint64_t rounds_split, rounds_added, rounds_bound;
};

/* As roundcast_route, and fills the numbers of *routing, which may be NULL. */
struct roundcast_image *roundcast_route_reported(const struct roundcast_schedule *schedule,
                                                 const struct roundcast_request *request,
                                                 struct roundcast_routing *routing,
                                                 struct roundcast_error *error);

/* Chooses the machine, builds the schedule of request->algorithm for it, verifies it and compiles
 * it, as `roundcast run` does: λ of the postal model and the cycles of a round are the machine's.
 * The errors are those of roundcast_build and roundcast_route. Free it with
 * roundcast_image_free. */
struct roundcast_image *roundcast_compile(const struct roundcast_request *request,
                                          struct roundcast_error *error);

/* Returns a copy of the schedule that the image runs. NULL with E104. Free it with
 * roundcast_schedule_free. O(transfers). */
struct roundcast_schedule *roundcast_image_schedule(const struct roundcast_image *image,
                                                    struct roundcast_error *error);

/* Write or read the folder of `roundcast route -o`: image.hex, schedule.sched and payload.bin.
 * Writing creates all files or none: E202. Reading returns NULL with E104, E2xx, E4xx. O(words). */
bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error);
struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error);

/* As roundcast_image_read, with the packet contents from `payload`, a file or, for a reduction, a
 * folder of a file per node (NULL: from the folder of the image). E405 if they do not fit. */
struct roundcast_image *roundcast_image_read_with(const char *folder, const char *payload,
                                                  struct roundcast_error *error);

/* Returns the name of form `index` in which an image can be written; form 0 is that of image.hex.
 * NULL after the last. Statically allocated. docs/formats.md describes the forms. */
const char *roundcast_image_form(unsigned index);

/* As roundcast_image_write, with the image also in each form whose bit 1 << index is set. E208 if
 * the machine does not support a form. */
bool roundcast_image_write_forms(const struct roundcast_image *image, const char *folder,
                                 unsigned forms, struct roundcast_error *error);

/* Reads only the tables of an image, without a schedule or payload: from image.hex in a folder, or
 * from a file in any form (`-`: standard input). The image can be described and unpacked; functions
 * that need its schedule fail with E208. NULL with E104, E201, E203 … E207, E401, E406.
 * O(words). */
struct roundcast_image *roundcast_image_read_tables(const char *path,
                                                    struct roundcast_error *error);

struct roundcast_image_info {
    char network[64];     /* "benes:32,pipe=1,pad=0" */
    uint32_t ports;       /* endpoints */
    uint32_t stages;      /* stages of a multistage network; 0: a tree or hypercube */
    uint32_t routers;     /* routers; 0: stages, or a hypercube whose nodes combine packets */
    uint32_t latency;     /* pipeline registers from endpoint to endpoint */
    uint32_t rows;        /* rows of the run; a row is a round or a tick */
    uint32_t row_cycles;  /* clock cycles of a row */
    bool times;           /* rows are times of the postal model; false: they are rounds */
    uint32_t ticks;       /* rows in a unit of time; 1 if rows are rounds */
    bool copies;          /* switches can copy a packet to several outputs */
    bool combines;        /* switches can combine the packets of several inputs */
    uint32_t reconfigure; /* cycles of a change of settings, on a machine with reconfiguration */
    const char *combine;  /* operator of reductions, "sum"; NULL: the machine combines nothing */
    char operators[48];  /* operators that are built, "sum,max"; "": the machine combines nothing */
    uint32_t flits;      /* of a packet */
    uint32_t width;      /* bits of a flit */
    uint32_t field_bits; /* FieldBits of a bus wrapper: the widest field of a host address */
    size_t payload_bytes;
    size_t words;        /* number of words loaded into all memories before the run */
    uint64_t table_bits; /* bits of the tables of a multistage network; 0 for routers */
    uint64_t full_bits;  /* bits of tables with an entry for each round */
};

/* Returns the properties of an image. O(words). */
struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image);

#define ROUNDCAST_MACHINE_TEXT 400 /* bytes of a description, with its terminating 0 */

/* Writes a description of the machine: "benes:32, 9 stages, latency 9 cycles", or "fat-tree 4,4,4
 * capacity 1,4,16, 21 routers, latency 0 cycles". Returns text. */
const char *roundcast_image_machine(const struct roundcast_image *image,
                                    char text[ROUNDCAST_MACHINE_TEXT]);

/* A register with which the machine describes itself to a host (docs/machine.md). */
struct roundcast_register {
    const char *name; /* "FieldBits" */
    uint32_t number, word;
};

/* Finds register `index`, from 0, of those that describe the machine, in the order of their
 * numbers. Returns false after the last. O(registers). */
bool roundcast_image_register(const struct roundcast_image *image, unsigned index,
                              struct roundcast_register *found);

/* Returns the properties of the schedule of an image; its texts are valid as long as the image.
 * O(1). */
struct roundcast_schedule_info roundcast_image_schedule_info(const struct roundcast_image *image);

/* Gets the lower bound, in ticks, of the end of any schedule for the image's collective. Returns
 * false if it is not known. O(log n); O(λ n) in the postal model. */
bool roundcast_image_bound(const struct roundcast_image *image, uint64_t *end);

/* The setting of a switch in a row, 0 … rows - 1 of the run: round - 1, or the tick.
 *
 *     2×2 switches              field: the switch; value: 0 straight, 1 crossed
 *     2×2 switches that copy    field: the lane after the stage; value: 0 if it has what is on the
 *                               same lane before the stage, 1 if it has what is on the other lane
 *                               of its switch
 *     crossbars                 field: the lane after the stage; value: i if it has what is on
 *                               input i - 1 of its crossbar, 0 nothing
 *
 * If the number of ports is not a power of two, some fields belong to no switch; ignore them. */
struct roundcast_setting {
    uint32_t row, stage, field, value;
};

/* Calls visit(with, setting) for every field of every stage, row by row, until it returns false.
 * Settings are read from the image's tables as the hardware reads them, for every form of
 * request->settings. The return value does not reflect the result of visit(). E208 for routers,
 * E104. O(rows · fields). */
bool roundcast_each_setting(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_setting *setting),
                            void *with, struct roundcast_error *error);

/* A packet and its path from port to port, by the tables of an image. */
struct roundcast_circuit {
    uint32_t row;
    uint32_t source, destination; /* ports; destination UINT32_MAX: the packet is routed to no
                                   * port */
    uint32_t sent, received;      /* packets; received 0: the receiver expects no packet */
    bool held; /* the packet is in the memory from which it is sent; false only if endpoints
                * share memories and the program names another member */
};

/* Calls visit(with, circuit) for every packet, in the row in which it begins, until it returns
 * false, as `roundcast unpack` does. E208 for routers, E104. O(rows · ports · stages). */
bool roundcast_each_circuit(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                            void *with, struct roundcast_error *error);

/* As roundcast_each_circuit, for the packets of one round, counted from 1. E101 for an image whose
 * rows are times, E102 for a round out of range. O(words · log words + ports · stages). */
bool roundcast_round_circuits(const struct roundcast_image *image, uint32_t round,
                              bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                              void *with, struct roundcast_error *error);

/* Writes the text of the schedule that the tables make the machine run, as roundcast_unpack returns
 * it, to a file (`-`: standard output); comments mark packets that are routed to no port, that are
 * not in the memory from which they are sent, or that the receiver expects as another packet.
 * `round` selects the lines of one round; 0: all. E101 for a round of an image with times, E102 for
 * a round out of range, E104, E202, E208 for routers. */
bool roundcast_unpack_write(const struct roundcast_image *image, uint32_t round, const char *path,
                            struct roundcast_error *error);

/* Returns the schedule that the tables of an image make the machine run, which may differ from the
 * schedule that they were compiled from: transfers between ports, with the packets that the
 * programs send. A packet that is routed to no port has no transfer. NULL with E208 for routers,
 * E104. Free it with roundcast_schedule_free. O(rows · ports · stages). */
struct roundcast_schedule *roundcast_unpack(const struct roundcast_image *image,
                                            struct roundcast_error *error);

/* Words of one size in the tables of a multistage machine. */
struct roundcast_table {
    const char *name; /* as `roundcast route` prints it; statically allocated */
    uint64_t words, bits;
    bool used; /* false: another form of the table is used instead */
    bool full; /* it has an entry for each round */
};

/* Calls visit(with, table) for the tables that the run uses and for the tables with an entry for
 * each round, until it returns false. E208 for routers. O(words). */
bool roundcast_each_table(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_table *table),
                          void *with, struct roundcast_error *error);

/* The routers of one level of a machine of routers: waiting packets, and required and available
 * buffers and queues, in packets per input. */
struct roundcast_level {
    uint32_t level, routers, ports;
    bool has_wait; /* in trees: the largest number of packets that wait in a router in a round */
    uint32_t wait, buffer_needs, buffer_holds;
    bool has_queue; /* of self-timed routers */
    uint32_t queue_needs, queue_holds;
};

/* Calls visit(with, level) for each level of routers from 1, until it returns false. E104, E208 for
 * a multistage network. O(transfers · log transfers). */
bool roundcast_each_level(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_level *level),
                          void *with, struct roundcast_error *error);

/* Calls visit(with, name, count) for each class of self-routing permutations ("shifts",
 * "complements", …) with the number of rows whose circuits belong to it, until it returns false;
 * *rows is the number of rows that are not idle. All classes except shifts require 2^k ports. E104,
 * E208 for routers and for networks that copy. O(rows · ports · log ports). */
bool roundcast_each_class(const struct roundcast_image *image, uint32_t *rows,
                          bool (*visit)(void *with, const char *name, uint32_t count), void *with,
                          struct roundcast_error *error);

/* Frees an image; NULL is allowed. */
void roundcast_image_free(struct roundcast_image *image);

#ifdef __cplusplus
}
#endif

#endif
