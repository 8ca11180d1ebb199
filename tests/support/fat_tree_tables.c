/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fat_tree_tables.h"

#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"

static void tables_draw_leaves(struct fat_tree_lab *lab, uint32_t row)
{
    struct fat_tree_reference *r = &lab->reference;
    for (uint32_t endpoint = 0; endpoint < r->endpoints; endpoint++) {
        uint32_t slot = fat_tree_reference_draw(&lab->rng, fat_tree_lab_slots(lab));
        uint32_t packet = *fat_tree_lab_memory(lab, endpoint, slot);
        bool sends = packet != 0 && fat_tree_reference_draw(&lab->rng, 4) != 0;
        fat_tree_lab_word(lab, machine_program_address(&lab->machine, MACHINE_SEND, endpoint, row),
                          sends ? MACHINE_VALID | slot : slot);
        r->sent[endpoint] = sends ? packet : 0;
    }
}

/* An output sends a packet of a random buffer: `table` are the columns of its router so far,
 * chosen[] the packets that its read ports are set to, by number of arrival + 1. */
static void tables_draw_output(struct fat_tree_lab *lab, uint32_t router, uint32_t port,
                               uint32_t *table, uint32_t *chosen)
{
    struct fat_tree_reference *r = &lab->reference;
    uint32_t input = fat_tree_reference_draw(&lab->rng, fat_tree_reference_ports(r, router)),
             lane = r->first[router] + input;
    uint32_t source =
        input * lab->machine.reads + fat_tree_reference_draw(&lab->rng, lab->machine.reads);
    uint32_t depth = lab->machine.depth[r->level[router]], count = r->count[lane];
    if (input == port || count == 0)
        return;
    if (chosen[source] == 0)
        chosen[source] = count - fat_tree_reference_draw(&lab->rng, MIN(count, depth));
    uint32_t arrival = chosen[source] - 1;
    table[source] |= arrival % depth;
    table[port * lab->machine.reads] |= machine_send_word(source);
    r->sent[r->first[router] + port] = fat_tree_reference_forward(r, lane, arrival);
}

static void tables_draw_router(struct fat_tree_lab *lab, uint32_t router, uint32_t row)
{
    const struct fat_tree_reference *r = &lab->reference;
    uint32_t ports = fat_tree_reference_ports(r, router), columns = ports * lab->machine.reads;
    uint32_t table[256] = {0}, chosen[256] = {0};
    uint32_t only = fat_tree_reference_draw(&lab->rng, ports);
    assert_true(columns <= 256);
    for (uint32_t port = 0; port < ports; port++)
        if (lab->run.single_port ? port == only : fat_tree_reference_draw(&lab->rng, 5) != 0)
            tables_draw_output(lab, router, port, table, chosen);
    for (uint32_t column = 0; column < columns; column++)
        fat_tree_lab_word(lab,
                          machine_table_address(&lab->machine, router - r->leaves, row, column),
                          table[column]);
}

static void tables_draw_row(struct fat_tree_lab *lab, uint32_t row)
{
    struct fat_tree_reference *r = &lab->reference;
    uint32_t got[64];
    assert_true(r->endpoints <= 64);
    tables_draw_leaves(lab, row);
    for (uint32_t router = r->leaves; router < r->nodes; router++)
        tables_draw_router(lab, router, row);
    fat_tree_reference_deliver(r, got);
    for (uint32_t endpoint = 0; endpoint < r->endpoints; endpoint++) {
        uint32_t slot = fat_tree_reference_draw(&lab->rng, fat_tree_lab_slots(lab));
        fat_tree_lab_word(lab,
                          machine_program_address(&lab->machine, MACHINE_RECEIVE, endpoint, row),
                          got[endpoint] != 0 ? MACHINE_VALID | slot : slot);
        if (got[endpoint] != 0)
            fat_tree_lab_receive(lab, row, endpoint, got[endpoint], slot);
    }
}

void fat_tree_tables_draw(struct fat_tree_lab *lab)
{
    fat_tree_lab_fill(lab, FAT_TREE_LAB_SLOTS);
    fat_tree_lab_load_packets(lab);
    fat_tree_lab_load_run(lab);
    for (uint32_t row = 0; row < lab->run.rows; row++)
        tables_draw_row(lab, row);
}
