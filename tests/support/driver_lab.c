/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/driver_lab.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_lab.h"
#include "tests/support/setting_period_lab.h"

#include <stdlib.h>
#include <string.h>

#define NODES 8
#define TRIES 1000
#define MOST_PARTS 17 /* of a flit */

static const struct host_lab_shape shape = {
    "benes:8", "binomial", MACHINE_MULTISTAGE, MACHINE_FULL, false, 16, 4, 3, 6};

/* -- The bus ----------------------------------------------------------------------------------- */

static void step(struct driver_lab *lab, const struct dut_inputs *inputs)
{
    lab->engine.ops->step(lab->engine.self, inputs, &lab->outputs);
}

void driver_lab_idle(struct driver_lab *lab, unsigned cycles)
{
    for (unsigned k = 0; k < cycles; k++)
        step(lab, &(struct dut_inputs){0});
}

static bool write_pairs(void *self, const uint32_t pair[][2], size_t count)
{
    struct driver_lab *lab = self;
    bool right = !lab->broken;
    for (size_t k = 0; right && k < count; k++, lab->writes++) {
        bool starts = pair[k][0] == MACHINE_STATUS && pair[k][1] & 1;
        step(lab, &(struct dut_inputs){
                      .host_we = true, .host_addr = pair[k][0], .host_wdata = pair[k][1]});
        step(lab, &(struct dut_inputs){.start = starts});
        step(lab, &(struct dut_inputs){0});
        right = !lab->outputs.host_error;
    }
    return right;
}

static bool read_words(void *self, uint32_t address, uint32_t word[], size_t count)
{
    struct driver_lab *lab = self;
    bool right = !lab->broken;
    for (size_t k = 0; right && k < count; k++) {
        step(lab, &(struct dut_inputs){.host_re = true, .host_addr = address + (uint32_t)k});
        driver_lab_idle(lab, 2);
        word[k] = address == lab->wrong_number ? lab->wrong_word : lab->outputs.host_rdata;
        right = !lab->outputs.host_error;
    }
    return right;
}

static void wait_for_interrupt(void *self)
{
    struct driver_lab *lab = self;
    for (unsigned k = 0; k < TRIES && !lab->outputs.irq; k++)
        driver_lab_idle(lab, 1);
}

/* -- Machines ---------------------------------------------------------------------------------- */

void driver_lab_open(struct driver_lab *lab, enum engine_kind kind, unsigned width)
{
    const struct setting_period_lab_how how = {MACHINE_FULL, false};
    struct err err = {0};
    *lab = (struct driver_lab){.machine = setting_period_lab_machine("benes:8", how),
                               .wrong_number = UINT32_MAX};
    lab->machine.width = width;
    lab->machine.log2_packets = shape.log2_packets;
    lab->machine.log2_flits = shape.log2_flits;
    lab->machine.log2_rows = shape.log2_rows;
    lab->bus = (struct rc_bus){lab, write_pairs, read_words, wait_for_interrupt};
    support_true(engine_open(kind, &lab->machine, false, &lab->engine, &err), &err);
    host_lab_job(&shape, &lab->machine, 1, &lab->job);
    const struct image *image = &lab->job.image;
    lab->pair = calloc(image->count, sizeof *lab->pair);
    assert_non_null(lab->pair);
    for (size_t k = 0; k < image->count; k++) {
        lab->pair[k][0] = image->word[k].address;
        lab->pair[k][1] = image->word[k].word;
    }
    step(lab, &(struct dut_inputs){.rst = true});
    driver_lab_idle(lab, machine_latency(&lab->machine) + 3);
}

void driver_lab_close(struct driver_lab *lab)
{
    engine_close(&lab->engine);
    support_job_free(&lab->job);
    free(lab->pair);
}

/* -- A broadcast ------------------------------------------------------------------------------- */

/* An image also clears the packets of all nodes but the source: a run delivers them again. */
static void load(struct driver_lab *lab)
{
    assert_int_equal(rc_driver_load(&lab->driver, lab->pair, lab->job.image.count), RC_OK);
}

/* Compares every packet of every node with the words that the image gives the source. */
static void assert_delivered(struct driver_lab *lab)
{
    const struct image *image = &lab->job.image;
    const uint32_t flits = lab->job.payload.flits, parts = lab->machine.width / 32 + 1;
    unsigned compared = 0;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(&lab->machine, image->word[k].address);
        if (at.region != MACHINE_PACKET || at.all)
            continue;
        for (uint32_t node = 0; node < NODES; node++, compared++) {
            uint32_t word[8 * MOST_PARTS];
            assert_int_equal(rc_driver_read_packet(&lab->driver, node, at.slot, word, flits),
                             RC_OK);
            assert_int_equal(word[at.flit * parts + at.part], image->word[k].word);
        }
    }
    assert_int_equal(compared, NODES * flits * parts * lab->job.schedule.packets);
}

/* Returns a node that sends nothing, so that only it has a flag if it receives nothing. */
static uint32_t last_node(const struct driver_lab *lab)
{
    bool sends[NODES] = {false};
    uint32_t node = 0;
    for (size_t k = 0; k < lab->job.image.count; k++) {
        const struct machine_place at = machine_place_of(&lab->machine, lab->pair[k][0]);
        if (at.region == MACHINE_SEND && !at.all)
            sends[at.node] = true;
    }
    while (node < NODES - 1 && sends[node])
        node++;
    return node;
}

/* Makes a node expect nothing. Its flag is `unexpected`. */
static void deafen(struct driver_lab *lab, uint32_t node)
{
    for (size_t k = 0; k < lab->job.image.count; k++) {
        const struct machine_place at = machine_place_of(&lab->machine, lab->pair[k][0]);
        if (at.region == MACHINE_RECEIVE && !at.all && at.node == node)
            lab->pair[k][1] = 0;
    }
}

void driver_lab_broadcasts(enum engine_kind kind, unsigned width)
{
    struct driver_lab lab;
    struct rc_error error;
    assert_true(width / 32 + 1 <= MOST_PARTS);
    driver_lab_open(&lab, kind, width);
    assert_int_equal(rc_driver_discover(&lab.driver, &lab.bus), RC_OK);
    load(&lab);
    assert_int_equal(rc_driver_start(&lab.driver), RC_OK);
    assert_int_equal(rc_driver_poll(&lab.driver, TRIES), RC_OK);
    assert_delivered(&lab);
    load(&lab);
    assert_int_equal(rc_driver_interrupts(&lab.driver, true), RC_OK);
    assert_int_equal(rc_driver_start(&lab.driver), RC_OK);
    assert_int_equal(rc_driver_wait(&lab.driver, 2), RC_OK);
    assert_false(lab.outputs.irq);
    assert_delivered(&lab);
    const uint32_t node = last_node(&lab);
    deafen(&lab, node);
    load(&lab);
    assert_int_equal(rc_driver_start(&lab.driver), RC_OK);
    assert_int_equal(rc_driver_wait(&lab.driver, 2), RC_FLAGS);
    assert_int_equal(rc_driver_error(&lab.driver, &error), RC_OK);
    assert_true(!error.router && error.number == node);
    assert_string_equal(rc_driver_flag(&error), "unexpected");
    driver_lab_close(&lab);
}
