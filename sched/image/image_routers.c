/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_routers.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED_TREE                                                                         \
    "expected '// tree K1,…,KH capacity=C1,…,CH depth=D1,…,DH queue=Q1,…,QH reads=R " \
    "ports=single|multi'"
#define EXPECTED_CUBE "expected '// cube DIMENSIONS depth=D reads=R', of cube-auto depth=D queue=Q"

#define NUMBERS_TEXT (6 * TOPOLOGY_MAX_HEIGHT + 1)

/* "4,4,4" of the numbers of levels 1 … height, each below 10^5. */
static const char *numbers_text(const uint32_t number[], unsigned height, char text[NUMBERS_TEXT])
{
    text[0] = '\0';
    for (unsigned level = 1; level <= height; level++)
        text_append(text, NUMBERS_TEXT, level > 1 ? ",%" PRIu32 : "%" PRIu32, number[level]);
    return text;
}

static bool read_numbers(const char *text, unsigned height, uint32_t number[])
{
    for (unsigned level = 1; level <= height; level++) {
        int length = 0;
        if (sscanf(text, "%5" SCNu32 "%n", &number[level], &length) != 1)
            return false;
        text += length;
        if (*text++ != (level < height ? ',' : '\0'))
            return false;
    }
    return true;
}

/* The line of a tree of routers. */
static void tree_line(const struct image *image, char line[IMAGE_ROUTERS_LINE])
{
    const struct machine *machine = &image->machine;
    unsigned height = machine->topology.height;
    char children[NUMBERS_TEXT], capacity[NUMBERS_TEXT], depth[NUMBERS_TEXT], queue[NUMBERS_TEXT];
    snprintf(
        line, IMAGE_ROUTERS_LINE, "// tree %s capacity=%s depth=%s queue=%s reads=%u ports=%s\n",
        numbers_text(machine->topology.children, height, children),
        numbers_text(machine->topology.capacity, height, capacity),
        numbers_text(machine->depth, height, depth), numbers_text(machine->queue, height, queue),
        machine->reads, image->run.single_port ? "single" : "multi");
}

/* The line of a hypercube of routers. */
static void cube_line(const struct image *image, char line[IMAGE_ROUTERS_LINE])
{
    const struct machine *machine = &image->machine;
    bool queues = machine_is_autonomous(machine);
    snprintf(line, IMAGE_ROUTERS_LINE, "// cube %u depth=%" PRIu32 " %s=%" PRIu32 "\n",
             machine->topology.dimensions, machine->depth[1], queues ? "queue" : "reads",
             queues ? machine->queue[1] : machine->reads);
}

/* The shape of a tree of routers. */
static bool read_tree(FILE *from, const char *name, struct image *image, struct err *err)
{
    struct machine *machine = &image->machine;
    char line[IMAGE_ROUTERS_LINE], again[IMAGE_ROUTERS_LINE], ports[8];
    char children[NUMBERS_TEXT], capacity[NUMBERS_TEXT], depth[NUMBERS_TEXT], queue[NUMBERS_TEXT];
    struct err inner = {.code = ERR_SYNTAX, .text = "not a tree; " EXPECTED_TREE};
    struct topology tree;
    bool read =
        fgets(line, sizeof line, from) != NULL &&
        sscanf(line,
               "// tree %144s capacity=%144[0-9,] depth=%144[0-9,] queue=%144[0-9,] reads=%" SCNu32
               " ports=%7s",
               children, capacity, depth, queue, &machine->reads, ports) == 6 &&
        topology_parse_tree(children, capacity, &tree, &inner);
    if (!read)
        return err_at(err, &inner, "%.150s:4", name);
    machine->topology = tree;
    image->run.single_port = strcmp(ports, "single") == 0;
    bool numbers = read_numbers(depth, tree.height, machine->depth) &&
                   read_numbers(queue, tree.height, machine->queue);
    tree_line(image, again);
    if (!numbers || strcmp(line, again) != 0)
        return err_set(err, ERR_SYNTAX, "%.200s:4: not a tree; " EXPECTED_TREE, name);
    return machine_check(machine, &inner) || err_at(err, &inner, "%.150s:4", name);
}

static bool read_cube(FILE *from, const char *name, struct image *image, struct err *err)
{
    struct machine *machine = &image->machine;
    char line[IMAGE_ROUTERS_LINE], again[IMAGE_ROUTERS_LINE];
    struct err inner = {.code = ERR_SYNTAX, .text = "not a hypercube; " EXPECTED_CUBE};
    struct topology cube;
    unsigned dimensions;
    uint32_t *last = machine_is_autonomous(machine) ? &machine->queue[1] : &machine->reads;
    machine->reads = 1;
    bool read = fgets(line, sizeof line, from) != NULL &&
                sscanf(line, "// cube %5u depth=%5" SCNu32 " %*5[a-z]=%5" SCNu32, &dimensions,
                       &machine->depth[1], last) == 3 &&
                topology_hypercube(dimensions, &cube, &inner);
    if (!read)
        return err_at(err, &inner, "%.150s:4", name);
    machine->topology = cube;
    cube_line(image, again);
    if (strcmp(line, again) != 0)
        return err_set(err, ERR_SYNTAX, "%.200s:4: not a hypercube; " EXPECTED_CUBE, name);
    return machine_check(machine, &inner) || err_at(err, &inner, "%.150s:4", name);
}

static const struct {
    void (*line)(const struct image *image, char line[IMAGE_ROUTERS_LINE]);
    bool (*read)(FILE *from, const char *name, struct image *image, struct err *err);
} shapes[TOPOLOGY_KINDS] = {
    [TOPOLOGY_TREE] = {tree_line, read_tree},
    [TOPOLOGY_HYPERCUBE] = {cube_line, read_cube},
};

void image_routers_line(const struct image *image, char line[IMAGE_ROUTERS_LINE])
{
    shapes[image->machine.topology.kind].line(image, line);
}

bool image_routers_read(FILE *from, const char *name, struct image *image, struct err *err)
{
    return shapes[machine_row(&image->machine)->topology].read(from, name, image, err);
}
