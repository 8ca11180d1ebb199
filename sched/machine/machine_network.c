/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine_network.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"
#include "sched/machine/network_row.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *machine_settings_text(enum machine_settings settings)
{
    return machine_settings_rows[settings].text;
}

bool machine_parse_settings(const char *text, enum machine_settings *settings)
{
    for (unsigned which = 0; which < MACHINE_SETTINGS_KINDS; which++)
        if (strcmp(text, machine_settings_rows[which].text) == 0) {
            *settings = (enum machine_settings)which;
            return true;
        }
    return false;
}

static const struct network_row *const rows[] = {
#define NETWORK_ROW(name, file, number) [number] = &network_row_##file,
    MULTISTAGE_TABLE(NETWORK_ROW)
#undef NETWORK_ROW
};

/* The kinds in the order of the table, which is that of lists. */
static const enum multistage_kind kinds[] = {
#define NETWORK_KIND(name, file, number) MULTISTAGE_##name,
    MULTISTAGE_TABLE(NETWORK_KIND)
#undef NETWORK_KIND
};
#define KINDS (sizeof kinds / sizeof *kinds)

bool machine_network_form(unsigned k, struct network_form *form)
{
    for (size_t row = 0; row < KINDS; row++)
        for (unsigned which = 0; which < NETWORK_ROW_FORMS; which++)
            if (rows[kinds[row]]->form[which].name != NULL && k-- == 0) {
                *form = rows[kinds[row]]->form[which];
                return true;
            }
    for (unsigned kind = 0; kind < MACHINE_KINDS; kind++)
        if (machine_kind_rows[kind].name != NULL && k-- == 0) {
            const struct machine_kind_row *row = &machine_kind_rows[kind];
            *form = (struct network_form){row->name, row->written, row->what};
            return true;
        }
    return false;
}

const char *machine_networks_text(bool multistage_only, char text[MACHINE_NETWORKS_TEXT])
{
    const char *written[KINDS * NETWORK_ROW_FORMS + MACHINE_KINDS], *name = "";
    size_t count = 0;
    for (size_t k = 0; k < KINDS; k++)
        for (unsigned which = 0; which < NETWORK_ROW_FORMS; which++) {
            const struct network_form *form = &rows[kinds[k]]->form[which];
            if (form->name == NULL || strcmp(form->name, name) == 0)
                continue;
            name = form->name;
            written[count++] = form->written;
        }
    for (unsigned kind = 0; kind < MACHINE_KINDS && !multistage_only; kind++)
        if (machine_kind_rows[kind].name != NULL)
            written[count++] = machine_kind_rows[kind].written;
    return text_list(written, count, " or ", text, MACHINE_NETWORKS_TEXT);
}

const char *network_row_behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 ? text + length : NULL;
}

bool network_row_number(const char **text, const char *prefix, uint32_t maximum, uint32_t *number)
{
    const char *at = network_row_behind(*text, prefix);
    if (at == NULL || *at < '0' || *at > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long value = strtoul(at, &end, 10);
    if (errno != 0 || value > maximum)
        return false;
    *text = end;
    *number = (uint32_t)value;
    return true;
}

/* "NAME:N", as most kinds are written. */
static bool parse_ports(const char **text, const struct network_row *row, struct multistage *net)
{
    const char *at = network_row_behind(*text, row->form[0].name);
    uint32_t ports;
    if (at == NULL || !network_row_number(&at, ":", MACHINE_MAX_PORTS, &ports))
        return false;
    *text = at;
    *net = row->shape(ports);
    return true;
}

static bool parse_multistage(const char *text, struct machine *machine)
{
    const char *at = text;
    bool parsed = false;
    for (size_t k = 0; k < KINDS && !parsed; k++) {
        const struct network_row *row = rows[kinds[k]];
        at = text;
        parsed = row->shape != NULL ? parse_ports(&at, row, &machine->network)
                                    : row->parse(&at, &machine->network);
    }
    machine->kind = MACHINE_MULTISTAGE;
    machine->pipe = 1;
    machine->pad = 0;
    while (parsed && *at != '\0')
        parsed = network_row_number(&at, ",pipe=", UINT16_MAX, &machine->pipe) ||
                 network_row_number(&at, ",pad=", MACHINE_MAX_PAD, &machine->pad);
    return parsed;
}

static bool parse_routers(const char *text, enum machine_kind kind, struct machine *machine)
{
    const char *name = machine_kind_rows[kind].name;
    const char *at = name != NULL ? network_row_behind(text, name) : NULL;
    machine->kind = kind;
    machine->network = (struct multistage){0};
    machine->pipe = machine->pad = 0;
    return at != NULL &&
           (*at == '\0' ||
            (network_row_number(&at, ",pad=", MACHINE_MAX_PAD, &machine->pad) && *at == '\0'));
}

/* Is the text's network, if not its parameters, the one of this name? */
static bool is_named(const char *text, const char *name)
{
    const char *at = network_row_behind(text, name);
    return at != NULL && (*at == '\0' || *at == ':' || *at == ',');
}

/* Is the text, from digits or a sign on, a number that is not in minimum … maximum? */
static bool is_outside(const char *text, unsigned long minimum, unsigned long maximum)
{
    size_t sign = *text == '-', count = strspn(text + sign, "0123456789");
    unsigned long value = strtoul(text + sign, NULL, 10);
    return count > 0 && (sign > 0 || count > 9 || value < minimum || value > maximum);
}

/* Is it the name of networks of so many ports, "NAME:N"? */
static bool is_of_ports(const char *text)
{
    struct network_form form;
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        if (is_named(text, form.name) && strncmp(form.written + strlen(form.name), ":N", 2) == 0)
            return true;
    return false;
}

/* What is a number, but out of range: say what the range is. */
static bool check_parameters(const char *text, struct err *err)
{
    static const struct {
        const char *name;
        unsigned minimum, maximum;
    } parameters[] = {
        {":", 2, MACHINE_MAX_PORTS}, {",pipe=", 0, UINT16_MAX}, {",pad=", 0, MACHINE_MAX_PAD}};
    for (size_t which = 0; which < sizeof parameters / sizeof *parameters; which++) {
        const char *name = parameters[which].name, *at = strstr(text, name);
        unsigned minimum = parameters[which].minimum, maximum = parameters[which].maximum;
        bool ports = *name == ':';
        if (at == NULL || (ports && !is_of_ports(text)) ||
            !is_outside(at + strlen(name), minimum, maximum))
            continue;
        char told[40];
        const char *from = ports ? text : at + 1;
        snprintf(told, sizeof told, "%.*s", (int)strcspn(from, ","), from);
        return err_set(err, ERR_NETWORK, "{network}: %s is out of range; expected %u … %u", told,
                       minimum, maximum);
    }
    return true;
}

/* Say how the networks of that name are written, or which there are. */
static bool refuse(const char *text, struct err *err)
{
    struct network_form form;
    char expected[400] = "", all[MACHINE_NETWORKS_TEXT], name[TEXT_WORD + 1], hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":,"), text);
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        text_look(&nearest, name, form.name);
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        if (is_named(text, form.name))
            text_append(expected, sizeof expected, "%s%s: %s", expected[0] != '\0' ? ", or " : "",
                        form.written, form.what);
    if (expected[0] == '\0')
        return err_set(err, ERR_NETWORK,
                       "{network}: '%.60s' does not exist%s; expected %s (`roundcast list` says "
                       "more)",
                       text, text_hint(&nearest, hint), machine_networks_text(false, all));
    return err_set(err, ERR_NETWORK, "{network}: '%.60s'; expected %s", text, expected);
}

bool machine_network_computes(const struct multistage *net)
{
    return rows[net->kind]->computes;
}

bool machine_check_multistage(const struct multistage *net, struct err *err)
{
    if (net->ports < 2 || net->ports > MACHINE_MAX_PORTS)
        return err_set(err, ERR_NETWORK, "{network}: %u port%s; expected 2 … %u", net->ports,
                       text_s(net->ports), MACHINE_MAX_PORTS);
    const struct network_row *row = rows[net->kind];
    if (row->power_of_two && !bits_is_power(net->ports))
        return err_set(err, ERR_NETWORK, "{network}: %s:%u; expected a power of two",
                       row->form[0].name, net->ports);
    return row->check == NULL || row->check(net, err);
}

static bool check_pipe(const struct machine *machine, struct err *err)
{
    return machine->pipe <= machine_stages(machine) ||
           err_set(err, ERR_NETWORK, "{network}: pipe=%u; expected at most the %u stage%s",
                   machine->pipe, machine_stages(machine), text_s(machine_stages(machine)));
}

bool machine_parse_network(const char *text, struct machine *machine, struct err *err)
{
    struct machine parsed = *machine;
    if (parse_multistage(text, &parsed)) {
        if (!machine_check_multistage(&parsed.network, err) || !check_pipe(&parsed, err))
            return false;
        *machine = parsed;
        return true;
    }
    for (int kind = 0; kind < MACHINE_KINDS; kind++) {
        parsed = *machine;
        if (!parse_routers(text, (enum machine_kind)kind, &parsed))
            continue;
        *machine = parsed;
        return true;
    }
    return check_parameters(text, err) && refuse(text, err);
}

const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT])
{
    const struct multistage *net = &machine->network;
    const struct network_row *row = rows[net->kind];
    if (machine_hops(machine))
        snprintf(text, MACHINE_NETWORK_TEXT, "%s", machine_row(machine)->name);
    else if (row->print != NULL)
        row->print(net, text);
    else
        snprintf(text, MACHINE_NETWORK_TEXT, "%s:%" PRIu32, row->form[0].name, net->ports);
    return text;
}

const char *machine_network_text(const struct machine *machine, char text[MACHINE_NETWORK_TEXT])
{
    machine_network_name(machine, text);
    if (!machine_hops(machine))
        text_append(text, MACHINE_NETWORK_TEXT, ",pipe=%u", machine->pipe);
    text_append(text, MACHINE_NETWORK_TEXT, ",pad=%u", machine->pad);
    return text;
}
