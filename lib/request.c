/* SPDX-License-Identifier: Apache-2.0 */
/* The public request, member by member, and the request that the program works with. */
#include "lib/inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum member_type { MEMBER_TEXT, MEMBER_NUMBER32, MEMBER_NUMBER64, MEMBER_SIGNED, MEMBER_FLAG };

/* A member is called as its field, but with _ for -. */
struct member {
    const char *name;
    enum inside_part part;
    enum member_type type;
    size_t offset;
};

#define MEMBER(part, type, name)                                                      \
    {                                                                                 \
#name, INSIDE_##part, MEMBER_##type, offsetof(struct roundcast_request, name) \
    }

/* In an order in which a later field may refer to an earlier one. */
static const struct member members[] = {
    MEMBER(PROBLEM, TEXT, collective),
    MEMBER(PROBLEM, NUMBER32, nodes),
    MEMBER(PROBLEM, NUMBER32, packets),
    MEMBER(PROBLEM, NUMBER32, source),
    MEMBER(PROBLEM, NUMBER32, degree),
    MEMBER(PROBLEM, TEXT, method),
    MEMBER(PROBLEM, TEXT, matrix),
    MEMBER(PROBLEM, TEXT, entries),
    MEMBER(PROBLEM, TEXT, pattern),
    MEMBER(PROBLEM, NUMBER64, packet_bytes),
    MEMBER(PROBLEM, NUMBER64, total),
    MEMBER(PROBLEM, TEXT, demands),
    MEMBER(PROBLEM, FLAG, exact),
    MEMBER(PROBLEM, FLAG, stream),
    MEMBER(PROBLEM, TEXT, sources),
    MEMBER(PROBLEM, SIGNED, random),
    MEMBER(PROBLEM, TEXT, prefix),
    MEMBER(PROBLEM, TEXT, overlap),
    MEMBER(PROBLEM, FLAG, randomised),
    /* given only where it is always used: a schedule that draws nothing rejects a seed */
    MEMBER(MACHINE, NUMBER64, seed),
    MEMBER(PROBLEM, TEXT, model),
    MEMBER(PROBLEM, TEXT, lambda),
    MEMBER(PROBLEM, TEXT, tree),
    MEMBER(PROBLEM, TEXT, capacity),
    MEMBER(PROBLEM, NUMBER32, dim),
    MEMBER(PROBLEM, TEXT, ports),
    MEMBER(PROBLEM, TEXT, reconfigure),
    MEMBER(PROBLEM, NUMBER64, clock),
    MEMBER(PROBLEM, NUMBER32, round_cycles),
    MEMBER(PROBLEM, NUMBER32, planes),
    MEMBER(MACHINE, TEXT, network),
    MEMBER(MACHINE, TEXT, settings),
    MEMBER(MACHINE, TEXT, programs),
    MEMBER(MACHINE, FLAG, split),
    MEMBER(MACHINE, NUMBER32, width),
    MEMBER(MACHINE, NUMBER32, flits),
    MEMBER(MACHINE, TEXT, memory),
    MEMBER(MACHINE, TEXT, payload),
    MEMBER(RUN, TEXT, engine),
    MEMBER(RUN, TEXT, waves),
    MEMBER(RUN, NUMBER32, waves_from),
    MEMBER(RUN, NUMBER32, waves_to),
};
#define MEMBERS (sizeof members / sizeof *members)

static const struct roundcast_request defaults = {
    .version = ROUNDCAST_REQUEST_VERSION, .random = -1, .seed = 1, .width = 16};

#define NAME_ROOM 32
#define TEXT_ROOM 24

/* Returns the name of the member's field. */
static const char *field_name(const struct member *member, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "%s", member->name);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '_' ? '-' : *at;
    return name;
}

static const struct field *field_of(const struct member *member)
{
    char name[NAME_ROOM];
    return field_find(request_fields, request_field_count, field_name(member, name));
}

/* Returns the value of a member as the text of its field, NULL if it has its default. `room` is for
 * numbers. */
static const char *member_text(const struct member *member, const struct roundcast_request *request,
                               char room[TEXT_ROOM])
{
    const char *at = (const char *)request + member->offset;
    const char *usual = (const char *)&defaults + member->offset;
    switch (member->type) {
    case MEMBER_TEXT:
        return *(const char *const *)at;
    case MEMBER_FLAG:
        return *(const bool *)at ? "" : NULL;
    case MEMBER_NUMBER32:
        snprintf(room, TEXT_ROOM, "%" PRIu32, *(const uint32_t *)at);
        return *(const uint32_t *)at != *(const uint32_t *)usual ? room : NULL;
    case MEMBER_NUMBER64:
        snprintf(room, TEXT_ROOM, "%" PRIu64, *(const uint64_t *)at);
        return *(const uint64_t *)at != *(const uint64_t *)usual ? room : NULL;
    default:
        snprintf(room, TEXT_ROOM, "%" PRId64, *(const int64_t *)at);
        return *(const int64_t *)at != *(const int64_t *)usual ? room : NULL;
    }
}

static bool check_version(unsigned version, struct err *err)
{
    return version == ROUNDCAST_REQUEST_VERSION ||
           err_set(err, ERR_RANGE, "version: %u; expected %d", version, ROUNDCAST_REQUEST_VERSION);
}

bool inside_request(const struct roundcast_request *from, unsigned parts, struct request *request,
                    struct err *err)
{
    *request = request_default();
    request->problem.algorithm = from->algorithm;
    request->problem.seed = from->seed;
    bool right = check_version(from->version, err);
    for (size_t which = 0; right && which < MEMBERS; which++) {
        char name[NAME_ROOM], room[TEXT_ROOM];
        const char *text = member_text(&members[which], from, room);
        if (text != NULL && (members[which].part & parts) != 0)
            right = field_set(request, field_name(&members[which], name), text, err);
    }
    return right;
}

bool inside_ask(const struct roundcast_request *from,
                bool (*problem)(const struct request *request, struct instance *instance,
                                struct err *err),
                struct request *request, struct instance *instance, struct err *err)
{
    const bool priced = from->reconfigure != NULL;
    *instance = (struct instance){0};
    return inside_request(from, INSIDE_PROBLEM | (priced ? INSIDE_MACHINE : 0), request, err) &&
           problem(request, instance, err);
}

bool roundcast_request_init(struct roundcast_request *request, unsigned version,
                            struct roundcast_error *error)
{
    struct err err = {0};
    if (!check_version(version, &err))
        return inside_fail(&err, error);
    *request = defaults;
    return true;
}

/* Finds a member by its name, its field's name, or the letter of its option. */
static const struct member *find_member(const char *name)
{
    for (size_t which = 0; which < MEMBERS; which++) {
        const struct field *field = field_of(&members[which]);
        bool letter = name[0] != '\0' && name[1] == '\0' && name[0] == field->letter;
        if (letter || strcmp(name, members[which].name) == 0 || strcmp(name, field->name) == 0)
            return &members[which];
    }
    return NULL;
}

/* Stores a text that the field has accepted. */
static bool store(const struct member *member, struct roundcast_request *request, const char *text,
                  struct err *err)
{
    const struct field *field = field_of(member);
    char *at = (char *)request + member->offset;
    uint64_t number = 0;
    if (member->type == MEMBER_TEXT) {
        *(const char **)at = text;
        return true;
    }
    if (field->type == FIELD_BYTES &&
        !field_bytes(field->name, text, field->minimum, field->maximum, &number, err))
        return false;
    if (field->type != FIELD_BYTES)
        number = strtoull(text, NULL, 10);
    if (member->type == MEMBER_FLAG)
        *(bool *)at = true;
    else if (member->type == MEMBER_NUMBER32)
        *(uint32_t *)at = (uint32_t)number;
    else
        *(uint64_t *)at = number;
    return true;
}

bool roundcast_set(struct roundcast_request *request, const char *name, const char *value,
                   struct roundcast_error *error)
{
    struct err err = {0};
    struct request scratch = request_default();
    if (strcmp(name, "algorithm") == 0) {
        request->algorithm = value;
        return true;
    }
    const struct member *member = find_member(name);
    const char *field = member != NULL ? field_of(member)->name : name;
    bool set = field_set(&scratch, field, value, &err) &&
               (member != NULL ||
                err_set(&err, ERR_OPTION, "'%.40s' is not a field of this request", name)) &&
               store(member, request, value, &err);
    return set || inside_fail(&err, error);
}

bool roundcast_field_at(size_t index, struct roundcast_field *field)
{
    static const char *const types[] = {
        [FIELD_FLAG] = "flag",   [FIELD_NUMBER] = "number", [FIELD_NUMBER64] = "number",
        [FIELD_BYTES] = "bytes", [FIELD_TEXT] = "text",     [FIELD_FILE] = "file",
        [FIELD_FOLDER] = "file", [FIELD_CHOICE] = "choice"};
    if (index >= MEMBERS)
        return false;
    const struct field *row = field_of(&members[index]);
    *field = (struct roundcast_field){row->name, types[row->type], row->minimum, row->maximum};
    return true;
}
