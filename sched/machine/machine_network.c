#include "sched/machine/machine_network.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const settings_texts[] = {
#define SETTINGS_TEXT(name, text, what) text,
    MACHINE_SETTINGS_TABLE(SETTINGS_TEXT)
#undef SETTINGS_TEXT
};

const char *machine_settings_text(enum machine_settings settings)
{
    return settings_texts[settings];
}

bool machine_parse_settings(const char *text, enum machine_settings *settings)
{
    for (unsigned which = 0; which < sizeof settings_texts / sizeof *settings_texts; which++)
        if (strcmp(text, settings_texts[which]) == 0) {
            *settings = (enum machine_settings)which;
            return true;
        }
    return false;
}

/* The rest of a text behind a word that it begins with; NULL if it does not. */
static const char *behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 ? text + length : NULL;
}

/* The number after `prefix` at *text, in 0 … maximum; moves *text behind it. */
static bool take_number(const char **text, const char *prefix, uint32_t maximum, uint32_t *number)
{
    const char *at = behind(*text, prefix);
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

/* R^k = N with k ≥ 2, or nothing: two levels at least are a network, 0 ports are none. */
static struct multistage radix_benes(uint32_t ports, uint32_t radix)
{
    uint64_t power = radix;
    unsigned levels = 1;
    for (; radix > 1 && power < ports; levels++)
        power *= radix;
    if (radix == 2 && power == ports)
        return multistage_benes(ports);
    bool fits = radix > 1 && power == ports && levels > 1;
    return fits ? multistage_radix_benes(radix, levels) : (struct multistage){0};
}

static bool parse_benes(const char **text, struct multistage *net)
{
    uint32_t ports, radix;
    if (!take_number(text, "benes:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = take_number(text, ",radix=", MACHINE_MAX_PORTS, &radix) ? radix_benes(ports, radix)
                                                                   : multistage_benes(ports);
    return net->ports != 0;
}

/* Of the networks that have a power of two. */
static bool parse_powers(const char **text, struct multistage *net)
{
    uint32_t ports;
    if (take_number(text, "omega:", MACHINE_MAX_PORTS, &ports))
        *net = multistage_omega(ports);
    else if (take_number(text, "multicast:", MACHINE_MAX_PORTS, &ports))
        *net = multistage_multicast(ports);
    else
        return false;
    return true;
}

static bool parse_clos(const char **text, struct multistage *net)
{
    uint32_t middle = 24, radix = 24, edges = 24, ports;
    const char *gf11 = behind(*text, "gf11");
    if (gf11 != NULL)
        *text = gf11;
    else if (!take_number(text, "clos:", MACHINE_MAX_LANES, &middle) ||
             !take_number(text, ",", MACHINE_MAX_PORTS, &radix) ||
             !take_number(text, ",", MACHINE_MAX_PORTS, &edges))
        return false;
    if (radix < 2 || edges < 2 || (uint64_t)radix * edges > MACHINE_MAX_PORTS)
        return false;
    *net = multistage_clos(middle, radix, edges);
    return !take_number(text, ",ports=", MACHINE_MAX_PORTS, &ports) || ports == net->ports;
}

static bool parse_multistage(const char *at, struct machine *machine)
{
    bool parsed = parse_benes(&at, &machine->network) || parse_powers(&at, &machine->network) ||
                  parse_clos(&at, &machine->network);
    machine->kind = MACHINE_MULTISTAGE;
    machine->pipe = 1;
    machine->pad = 0;
    while (parsed && *at != '\0')
        parsed = take_number(&at, ",pipe=", UINT16_MAX, &machine->pipe) ||
                 take_number(&at, ",pad=", MACHINE_MAX_PAD, &machine->pad);
    return parsed;
}

/* The name of a kind of machines of routers. */
static const char *const router_names[] = {[MACHINE_FAT_TREE] = "fat-tree",
                                           [MACHINE_FAT_TREE_AUTO] = "fat-tree-auto",
                                           [MACHINE_CUBE] = "cube",
                                           [MACHINE_CUBE_AUTO] = "cube-auto"};

static bool parse_routers(const char *text, enum machine_kind kind, struct machine *machine)
{
    const char *at = behind(text, router_names[kind]);
    machine->kind = kind;
    machine->network = (struct multistage){0};
    machine->pipe = machine->pad = 0;
    return at != NULL &&
           (*at == '\0' || (take_number(&at, ",pad=", MACHINE_MAX_PAD, &machine->pad) && *at == '\0'));
}

/* Is the text's network, if not its parameters, the one of this name? */
static bool is_named(const char *text, const char *name)
{
    const char *at = behind(text, name);
    return at != NULL && (*at == '\0' || *at == ':' || *at == ',');
}

/* Say how the networks of that name are written, or which there are. */
static bool refuse(const char *text, struct err *err)
{
    static const struct {
        const char *name, *written, *what;
    } networks[] = {
#define NETWORK_ROW(name, written, what) {name, written, what},
        MACHINE_NETWORK_TABLE(NETWORK_ROW)
#undef NETWORK_ROW
    };
    char expected[400] = "";
    for (size_t k = 0, used = 0; k < sizeof networks / sizeof *networks && used < sizeof expected; k++)
        if (is_named(text, networks[k].name))
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s: %s",
                                     used > 0 ? ", or " : "", networks[k].written, networks[k].what);
    if (expected[0] == '\0')
        return err_set(
            err, ERR_NETWORK,
            "--network: '%.60s'; expected benes:N, omega:N, multicast:N, clos:m,n,r, gf11, fat-tree, "
            "fat-tree-auto, cube or "
            "cube-auto (`roundcast list` says more)",
            text);
    return err_set(err, ERR_NETWORK, "--network: '%.60s'; expected %s", text, expected);
}

/* Of kinds whose ports are all that there is to say. */
static const char *const names[] = {
    [MULTISTAGE_BENES] = "benes", [MULTISTAGE_OMEGA] = "omega", [MULTISTAGE_MULTICAST] = "multicast"};

bool machine_check_multistage(const struct multistage *net, struct err *err)
{
    if (net->ports < 2 || net->ports > MACHINE_MAX_PORTS)
        return err_set(err, ERR_NETWORK, "--network: %u ports; expected 2 … %u", net->ports,
                       MACHINE_MAX_PORTS);
    bool powers = net->kind == MULTISTAGE_OMEGA || net->kind == MULTISTAGE_MULTICAST;
    if (powers && !multistage_is_power(net->ports))
        return err_set(err, ERR_NETWORK, "--network: %s:%u; expected a power of two", names[net->kind],
                       net->ports);
    if (!multistage_has_crossbars(net))
        return true;
    if (net->middle < net->radix)
        return err_set(
            err, ERR_NETWORK,
            "--network: %u crossbars in the middle, and %u ports at each of the first stage; expected m ≥ n, "
            "that any permutation may pass",
            net->middle, net->radix);
    uint64_t lanes = (uint64_t)net->ports / net->radix * net->middle;
    return lanes <= MACHINE_MAX_LANES ||
           err_set(err, ERR_NETWORK, "--network: %" PRIu64 " lanes between the stages; expected at most %u",
                   lanes, MACHINE_MAX_LANES);
}

static bool check_pipe(const struct machine *machine, struct err *err)
{
    return machine->pipe <= machine_stages(machine) ||
           err_set(err, ERR_NETWORK, "--network: pipe=%u; expected at most the %u stages", machine->pipe,
                   machine_stages(machine));
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
    for (int kind = MACHINE_FAT_TREE; kind <= MACHINE_CUBE_AUTO; kind++) {
        parsed = *machine;
        if (!parse_routers(text, (enum machine_kind)kind, &parsed))
            continue;
        *machine = parsed;
        return true;
    }
    return refuse(text, err);
}

static void multistage_name(const struct multistage *net, char text[MACHINE_NETWORK_TEXT])
{
    if (net->kind == MULTISTAGE_CLOS && net->levels == 2)
        snprintf(text, MACHINE_NETWORK_TEXT, "clos:%" PRIu32 ",%" PRIu32 ",%" PRIu32, net->middle, net->radix,
                 net->ports / net->radix);
    else if (net->kind == MULTISTAGE_CLOS)
        snprintf(text, MACHINE_NETWORK_TEXT, "benes:%" PRIu32 ",radix=%" PRIu32, net->ports, net->radix);
    else
        snprintf(text, MACHINE_NETWORK_TEXT, "%s:%" PRIu32, names[net->kind], net->ports);
}

const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT])
{
    if (machine_hops(machine))
        snprintf(text, MACHINE_NETWORK_TEXT, "%s", router_names[machine->kind]);
    else
        multistage_name(&machine->network, text);
    return text;
}

const char *machine_network_text(const struct machine *machine, char text[MACHINE_NETWORK_TEXT])
{
    machine_network_name(machine, text);
    size_t used = strlen(text);
    if (machine_hops(machine))
        snprintf(text + used, MACHINE_NETWORK_TEXT - used, ",pad=%u", machine->pad);
    else
        snprintf(text + used, MACHINE_NETWORK_TEXT - used, ",pipe=%u,pad=%u", machine->pipe, machine->pad);
    return text;
}
