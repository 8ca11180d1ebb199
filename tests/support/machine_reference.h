/* SPDX-License-Identifier: Apache-2.0 */
/* machine_reference: a machine on csim and a reference that moves whole packets, row by row; for
 * test_csim_machine.c, which documents what is compared.
 */
#ifndef ROUNDCAST_MACHINE_REFERENCE_H
#define ROUNDCAST_MACHINE_REFERENCE_H

#include "sched/machine/machine.h"
#include "sched/machine/machine_run.h"
#include "testbench/engine/dut.h"

struct machine_reference {
    struct machine machine;
    uint32_t nodes, rows, packets, flits, words; /* words of a row of a table */
    void *dut;
    struct csim *sim;
    bool audited;
    uint64_t seed;

    /* The words that were written. */
    uint32_t *table;           /* table[rows][stages][words] */
    uint32_t *send, *receive;  /* [nodes][rows] */
    uint32_t *memory;          /* [nodes][packets][flits]: {held, word} as the host sees it */
    uint32_t *flags;           /* [nodes] */
    uint32_t *obs;             /* [nodes]: expected observation of the row */
    uint32_t seen[3];          /* how often each flag was raised by a row */
    uint32_t *received_in;     /* [nodes][packets]: the last row in which it was received, from 1 */
    uint32_t forwarded, valid; /* packets forwarded in the next row; receipts */
};

/* -- The testbench ----------------------------------------------------------------------------- */

uint32_t machine_reference_draw(struct machine_reference *b);

struct dut_outputs machine_reference_step(struct machine_reference *b, struct dut_inputs inputs);
struct dut_outputs machine_reference_idle(struct machine_reference *b, unsigned cycles);

/* Resets for one cycle, and waits while the machine extends the reset. */
void machine_reference_reset(struct machine_reference *b);

void machine_reference_write(struct machine_reference *b, uint32_t address, uint32_t word);

/* Reads a word, which is output three cycles after the address. */
uint32_t machine_reference_read(struct machine_reference *b, uint32_t address);

void machine_reference_open(struct machine_reference *b, struct machine machine, uint64_t seed);
void machine_reference_close(struct machine_reference *b);

/* -- The reference ----------------------------------------------------------------------------- */

uint32_t *machine_reference_row_of(struct machine_reference *b, uint32_t row, unsigned stage);
uint32_t *machine_reference_packet_of(struct machine_reference *b, uint32_t node, uint32_t packet);

/* Simulates a row: flight[nodes][flits] receives the words on the lanes, by sender. */
void machine_reference_row(struct machine_reference *b, uint32_t row, uint32_t flits,
                           uint32_t *flight);

/* -- Images and runs --------------------------------------------------------------------------- */

/* A column of a stage's table has no more fields than are left of the row, and whole ones only. */
uint32_t machine_reference_word_of_ones(const struct multistage *net, unsigned stage,
                                        uint32_t column);

void machine_reference_load_tables(struct machine_reference *b);

/* Senders are busy in `busy` percent of the rows; receive programs are correct, except `wrong`
 * percent of them. */
void machine_reference_load_programs(struct machine_reference *b, uint32_t busy, uint32_t wrong);

/* Loads random words, of which `bare` percent are not held. */
void machine_reference_load_memories(struct machine_reference *b, uint32_t bare);

void machine_reference_load_run(struct machine_reference *b, const struct run *run);

/* Starts a run, checks every cycle of every row, then done. */
void machine_reference_run(struct machine_reference *b, const struct run *run);

void machine_reference_check_memories(struct machine_reference *b);

#endif
