/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine_network.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"
#include "sched/machine/network_rows.h"

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

bool machine_network_form(unsigned k, struct network_form *form)
{
    for (unsigned row = 0; row < NETWORK_ROWS; row++)
        for (unsigned which = 0; which < NETWORK_ROW_FORMS; which++)
            if (network_row_at(row)->form[which].name != NULL && k-- == 0) {
                *form = network_row_at(row)->form[which];
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
    const char *written[NETWORK_ROWS * NETWORK_ROW_FORMS + MACHINE_KINDS], *name = "";
    size_t count = 0;
    for (unsigned k = 0; k < NETWORK_ROWS; k++)
        for (unsigned which = 0; which < NETWORK_ROW_FORMS; which++) {
            const struct network_form *form = &network_row_at(k)->form[which];
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

/* Reads a network with the syntax "NAME:N", as most kinds have. */
static bool parse_ports(const char **text, const struct network_row *row, struct multistage *net)
{
    const char *at = network_row_after(*text, row->form[0].name);
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
    for (unsigned k = 0; k < NETWORK_ROWS && !parsed; k++) {
        const struct network_row *row = network_row_at(k);
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
    const char *at = name != NULL ? network_row_after(text, name) : NULL;
    machine->kind = kind;
    machine->network = (struct multistage){0};
    machine->pipe = machine->pad = 0;
    return at != NULL &&
           (*at == '\0' ||
            (network_row_number(&at, ",pad=", MACHINE_MAX_PAD, &machine->pad) && *at == '\0'));
}

/* Returns whether the text begins with the name of this network, whatever its parameters. */
static bool is_named(const char *text, const char *name)
{
    const char *at = network_row_after(text, name);
    return at != NULL && (*at == '\0' || *at == ':' || *at == ',');
}

/* Returns whether the text begins with a number that is outside minimum … maximum. */
static bool is_outside(const char *text, unsigned long minimum, unsigned long maximum)
{
    size_t sign = *text == '-', count = strspn(text + sign, "0123456789");
    unsigned long value = strtoul(text + sign, NULL, 10);
    return count > 0 && (sign > 0 || count > 9 || value < minimum || value > maximum);
}

/* Returns whether the text names a network with the syntax "NAME:N". */
static bool is_of_ports(const char *text)
{
    struct network_form form;
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        if (is_named(text, form.name) && strncmp(form.written + strlen(form.name), ":N", 2) == 0)
            return true;
    return false;
}

/* Checks that the parameters that are numbers are in range. E401 with the range. */
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
        char reported[40];
        const char *from = ports ? text : at + 1;
        snprintf(reported, sizeof reported, "%.*s", (int)strcspn(from, ","), from);
        return err_set(err, ERR_NETWORK, "{network}: %s is out of range; expected %u … %u",
                       reported, minimum, maximum);
    }
    return true;
}

/* Reports the syntax of the networks with that name, or the list of networks. E401. */
static void refuse(const char *text, struct err *err)
{
    struct network_form form;
    char expected[400] = "", all[MACHINE_NETWORKS_TEXT], name[TEXT_WORD + 1];
    struct text_nearest nearest = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":,"), text);
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        text_look(&nearest, name, form.name);
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        if (is_named(text, form.name))
            text_append(expected, sizeof expected, "%s%s: %s", expected[0] != '\0' ? ", or " : "",
                        form.written, form.what);
    if (expected[0] == '\0')
        err_unknown(err, ERR_NETWORK, "network", text, nearest.name,
                    machine_networks_text(false, all));
    else
        err_set(err, ERR_NETWORK, "{network}: '%.60s'; expected %s", text, expected);
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
        if (!network_row_check(&parsed.network, err) || !check_pipe(&parsed, err))
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
    if (check_parameters(text, err))
        refuse(text, err);
    return false;
}

const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT])
{
    const struct multistage *net = &machine->network;
    const struct network_row *row = network_row_of(net);
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
