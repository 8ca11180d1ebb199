/* SPDX-License-Identifier: Apache-2.0 */
/* support: fixtures that several unit tests share.
 *
 * All functions assert: a fixture that cannot be created fails the test that requests it.
 */
#ifndef ROUNDCAST_SUPPORT_H
#define ROUNDCAST_SUPPORT_H

#include "sched/algorithms/algorithm.h"
#include "sched/image/image.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Initialises a multistage machine from these values. */
#define MULTISTAGE(log2_ports_, pipe_, pad_, width_, log2_packets_, log2_flits_, log2_rows_) \
    {                                                                                        \
        .kind = MACHINE_MULTISTAGE,                                                          \
        .network = {.kind = MULTISTAGE_BENES,                                                \
                    .ports = UINT32_C(1) << (log2_ports_),                                   \
                    .levels = (log2_ports_),                                                 \
                    .stages = 2u * (log2_ports_)-1u},                                        \
        .pipe = (pipe_), .pad = (pad_), .width = (width_), .log2_packets = (log2_packets_),  \
        .log2_flits = (log2_flits_), .log2_rows = (log2_rows_)                               \
    }

/* Checks that the error has the code, and that its text contains every one of the parts. */
#define support_error(err, expected, ...) \
    support_error_((err), (expected), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

void support_error_(const struct err *err, enum err_code expected, const char *const parts[],
                    const char *file, int line);

/* What verify reports for case `which`, and what it must report: the code and text of the first
 * violation, and the number of further ones. */
void support_verdict(size_t which, bool holds, const struct err *err, enum err_code code,
                     uint64_t further, const char *text);

/* Returns whether transfer i of `left` is transfer k of `right`, with the same options. */
bool support_same_transfer(const struct schedule *left, size_t i, const struct schedule *right,
                           size_t k);

/* Checks that a function that reports errors by err has succeeded. */
void support_true_(bool held, const struct err *err, const char *file, int line);
#define support_true(held, err) support_true_((held), (err), __FILE__, __LINE__)

/* Makes a schedule without steps: packets 1 … m start at `source`, and every node of a complete
 * graph requires them. Errors: those of schedule_init, and E102 for numbers out of range. */
bool support_broadcast(struct schedule *schedule, const char *algorithm,
                       const struct collective *asked, struct err *err);

/* The algorithms of algorithm_table whose schedules networks can execute, which are those without
 * reductions, and not in a direct topology; ends with NULL. */
const struct algorithm *const *support_routable(void);

/* Returns a network for schedules of the model. */
struct multistage support_network(enum model model, unsigned log2_ports);

/* Returns a machine of the common capacities. */
struct machine support_machine(unsigned log2_ports, unsigned pipe, unsigned pad);

/* A schedule, its payload, and its image on a machine. */
struct support_job {
    struct schedule schedule;
    struct payload payload;
    struct image image;
};

void support_job_free(struct support_job *job);

/* What a collective asks for that is not in its numbers. */
struct support_asked {
    struct traffic traffic;
    struct schedule demands;
};

void support_asked_free(struct support_asked *asked);

/* Returns the collective with a demand, if the algorithm needs one and none is given: a random
 * matrix with m packets from each node for traffic; m packets of node 0 for all nodes and m packets
 * of the last node for node 0 for arbitrary demands. The demand is stored in `asked`, which the
 * caller frees. Precondition: n ≥ 2 for a matrix. */
struct collective support_demand(const struct algorithm *algorithm, struct collective collective,
                                 struct support_asked *asked);

/* Builds the schedule of a collective and checks that it is legal and that every packet arrives at
 * a node once. */
void support_schedule(const struct algorithm *algorithm, const struct collective *collective,
                      struct schedule *schedule);

/* Makes pseudo-random bytes, those of each node for a reduction, that fill all packets of `flits`
 * flits except the last byte, which is padding. */
void support_payload(const struct schedule *schedule, const struct machine *machine, uint32_t flits,
                     uint64_t seed, struct payload *payload);

/* Builds schedule, payload and image. */
void support_job(const struct algorithm *algorithm, const struct collective *collective,
                 const struct machine *machine, uint32_t flits, uint64_t seed,
                 struct support_job *job);

/* Opens a stream that has the bytes of *text, past which it advances, and then fails with EIO. The
 * caller closes it. */
FILE *support_unreadable(const char **text);

/* Returns the text of a schedule; the caller frees it. */
char *support_text(const struct schedule *schedule);

/* Reads a schedule from a text, as if it were the file `name`. */
bool support_read(const char *text, const char *name, struct schedule *schedule, struct err *err);

const struct algorithm *support_algorithm(const char *name);

/* Returns the number of an algorithm's method; NULL: the first. */
unsigned support_method(const struct algorithm *algorithm, const char *name);

/* Returns the number of strays that judge_circuits counts. */
uint64_t support_strays(const struct schedule *schedule, const struct image *image);

struct roundcast_error;

/* Returns an error of the library's interface as the functions of this file accept it. */
struct err support_err(const struct roundcast_error *error);

struct command;

/* Runs a command, such as command_draw, with the words of a line that stand between blanks: at most
 * 16 words in 200 bytes. Returns whether it succeeds; `err` is cleared first. */
bool support_run_command(const struct command *command, const char *line, struct err *err);

/* payload_bits and payload_bits_at for part 0, which is all of a flit of up to 32 bits. */
static inline uint32_t payload_word(const struct payload *payload, uint32_t packet, uint32_t flit)
{
    return payload_bits(payload, packet, (struct payload_part){flit, 0});
}
static inline uint32_t payload_word_at(const struct payload *payload, uint32_t node,
                                       uint32_t packet, uint32_t flit)
{
    return payload_bits_at(payload, node, packet, (struct payload_part){flit, 0});
}

#endif
