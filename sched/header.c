#include "header.h"

#include "cube_auto.h"

#include <inttypes.h>
#include <stdlib.h>

static bool write_demand(const struct demand *demand, const struct machine *machine, uint32_t *header,
                         struct err *err)
{
    if (demand->wanted_count > 1)
        return err_set(err, ERR_UNSUPPORTED,
                       "--network fat-tree-auto: packet %" PRIu32 " is for %" PRIu32
                       " leaves; expected packets for one leaf or for all",
                       demand->first_packet, demand->wanted_count);
    uint32_t to = demand->wanted_count == 1 ? demand->wanted[0] : UINT32_C(1) << (machine->width - 1);
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        header[(packet - 1) * 2] = packet - 1;
        header[(packet - 1) * 2 + 1] = to;
    }
    return true;
}

/* A router gives a packet to all whom it is for; nobody can tell it to send one copy now and another later. */
static bool check_sent_once(const struct schedule *schedule, struct err *err)
{
    bool *sent = calloc((size_t)schedule->packets + 1, sizeof *sent);
    if (sent == NULL)
        return err_set(err, ERR_TOO_BIG, "no memory for %" PRIu32 " packets", schedule->packets);
    uint32_t again = 0;
    for (size_t t = 0; again == 0 && t < schedule->transfer_count; t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (transfer->source >= schedule->nodes)
            continue;
        again = sent[transfer->packet] ? transfer->packet : 0;
        sent[transfer->packet] = true;
    }
    free(sent);
    return again == 0 || err_set(err, ERR_UNSUPPORTED,
                                 "--network fat-tree-auto: a leaf sends packet %" PRIu32
                                 " more than once; expected a schedule that self-timed routers keep",
                                 again);
}

static bool write_control(const struct schedule *schedule, struct payload *payload, struct err *err)
{
    payload->data = schedule_data_packets(schedule);
    free(payload->control);
    payload->control = NULL;
    if (payload->data == schedule->packets)
        return true;
    payload->control = calloc(schedule->packets - payload->data, sizeof *payload->control);
    if (payload->control == NULL)
        return err_set(err, ERR_TOO_BIG, "no memory for the values of %" PRIu32 " packets",
                       schedule->packets);
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; demand->control != NULL && packet <= demand->last_packet;
             packet++)
            payload->control[packet - payload->data - 1] = demand->control->value;
    }
    return true;
}

bool header_write(const struct schedule *schedule, const struct machine *machine, struct payload *payload,
                  struct err *err)
{
    if (!write_control(schedule, payload, err))
        return false;
    if (payload->header_flits == 0)
        return true;
    free(payload->header);
    payload->header = calloc((size_t)schedule->packets * payload->header_flits, sizeof *payload->header);
    if (payload->header == NULL)
        return err_set(err, ERR_TOO_BIG, "no memory for the headers of %" PRIu32 " packets",
                       schedule->packets);
    if (machine_is_cube_auto(machine)) {
        for (uint32_t packet = 1; packet <= schedule->packets; packet++)
            payload->header[packet - 1] = machine_slot(machine, payload->data, packet);
        return cube_auto_check(schedule, err);
    }
    for (size_t d = 0; d < schedule->demand_count; d++)
        if (!write_demand(&schedule->demand[d], machine, payload->header, err))
            return false;
    return check_sent_once(schedule, err);
}
