/* SPDX-License-Identifier: Apache-2.0 */
/* host_lab: machines of every kind, csim and RTL in lockstep, with a host that accesses another
 * address in every cycle.
 *
 * Each word that a host reads is compared twice: between both engines, in every cycle, and with
 * host_map.h, three cycles after the address. The words of a read of all nodes are also compared on
 * the observation port, two cycles after the address. Words that the map cannot predict (packets
 * after a run) are compared only between the engines.
 */
#ifndef ROUNDCAST_HOST_LAB_H
#define ROUNDCAST_HOST_LAB_H

#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "testbench/run/testbench.h"
#include "tests/support/host_map.h"
#include "tests/support/support.h"

#define HOST_LAB_SEED UINT64_C(20261124)

/* -- Machines and what they run ---------------------------------------------------------------- */

struct host_lab_shape {
    const char *name, *algorithm;
    enum machine_kind kind;
    enum machine_settings settings;
    bool computed;
    unsigned width, log2_packets, log2_flits, log2_rows;
    bool reconfigures;  /* the machine has reconfiguration */
    bool combines;      /* endpoints combine packets */
    uint32_t operators; /* of them, those that are built, as in struct machine */
    unsigned splits;    /* log2 of the words of the table of splits; 0: no ranges */
    uint32_t shared;    /* endpoints that share a memory; 0: none */
    bool keeps_own;     /* endpoints keep what they receive apart */
};

/* Few, small machines, because each is compiled by Verilator. Other tests use most of them too. */
#define HOST_LAB_SHAPES 19
/* Indices of shapes that some tests use by themselves. */
enum {
    HOST_LAB_TREE = 9,
    HOST_LAB_TABLES,
    HOST_LAB_CUBE,
    HOST_LAB_COMBINES,
    HOST_LAB_RANGES,
    HOST_LAB_SHARED,
    HOST_LAB_CUBE_COMBINES = 16,
    HOST_LAB_KEEPS_OWN
};
extern const struct host_lab_shape host_lab_shapes[HOST_LAB_SHAPES];

/* Returns whether the shape is to be tested: all are, unless ROUNDCAST_HOST_SHAPE in the
 * environment selects one, which then contains mutants (qa/mutants). */
bool host_lab_wanted(size_t which);

/* Draws a collective for the machine; `which` is its number. */
void host_lab_job(const struct host_lab_shape *shape, const struct machine *machine, unsigned which,
                  struct support_job *job);

/* -- Cycles ------------------------------------------------------------------------------------ */

#define HOST_LAB_NODES 24 /* maximum number of nodes of a machine */

/* The predicted values of host_rdata_o and obs_o after a step, where the map can predict them. */
struct host_lab_due {
    bool read, writes, rejected, known, shows;
    uint32_t address, word, shown[HOST_LAB_NODES];
};

struct host_lab {
    struct host_map map;
    struct testbench testbench;
    struct host_lab_due due[3];  /* of this step, and of the two steps before */
    uint32_t rdata;              /* of the step before */
    bool busy;                   /* after the step before */
    bool active;                 /* after it: a run is in progress */
    bool stopped;                /* a stop may have changed the number of packets */
    bool started, ran;           /* since the last reset; ever */
    uint64_t compared, not_zero; /* words compared with the map, and those of them that are not 0 */
    uint64_t shown, not_zero_shown;
    uint64_t rejected;          /* accesses in runs and resets */
    struct dut_outputs outputs; /* of csim, after the last step */
};

void host_lab_step(struct host_lab *lab, const struct dut_inputs *inputs);
void host_lab_idle(struct host_lab *lab, unsigned cycles);
void host_lab_write(struct host_lab *lab, uint32_t address, uint32_t word);
void host_lab_ask(struct host_lab *lab, uint32_t address);

/* Starts a run. */
void host_lab_start(struct host_lab *lab);

/* An expected word. */
uint32_t host_lab_read(struct host_lab *lab, uint32_t address);

/* Resets for one cycle, and waits while the machine extends the reset. */
void host_lab_reset(struct host_lab *lab);

struct host_lab host_lab_open(const struct host_lab_shape *shape);
void host_lab_close(struct host_lab *lab);

/* Opens each machine to be tested that is `suitable`, one after another, and calls test(lab, rng)
 * with a generator that depends on the machine. */
void host_lab_each(bool (*suitable)(const struct host_lab_shape *shape),
                   void (*test)(struct host_lab *lab, struct rng *rng));

#endif
