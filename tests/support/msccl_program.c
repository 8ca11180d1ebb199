/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/msccl_program.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIFO = 24, CELLS = PROGRAM_GPUS * 3 * PROGRAM_CHUNKS, USES = 64 };

/* -- as XML -------------------------------------------------------------------------------------*/

static void put_steps(FILE *to, const struct program_block *block, const int id[],
                      const struct program *program)
{
    static const char *const types[] = {
        ['s'] = "s",  ['r'] = "r",   ['c'] = "cpy", ['f'] = "rcs", ['n'] = "nop",
        ['a'] = "re", ['w'] = "rrc", ['p'] = "rrs", ['q'] = "rrcs"};
    for (int s = 0; s < block->steps; s++) {
        const struct program_step *step = &block->step[s];
        int waits = step->waits_block;
        for (int b = 0; id != NULL && step->waits_block >= 0 && b < program->blocks; b++)
            if (program->block[b].gpu == block->gpu && program->block[b].id == step->waits_block)
                waits = id[b];
        fprintf(to,
                "<step s=\"%d\" type=\"%s\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" "
                "dstoff=\"%d\" cnt=\"%d\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n",
                s, types[(int)step->type], step->from_buffer, step->from, step->to_buffer, step->to,
                step->count, waits, step->waits_step, step->signals);
    }
}

char *program_text(const struct program *program, const int gpu[], const int id[],
                   const int order[])
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fprintf(to, "<algo name=\"p\" proto=\"%s\" coll=\"%s\" inplace=\"%d\" ngpus=\"%d\">\n",
            program->low_latency ? "LL" : "Simple", program->collective, program->in_place,
            program->gpus);
    for (int g = 0; g < program->gpus; g++) {
        fprintf(to, "<gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n",
                gpu != NULL ? gpu[g] : g, program->chunks[g][0], program->chunks[g][1],
                program->chunks[g][2]);
        for (int k = 0; k < program->blocks; k++) {
            int b = order != NULL ? order[k] : k;
            const struct program_block *block = &program->block[b];
            if (block->gpu != g)
                continue;
            int send = block->send, receive = block->receive;
            fprintf(to, "<tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n",
                    id != NULL ? id[b] : block->id, gpu != NULL && send >= 0 ? gpu[send] : send,
                    gpu != NULL && receive >= 0 ? gpu[receive] : receive, block->channel);
            put_steps(to, block, id, program);
            fputs("</tb>\n", to);
        }
        fputs("</gpu>\n", to);
    }
    fputs("</algo>\n", to);
    fclose(to);
    return text;
}

/* -- every order --------------------------------------------------------------------------------*/

/* Where all blocks are, what connections hold, by their sender, and all buffers. Only bytes. */
struct state {
    unsigned char step[PROGRAM_BLOCKS], moved[PROGRAM_BLOCKS], held[PROGRAM_BLOCKS];
    unsigned char fifo[PROGRAM_BLOCKS][FIFO];
    unsigned char cell[CELLS];
};

/* An access to a cell by the k-th chunk of a step. */
struct use {
    int block, step, part, cell;
    bool writes;
};

struct explorer {
    const struct program *program;
    struct program_outcome *outcome;
    int depth, uses;
    int sender[PROGRAM_BLOCKS];
    struct use use[USES];
    bool before[USES][USES]; /* whether the first comes before the second in some order */
    struct state *state;     /* those that were seen */
    size_t count, room, *place, places;
    bool ended;
    struct state last;
};

static int cell_of(const struct program *program, int gpu, char buffer, int offset)
{
    int which = buffer == 'o' || (buffer == 'i' && program->in_place) ? 1 : buffer == 's' ? 2 : 0;
    return (gpu * 3 + which) * PROGRAM_CHUNKS + offset;
}

static const struct program_step *step_of(const struct explorer *explorer,
                                          const struct state *state, int block)
{
    const struct program_block *at = &explorer->program->block[block];
    return state->step[block] < at->steps ? &at->step[state->step[block]] : NULL;
}

static bool reads(const struct program_step *step)
{
    return strchr("scawpq", step->type) != NULL;
}

static bool writes(const struct program_step *step)
{
    return strchr("rcfawq", step->type) != NULL;
}

static bool receives(const struct program_step *step)
{
    return strchr("rfwpq", step->type) != NULL;
}

static bool sends(const struct program_step *step)
{
    return strchr("sfpq", step->type) != NULL;
}

/* Lists a use of chunk k of a step. */
static void list_use(struct explorer *explorer, struct use use)
{
    assert_true(explorer->uses < USES);
    explorer->use[explorer->uses++] = use;
}

static void list_uses(struct explorer *explorer)
{
    for (int b = 0; b < explorer->program->blocks; b++) {
        const struct program_block *block = &explorer->program->block[b];
        for (int s = 0; s < block->steps; s++)
            for (int k = 0; k < block->step[s].count && block->step[s].type != 'n'; k++) {
                const struct program_step *step = &block->step[s];
                int from =
                    cell_of(explorer->program, block->gpu, step->from_buffer, step->from + k);
                int to = cell_of(explorer->program, block->gpu, step->to_buffer, step->to + k);
                if (reads(step))
                    list_use(explorer, (struct use){b, s, k, from, false});
                if (step->type == 'a')
                    list_use(explorer, (struct use){b, s, k, to, false});
                if (writes(step))
                    list_use(explorer, (struct use){b, s, k, to, true});
            }
    }
}

static bool has_signalled(const struct explorer *explorer, const struct state *state, int gpu,
                          int id, int number)
{
    for (int b = 0; b < explorer->program->blocks; b++) {
        const struct program_block *block = &explorer->program->block[b];
        for (int s = number; block->gpu == gpu && block->id == id && s < state->step[b]; s++)
            if (block->step[s].signals && block->step[s].type != 'n')
                return true;
    }
    return false;
}

static bool may_run(const struct explorer *explorer, const struct state *state, int block)
{
    const struct program_step *step = step_of(explorer, state, block);
    if (step == NULL || (step->waits_block >= 0 &&
                         !has_signalled(explorer, state, explorer->program->block[block].gpu,
                                        step->waits_block, step->waits_step)))
        return false;
    return (!receives(step) || state->held[explorer->sender[block]] > 0) &&
           (!sends(step) || state->held[block] < explorer->depth);
}

/* The use came before all that conflict with it and have not come yet. */
static void note(struct explorer *explorer, const struct state *state, int block)
{
    for (int u = 0; u < explorer->uses; u++) {
        const struct use *use = &explorer->use[u];
        if (use->block != block || use->step != state->step[block] ||
            use->part != state->moved[block])
            continue;
        for (int v = 0; v < explorer->uses; v++) {
            const struct use *other = &explorer->use[v];
            bool same = other->block == block && other->step == use->step;
            bool done = other->step < state->step[other->block] ||
                        (other->step == state->step[other->block] &&
                         other->part < state->moved[other->block]);
            if (!same && !done && other->cell == use->cell && (other->writes || use->writes))
                explorer->before[u][v] = true;
        }
    }
}

/* Returns a value that stands for a combination, and is not that of an empty chunk. */
static unsigned char sum_of(unsigned char a, unsigned char b)
{
    return (unsigned char)(1 + (a + b) % 255);
}

/* Moves one chunk of the present step of a block. */
static void go(struct explorer *explorer, struct state *state, int block)
{
    const struct program *program = explorer->program;
    const struct program_step *step = step_of(explorer, state, block);
    int gpu = program->block[block].gpu, sender = explorer->sender[block], k = state->moved[block];
    unsigned char value = 0, came = 0;
    note(explorer, state, block);
    if (reads(step)) {
        value = state->cell[cell_of(program, gpu, step->from_buffer, step->from + k)];
        explorer->outcome->empty |= value == 0;
    }
    if (step->type == 'a') {
        came = state->cell[cell_of(program, gpu, step->to_buffer, step->to + k)];
        explorer->outcome->empty |= came == 0;
    } else if (receives(step)) {
        came = state->fifo[sender][0];
        memmove(state->fifo[sender], state->fifo[sender] + 1, FIFO - 1);
        state->fifo[sender][FIFO - 1] = 0;
        state->held[sender]--;
    }
    value = reads(step) && came != 0 ? sum_of(value, came) : (unsigned char)(value | came);
    if (writes(step))
        state->cell[cell_of(program, gpu, step->to_buffer, step->to + k)] = value;
    if (sends(step))
        state->fifo[block][state->held[block]++] = value;
    if (step->type == 'n' || ++state->moved[block] == step->count) {
        state->step[block]++;
        state->moved[block] = 0;
    }
}

/* Stores a state. Returns whether it is new. */
static bool keep(struct explorer *explorer, const struct state *state)
{
    size_t hash = 14695981039346656037u;
    for (size_t k = 0; k < sizeof *state; k++)
        hash = (hash ^ ((const unsigned char *)state)[k]) * 1099511628211u;
    size_t at = hash & (explorer->places - 1);
    for (; explorer->place[at] > 0; at = (at + 1) & (explorer->places - 1))
        if (memcmp(&explorer->state[explorer->place[at] - 1], state, sizeof *state) == 0)
            return false;
    assert_true(2 * explorer->count < explorer->places);
    if (explorer->count == explorer->room) {
        explorer->room = 2 * explorer->room + 64;
        explorer->state = realloc(explorer->state, explorer->room * sizeof *explorer->state);
        assert_non_null(explorer->state);
    }
    explorer->state[explorer->count++] = *state;
    explorer->place[at] = explorer->count;
    return true;
}

static void end(struct explorer *explorer, const struct state *state)
{
    bool all = true;
    for (int b = 0; b < explorer->program->blocks; b++)
        all = all && state->step[b] == explorer->program->block[b].steps;
    explorer->outcome->stuck |= !all;
    if (all && explorer->ended)
        explorer->outcome->differs |=
            memcmp(explorer->last.cell, state->cell, sizeof state->cell) != 0;
    if (all)
        explorer->last = *state;
    explorer->ended |= all;
}

static void explore(struct explorer *explorer, const struct state *first)
{
    keep(explorer, first);
    for (size_t k = 0; k < explorer->count; k++) {
        const struct state from = explorer->state[k];
        bool runs_on = false;
        for (int b = 0; b < explorer->program->blocks; b++) {
            struct state next = from;
            if (!may_run(explorer, &from, b))
                continue;
            runs_on = true;
            go(explorer, &next, b);
            keep(explorer, &next);
        }
        if (!runs_on)
            end(explorer, &from);
    }
}

static void find_senders(struct explorer *explorer)
{
    const struct program *program = explorer->program;
    for (int b = 0; b < program->blocks; b++)
        for (int from = 0; from < program->blocks; from++)
            if (program->block[from].send == program->block[b].gpu &&
                program->block[b].receive == program->block[from].gpu &&
                program->block[from].channel == program->block[b].channel)
                explorer->sender[b] = from;
}

static struct state first_of(const struct program *program)
{
    struct state first = {0};
    for (int g = 0; g < program->gpus; g++) {
        int count = program->chunks[g][0];
        if (program->in_place && program->chunks[g][1] > count)
            count = program->chunks[g][1];
        for (int k = 0; k < count; k++)
            first.cell[cell_of(program, g, 'i', k)] = (unsigned char)(1 + 16 * g + k);
    }
    return first;
}

static void run_with(const struct program *program, int depth, struct program_outcome *outcome)
{
    struct explorer *explorer = calloc(1, sizeof *explorer);
    assert_non_null(explorer);
    *outcome = (struct program_outcome){0};
    explorer->program = program;
    explorer->outcome = outcome;
    explorer->depth = depth;
    explorer->places = (size_t)1 << 17;
    explorer->place = calloc(explorer->places, sizeof *explorer->place);
    assert_non_null(explorer->place);
    const struct state first = first_of(program);
    find_senders(explorer);
    list_uses(explorer);
    explore(explorer, &first);
    for (int u = 0; u < explorer->uses; u++)
        for (int v = 0; v < u; v++)
            outcome->races |= explorer->before[u][v] && explorer->before[v][u];
    outcome->states = explorer->count;
    for (int g = 0; g < program->gpus; g++)
        for (int k = 0; k < program->chunks[g][1]; k++)
            outcome->output[g][k] = explorer->last.cell[cell_of(program, g, 'o', k)];
    free(explorer->state);
    free(explorer->place);
    free(explorer);
}

void program_run(const struct program *program, struct program_outcome *outcome)
{
    struct program_outcome bounded;
    run_with(program, program->low_latency ? 8 : 2, &bounded);
    run_with(program, FIFO, outcome);
    outcome->stuck = bounded.stuck;
    outcome->states += bounded.states;
}
