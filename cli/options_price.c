/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_price.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/base/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLOCK 100000
#define MAX_PRICE UINT32_MAX /* cycles */

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_price *options = state->input;
    switch (key) {
    case KEY_RECONFIGURE:
        options->reconfigure = argument;
        return 0;
    case KEY_CLOCK:
        return options_refuse(
            options_number("--clock", argument, 1, MAX_CLOCK, &options->clock, options->err));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option price_options[] = {
    {"reconfigure", KEY_RECONFIGURE, "D", 0,
     "changing a setting of the switch takes D cycles of the machine, or a time Dus or Dns with "
     "--clock",
     0},
    {"clock", KEY_CLOCK, "MHZ", 0, "clock of the machine, for a --reconfigure in us or ns", 0},
    {0},
};

const struct argp options_price_argp = {.options = price_options, .parser = parse};

bool options_price_read(const struct options_price *options, uint32_t *cycles)
{
    char *unit;
    const char *text = options->reconfigure;
    *cycles = 0;
    if (text == NULL)
        return options->clock == 0 ||
               err_set(options->err, ERR_OPTION,
                       "--clock: of nothing; expected --reconfigure with it");
    errno = 0;
    unsigned long long number = strtoull(text, &unit, 10);
    bool plain = *unit == '\0', micro = strcmp(unit, "us") == 0, nano = strcmp(unit, "ns") == 0;
    if (text[0] < '0' || text[0] > '9' || (!plain && !micro && !nano))
        return err_set(options->err, ERR_OPTION,
                       "--reconfigure: '%.40s'; expected a number of cycles, or, with --clock, a "
                       "time in us or ns, as 20us",
                       text);
    if (plain != (options->clock == 0))
        return err_set(options->err, ERR_OPTION,
                       plain ? "--clock: with cycles; expected --reconfigure in us or ns"
                             : "--clock: not given; expected the cycles of a microsecond");
    if (errno != 0 || number > MAX_PRICE)
        number = (unsigned long long)MAX_PRICE + 1;
    uint64_t price = plain ? number : bits_divide_up(number * options->clock, micro ? 1 : 1000);
    *cycles = (uint32_t)price;
    return price <= MAX_PRICE ||
           err_set(options->err, ERR_RANGE,
                   "--reconfigure: %.40s; expected at most %" PRIu32 " cycles", text, MAX_PRICE);
}
