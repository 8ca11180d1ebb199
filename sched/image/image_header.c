/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_forms.h"

#include "sched/base/text.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE IMAGE_HEADER_LINE
#define SETTING_PERIOD_TEXT 140
#define EXPECTED_MACHINE                                                                    \
    "expected '// machine NETWORK width=W packets=K flits=F rows=R', and ' "                \
    "settings=full|indexed|tags "                                                           \
    "tables=T "                                                                             \
    "programs=stored|computed|ranges beats=P' if it has a setting period, and with ranges " \
    "'programs=ranges splits=S', with powers of two, and 'combine=1' or 'combine=2' if it " \
    "combines packets, then 'operators=LIST'"

/* --- Settings and programs of machines with a setting period, at the end of a line
 * ------------------- */

/* Returns the name of the programs. */
static const char *programs_of(const struct machine *machine)
{
    return machine->ranges ? "ranges" : machine->computed ? "computed" : "stored";
}

/* Writes the fields of the setting period and of ranges, with a space before them; nothing for a
 * machine without both. Returns text. */
static const char *setting_period_of_machine(const struct machine *machine,
                                             char text[SETTING_PERIOD_TEXT])
{
    text[0] = '\0';
    if (machine_has_setting_period(machine))
        snprintf(text, SETTING_PERIOD_TEXT, " settings=%s tables=%u programs=%s beats=%u%s",
                 machine_settings_text(machine->settings),
                 machine_has_tags(machine) ? 0 : 1u << machine_log2_table_rows(machine),
                 programs_of(machine), 1u << machine->log2_period,
                 machine->reconfigures ? " order=held" : "");
    else if (machine->ranges)
        text_append(text, SETTING_PERIOD_TEXT, " programs=%s", programs_of(machine));
    if (machine->ranges)
        text_append(text, SETTING_PERIOD_TEXT, " splits=%u", 1u << machine->log2_splits);
    return text;
}

static const char *setting_period_of_run(const struct machine *machine, const struct run *run,
                                         char text[SETTING_PERIOD_TEXT])
{
    text[0] = '\0';
    if (machine_has_setting_period(machine))
        text_append(text, SETTING_PERIOD_TEXT,
                    " period=%" PRIu32 " first=%" PRIu32 " packets=%" PRIu32 "%s", run->period,
                    run->first, run->packets, run->stream ? " stream=1" : "");
    else if (machine->ranges)
        text_append(text, SETTING_PERIOD_TEXT, " packets=%" PRIu32, run->packets);
    if (machine->reconfigures)
        text_append(text, SETTING_PERIOD_TEXT, " reconfigure=%" PRIu32, run->reconfigure);
    return text;
}

/* Reads the fields from the rest of a line. The caller writes the line again to check that it has
 * no other content. */
static void read_setting_period_of_machine(const char *rest, struct machine *machine)
{
    char settings[10], programs[10];
    unsigned tables, setting_period;
    const char *splits = strstr(rest, " splits=");
    if (splits != NULL && strstr(rest, " programs=ranges") != NULL) {
        unsigned count = 0;
        sscanf(splits, " splits=%9u", &count);
        machine->ranges = true;
        machine->log2_splits = machine_log2(count);
    }
    if (sscanf(rest, " settings=%9s tables=%9u programs=%9s beats=%9u", settings, &tables, programs,
               &setting_period) != 4)
        return;
    machine_parse_settings(settings, &machine->settings);
    machine->reconfigures = strstr(rest, " order=held") != NULL;
    machine->log2_settings = machine_is_indexed(machine) ? machine_log2(tables) : 0;
    machine->computed = strcmp(programs, "computed") == 0;
    machine->log2_period = machine_log2(setting_period);
}

static void read_setting_period_of_run(const char *rest, struct run *run)
{
    sscanf(rest, " packets=%9" SCNu32, &run->packets);
    sscanf(rest,
           " period=%9" SCNu32 " first=%9" SCNu32 " packets=%9" SCNu32 " reconfigure=%10" SCNu32,
           &run->period, &run->first, &run->packets, &run->reconfigure);
    run->stream = strstr(rest, " stream=1") != NULL;
}

/* --- Machines that combine, at the end of a line ------------------------------------------ */

#define OPERATORS_FIELD (MACHINE_OPERATORS_TEXT + 12)
#define COMBINES " combine=1"
#define KEEPS_OWN " combine=2"
#define OPERATORS " operators="
#define OPERATION " operator="

/* Returns the field of a machine that combines, with a space before it; "" for other machines,
 * whose header has no such field. */
static const char *combines_text(const struct machine *machine)
{
    return machine->keeps_own ? KEEPS_OWN : machine->combines ? COMBINES : "";
}

/* Writes the operators that are built, with a space before the field; "" if all are. */
static const char *operators_field(const struct machine *machine, char text[OPERATORS_FIELD])
{
    char names[MACHINE_OPERATORS_TEXT];
    text[0] = '\0';
    if (machine->operators > 0)
        text_append(text, OPERATORS_FIELD, OPERATORS "%s",
                    machine_operators_text(machine->operators, names));
    return text;
}

/* Reads the operators that are built. The caller writes the line again. */
static void read_operators(const char *rest, struct machine *machine)
{
    char names[MACHINE_OPERATORS_TEXT];
    const char *at = strstr(rest, OPERATORS);
    if (at == NULL || sscanf(at, OPERATORS "%47s", names) != 1 ||
        !machine_operators_parse(names, &machine->operators) ||
        machine->operators == MACHINE_ALL_OPERATORS)
        machine->operators = 0;
}

static const char *operation_text(const struct machine *machine)
{
    return machine->combines ? OPERATION : "";
}

/* Returns the operator of a run, "" on machines that do not combine. */
static const char *operator_text(const struct machine *machine, const struct run *run)
{
    const char *name = machine->combines ? machine_operator_name(run->operation) : "";
    return name != NULL ? name : "";
}

static void read_operator(const char *rest, struct run *run)
{
    char name[20];
    const char *at = strstr(rest, OPERATION);
    if (at != NULL && sscanf(at, OPERATION "%19s", name) == 1 &&
        !machine_operator_parse(name, &run->operation))
        run->operation = 0; /* the line is then written differently, and rejected */
}

/* --- The line of a machine of routers ----------------------------------------------------- */

#define EXPECTED_TREE                                                                         \
    "expected '// tree K1,…,KH capacity=C1,…,CH depth=D1,…,DH queue=Q1,…,QH reads=R " \
    "ports=single|multi'"
#define EXPECTED_CUBE "expected '// cube DIMENSIONS depth=D reads=R', of cube-auto depth=D queue=Q"

#define NUMBERS_TEXT (6 * TOPOLOGY_MAX_HEIGHT + 1)

/* Writes the numbers of levels 1 … height as "4,4,4". Precondition: each is below 10^5. */
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

/* Writes the line of a tree of routers. */
static void tree_line(const struct image *image, char line[LINE_SIZE])
{
    const struct machine *machine = &image->machine;
    unsigned height = machine->topology.height;
    char children[NUMBERS_TEXT], capacity[NUMBERS_TEXT], depth[NUMBERS_TEXT], queue[NUMBERS_TEXT];
    snprintf(line, LINE_SIZE, "// tree %s capacity=%s depth=%s queue=%s reads=%u ports=%s\n",
             numbers_text(machine->topology.children, height, children),
             numbers_text(machine->topology.capacity, height, capacity),
             numbers_text(machine->depth, height, depth),
             numbers_text(machine->queue, height, queue), machine->reads,
             image->run.single_port ? "single" : "multi");
}

/* Writes the line of a hypercube of routers. */
static void cube_line(const struct image *image, char line[LINE_SIZE])
{
    const struct machine *machine = &image->machine;
    bool queues = machine_is_autonomous(machine);
    snprintf(line, LINE_SIZE, "// cube %u depth=%" PRIu32 " %s=%" PRIu32 "\n",
             machine->topology.dimensions, machine->depth[1], queues ? "queue" : "reads",
             queues ? machine->queue[1] : machine->reads);
}

/* Reads the line of a tree of routers. */
static bool read_tree(FILE *from, const char *name, struct image *image, struct err *err)
{
    struct machine *machine = &image->machine;
    char line[LINE_SIZE], again[LINE_SIZE], ports[8];
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
    char line[LINE_SIZE], again[LINE_SIZE];
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
    if (machine_has_node_memories(machine))
        topology_remove_routers(&machine->topology);
    cube_line(image, again);
    if (strcmp(line, again) != 0)
        return err_set(err, ERR_SYNTAX, "%.200s:4: not a hypercube; " EXPECTED_CUBE, name);
    return machine_check(machine, &inner) || err_at(err, &inner, "%.150s:4", name);
}

static const struct {
    void (*line)(const struct image *image, char line[LINE_SIZE]);
    bool (*read)(FILE *from, const char *name, struct image *image, struct err *err);
} shapes[TOPOLOGY_KINDS] = {
    [TOPOLOGY_TREE] = {tree_line, read_tree},
    [TOPOLOGY_HYPERCUBE] = {cube_line, read_cube},
};

static void routers_line(const struct image *image, char line[LINE_SIZE])
{
    shapes[image->machine.topology.kind].line(image, line);
}

/* Reads line 4 strictly: topology, depths, queues and reads of the machine, whose kind is set, and
 * single_port of the run. E203 and the errors of machine_check. */
static bool read_routers_line(FILE *from, const char *name, struct image *image, struct err *err)
{
    return shapes[machine_row(&image->machine)->topology].read(from, name, image, err);
}

/* --- All lines ---------------------------------------------------------------------------- */

/* Writes a line of the header, in the only form that is accepted. */
static void machine_line(const struct machine *machine, char line[LINE_SIZE])
{
    char network[MACHINE_NETWORK_TEXT], setting_period[SETTING_PERIOD_TEXT], shared[24] = "";
    char operators[OPERATORS_FIELD];
    if (machine->shared > 0)
        snprintf(shared, sizeof shared, " shared=%" PRIu32, machine->shared);
    snprintf(line, LINE_SIZE, "// machine %s width=%u packets=%u flits=%u rows=%u%s%s%s%s\n",
             machine_network_text(machine, network), machine->width, 1u << machine->log2_packets,
             1u << machine->log2_flits, 1u << machine->log2_rows, shared,
             setting_period_of_machine(machine, setting_period), combines_text(machine),
             operators_field(machine, operators));
}

static void run_line(const struct machine *machine, const struct run *run, char line[LINE_SIZE])
{
    char setting_period[SETTING_PERIOD_TEXT];
    snprintf(line, LINE_SIZE,
             "// run rows=%" PRIu32 " flits=%" PRIu32 " row-cycles=%" PRIu32 "%s%s%s\n", run->rows,
             run->flits, run->row_cycles, setting_period_of_run(machine, run, setting_period),
             operation_text(machine), operator_text(machine, run));
}

static const char first_line[] = "// roundcast-image 1";

/* Returns the name of the form in the first line; sets *space to the text before it. */
static const char *form_text(enum image_form form, const char **space)
{
    *space = form == IMAGE_HEX ? "" : " ";
    return form == IMAGE_HEX ? "" : image_form_rows[form].text;
}

void image_header_write(FILE *to, const struct image *image, enum image_form form)
{
    char line[LINE_SIZE];
    const char *space, *text = form_text(form, &space);
    fprintf(to, "%s%s%s\n", first_line, space, text);
    machine_line(&image->machine, line);
    fputs(line, to);
    run_line(&image->machine, &image->run, line);
    fputs(line, to);
    if (machine_hops(&image->machine)) {
        routers_line(image, line);
        fputs(line, to);
    }
}

/* Reads a line of the header strictly: the values that were read are written again and compared. */
static bool read_machine_line(FILE *from, const char *name, struct machine *machine,
                              struct err *err)
{
    char line[LINE_SIZE], again[LINE_SIZE], network[MACHINE_NETWORK_TEXT];
    unsigned packets, flits, rows;
    int end = 0;
    if (fgets(line, sizeof line, from) == NULL ||
        sscanf(line, "// machine %63s width=%u packets=%u flits=%u rows=%u%n", network,
               &machine->width, &packets, &flits, &rows, &end) != 5)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    machine->log2_packets = machine_log2(packets);
    machine->log2_flits = machine_log2(flits);
    machine->log2_rows = machine_log2(rows);
    if (!machine->log2_packets || !machine->log2_flits || !machine->log2_rows)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    int shared = 0;
    if (sscanf(line + end, " shared=%9" SCNu32 "%n", &machine->shared, &shared) == 1)
        end += shared;
    read_setting_period_of_machine(line + end, machine);
    machine->keeps_own = strstr(line + end, KEEPS_OWN) != NULL;
    machine->combines = machine->keeps_own || strstr(line + end, COMBINES) != NULL;
    read_operators(line + end, machine);
    struct err inner;
    if (!machine_parse_network(network, machine, &inner))
        return err_at(err, &inner, "%.150s:2", name);
    machine_line(machine, again);
    if (strcmp(line, again) != 0)
        return err_set(err, ERR_SYNTAX, "%.200s:2: not a machine; " EXPECTED_MACHINE, name);
    return machine_hops(machine) || machine_check(machine, &inner) ||
           err_at(err, &inner, "%.150s:2", name);
}

static bool read_run_line(FILE *from, const char *name, const struct machine *machine,
                          struct run *run, struct err *err)
{
    char line[LINE_SIZE], again[LINE_SIZE];
    int end = 0;
    bool read = fgets(line, sizeof line, from) != NULL &&
                sscanf(line, "// run rows=%" SCNu32 " flits=%" SCNu32 " row-cycles=%" SCNu32 "%n",
                       &run->rows, &run->flits, &run->row_cycles, &end) == 3;
    if (read)
        read_setting_period_of_run(line + end, run);
    if (read && machine->combines)
        read_operator(line + end, run);
    run_line(machine, run, again);
    return (read && strcmp(line, again) == 0) ||
           err_set(
               err, ERR_SYNTAX,
               "%.200s:3: not a run; expected '// run rows=R flits=F row-cycles=C', and ' period=P "
               "first=X packets=M' with phases, ' operator=sum' or another on a machine that "
               "combines",
               name);
}

/* Describes how another editor or system changed the first line. */
static const char *first_line_wrong(const char *line)
{
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
        return "a byte order mark (BOM) before the text";
    return strchr(line, '\r') != NULL ? "a carriage return (CRLF, as Windows ends lines)"
                                      : "not an image of this version";
}

/* Finds the form that the first line names. Returns false if there is none. */
static bool find_form(const char *line, enum image_form *found)
{
    for (enum image_form form = 0; form < IMAGE_FORMS; form++) {
        char good[LINE_SIZE];
        const char *space, *text = form_text(form, &space);
        snprintf(good, sizeof good, "%s%s%s\n", first_line, space, text);
        *found = form;
        if (strcmp(line, good) == 0)
            return true;
    }
    return false;
}

bool image_header_read(FILE *from, const char *name, struct image *image, enum image_form *form,
                       struct err *err)
{
    char line[LINE_SIZE] = "";
    if (fgets(line, sizeof line, from) == NULL || !find_form(line, form))
        return err_set(err, ERR_VERSION,
                       "%.200s:1: %s; expected '%s', and ' writes', ' c' or ' mem' in those forms",
                       name, first_line_wrong(line), first_line);
    return read_machine_line(from, name, &image->machine, err) &&
           read_run_line(from, name, &image->machine, &image->run, err) &&
           (!machine_hops(&image->machine) || read_routers_line(from, name, image, err)) &&
           machine_check_run(&image->machine, &image->run, name, err);
}
