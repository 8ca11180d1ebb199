/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_machine.h"
#include "cli/options_price.h"
#include "lib/inside.h"
#include "lib/words.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_network.h"
#include "sched/verify/verify.h"

#include <stdlib.h>

/* Compiling may change a schedule (compile_schedule), so it gets its own, by way of its text. */
static bool copy_schedule(const struct roundcast_schedule *from, struct schedule *to,
                          struct err *err)
{
    size_t size;
    char *text = inside_write_text(&from->schedule, &size, err);
    bool copied = text != NULL && inside_read_text(from->name, text, size, to, err);
    free(text);
    return copied;
}

/* A handle of a bundle, or NULL, and then the bundle is freed. */
static struct roundcast_image *wrap(struct bundle *bundle, struct err *err)
{
    struct roundcast_image *image = malloc(sizeof *image);
    if (image == NULL) {
        err_no_memory(err, "an image");
        bundle_free(bundle);
        return NULL;
    }
    image->bundle = *bundle;
    return image;
}

static bool route(const struct roundcast_schedule *schedule, struct options_machine *options,
                  struct bundle *bundle, struct err *err)
{
    struct verify_report verified;
    struct machine machine;
    bool routed =
        verify_schedule(schedule->name, &schedule->schedule, &verified, err) &&
        copy_schedule(schedule, &bundle->schedule, err) &&
        compile_machine_of(&options->request, &bundle->schedule, &machine, &bundle->payload, err) &&
        compile_schedule(&options->request, &bundle->schedule, &bundle->payload, &machine,
                         &bundle->image, &options->splitted, err);
    if (!routed)
        bundle_free(bundle);
    return routed;
}

/* The words of `roundcast route` that ask for a machine. */
struct route_words {
    struct options_machine machine;
    struct options_price price;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct route_words *words = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &words->machine;
    state->child_inputs[1] = &words->price;
    return 0;
}

static const struct argp_child children[] = {
    {&options_machine_argp, 0, NULL, 0}, {&options_price_argp, 0, NULL, 0}, {0}};
static const struct argp route_argp = {.parser = parse, .children = children};

static bool read_words(const char *const text[], struct route_words *words, struct err *err)
{
    struct compile_request *request = &words->machine.request;
    if (!words_parse(&route_argp, "route", text, words, err))
        return false;
    request->machine.reconfigures = words->price.reconfigure != NULL;
    return options_price_read(&words->price, &request->reconfigure);
}

struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const char *const words[], struct roundcast_error *error)
{
    struct err err = {0};
    struct route_words asked = {.machine = OPTIONS_MACHINE(&err), .price.err = &err};
    struct bundle bundle = {0};
    bool routed = read_words(words, &asked, &err) && route(schedule, &asked.machine, &bundle, &err);
    struct roundcast_image *image = routed ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error)
{
    struct err err = {0};
    return bundle_write(folder, &image->bundle, &err) || inside_fail(&err, error);
}

struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error)
{
    struct err err = {0};
    struct bundle bundle;
    struct roundcast_image *image =
        bundle_read(folder, NULL, &bundle, &err) ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image)
{
    const struct machine *machine = &image->bundle.image.machine;
    const struct run *run = &image->bundle.image.run;
    struct roundcast_image_info info = {.ports = machine_ports(machine),
                                        .stages = machine_stages(machine),
                                        .rows = run->rows,
                                        .row_cycles = run->row_cycles,
                                        .flits = run->flits,
                                        .width = machine->width,
                                        .words = image->bundle.image.count};
    _Static_assert(sizeof info.network == MACHINE_NETWORK_TEXT, "any name fits");
    machine_network_text(machine, info.network);
    return info;
}

/* Every field of the row that is unpacked; false when a visitor has seen enough. */
static bool each_of_row(const struct unpacked *unpacked, uint32_t row,
                        bool (*visit)(void *with, const struct roundcast_setting *setting),
                        void *with)
{
    const struct multistage *net = &unpacked->machine.network;
    const uint32_t *settings = unpacked->setting;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++) {
        const unsigned bits = multistage_field_bits(net, stage);
        for (uint32_t field = 0; field < multistage_fields(net, stage); field++) {
            const struct roundcast_setting setting = {row, stage, field,
                                                      multistage_field(settings, bits, field)};
            if (!visit(with, &setting))
                return false;
        }
        settings += multistage_row_words(net);
    }
    return true;
}

bool roundcast_each_setting(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_setting *setting),
                            void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    bool more = true;
    for (uint32_t row = 0; more && row < unpacked.run.rows; row++) {
        unpack_row(&unpacked, row);
        more = each_of_row(&unpacked, row, visit, with);
    }
    unpack_free(&unpacked);
    return true;
}

void roundcast_image_free(struct roundcast_image *image)
{
    if (image == NULL)
        return;
    bundle_free(&image->bundle);
    free(image);
}
