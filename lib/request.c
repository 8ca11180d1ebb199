/* SPDX-License-Identifier: Apache-2.0 */
/* The public request, member by member, and its conversion to the internal request. */
#include "lib/inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum member_type { MEMBER_TEXT, MEMBER_NUMBER32, MEMBER_NUMBER64, MEMBER_SIGNED, MEMBER_FLAG };

/* A member has the name of its field, with _ for -. */
struct member {
    const char *name;
    unsigned part; /* INSIDE_… */
    enum member_type type;
    size_t offset;
};

#define MEMBER(part, type, name)                                                      \
    {                                                                                 \
#name, INSIDE_##part, MEMBER_##type, offsetof(struct roundcast_request, name) \
    }

/* The order lets a later field refer to an earlier one. */
static const struct member members[] = {
    MEMBER(DEMANDS, TEXT, collective),
    MEMBER(PROBLEM, NUMBER32, nodes),
    MEMBER(DEMANDS, NUMBER32, packets),
    MEMBER(DEMANDS, NUMBER32, source),
    MEMBER(PROBLEM, NUMBER32, degree),
    MEMBER(PROBLEM, TEXT, method),
    MEMBER(PROBLEM, TEXT, by),
    MEMBER(PROBLEM, FLAG, order),
    MEMBER(DEMANDS, TEXT, matrix),
    MEMBER(DEMANDS, TEXT, entries),
    MEMBER(DEMANDS, TEXT, pattern),
    MEMBER(DEMANDS, NUMBER64, packet_bytes),
    MEMBER(DEMANDS, NUMBER64, total),
    MEMBER(DEMANDS, TEXT, demands),
    MEMBER(PROBLEM, FLAG, exact),
    MEMBER(PROBLEM, FLAG, stream),
    MEMBER(DEMANDS, TEXT, sources),
    MEMBER(DEMANDS, SIGNED, random),
    MEMBER(PROBLEM, TEXT, prefix),
    MEMBER(PROBLEM, TEXT, overlap),
    MEMBER(PROBLEM, FLAG, randomised),
    /* passed only with parts that always use it, because a schedule that draws nothing rejects a
     * seed */
    MEMBER(MACHINE, NUMBER64, seed),
    MEMBER(PROBLEM, TEXT, model),
    MEMBER(PROBLEM, TEXT, lambda),
    MEMBER(PROBLEM, TEXT, tree),
    MEMBER(PROBLEM, TEXT, parents),
    MEMBER(PROBLEM, TEXT, capacity),
    MEMBER(PROBLEM, FLAG, half_duplex),
    MEMBER(PROBLEM, NUMBER32, dim),
#define DIRECT_MEMBER(enumerator, name, ...) MEMBER(PROBLEM, TEXT, name),
    TOPOLOGY_DIRECT_TABLE(DIRECT_MEMBER, )
#undef DIRECT_MEMBER
        MEMBER(PROBLEM, TEXT, ports),
    MEMBER(PROBLEM, TEXT, reconfigure),
    MEMBER(PROBLEM, NUMBER64, clock),
    MEMBER(PROBLEM, NUMBER32, round_cycles),
    MEMBER(PROBLEM, NUMBER32, planes),
    MEMBER(MACHINE, TEXT, network),
    MEMBER(MACHINE, TEXT, settings),
    MEMBER(MACHINE, TEXT, programs),
    MEMBER(MACHINE, TEXT, combine),
    MEMBER(MACHINE, TEXT, operators),
    MEMBER(MACHINE, FLAG, split),
    MEMBER(MACHINE, NUMBER32, width),
    MEMBER(MACHINE, NUMBER32, flits),
    MEMBER(MACHINE, TEXT, memory),
    MEMBER(MACHINE, TEXT, payload),
    MEMBER(RUN, TEXT, engine),
    MEMBER(RUN, NUMBER32, stop_after),
    MEMBER(RUN, TEXT, waves),
    MEMBER(RUN, NUMBER32, waves_from),
    MEMBER(RUN, NUMBER32, waves_to),
    MEMBER(RUN, TEXT, view),
};
#define MEMBERS (sizeof members / sizeof *members)
_Static_assert(MEMBERS <= 64, "a bit for each member");

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

static bool is_given(const struct member *member, const struct roundcast_request *request)
{
    return request->strict && (request->given >> (member - members) & 1) != 0;
}

/* Returns the value of a member as the text of its field, or NULL if it is not given. A number is
 * written to `room`. */
static const char *member_text(const struct member *member, const struct roundcast_request *request,
                               char room[TEXT_ROOM])
{
    const char *at = (const char *)request + member->offset;
    const char *usual = (const char *)&defaults + member->offset;
    const bool given = is_given(member, request);
    if (member->offset == offsetof(struct roundcast_request, source) && request->source_level > 0) {
        snprintf(room, TEXT_ROOM, "%" PRIu32 ":%" PRIu32, request->source_level, request->source);
        return room;
    }
    switch (member->type) {
    case MEMBER_TEXT:
        return *(const char *const *)at;
    case MEMBER_FLAG:
        return *(const bool *)at ? "" : NULL;
    case MEMBER_NUMBER32:
        snprintf(room, TEXT_ROOM, "%" PRIu32, *(const uint32_t *)at);
        return given || *(const uint32_t *)at != *(const uint32_t *)usual ? room : NULL;
    case MEMBER_NUMBER64:
        snprintf(room, TEXT_ROOM, "%" PRIu64, *(const uint64_t *)at);
        return given || *(const uint64_t *)at != *(const uint64_t *)usual ? room : NULL;
    default:
        snprintf(room, TEXT_ROOM, "%" PRId64, *(const int64_t *)at);
        return given || *(const int64_t *)at != *(const int64_t *)usual ? room : NULL;
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
        if (text != NULL && (from->strict || (members[which].part & parts) != 0))
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

bool roundcast_has_topology(const struct roundcast_request *request)
{
#define DIRECT_TEXT(enumerator, name, ...) request->name,
    const char *const text[] = {request->tree, request->parents,
                                TOPOLOGY_DIRECT_TABLE(DIRECT_TEXT, )};
#undef DIRECT_TEXT
    bool given = request->dim > 0;
    for (size_t which = 0; which < sizeof text / sizeof *text; which++)
        given = given || text[which] != NULL;
    return given;
}

bool roundcast_has_demands(const struct roundcast_request *request)
{
    char room[TEXT_ROOM];
    bool given = false;
    for (size_t which = 0; which < MEMBERS; which++)
        given = given || (members[which].part == INSIDE_DEMANDS &&
                          member_text(&members[which], request, room) != NULL);
    return given;
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
    const char *colon = strchr(text, ':'); /* occurs only in a router, LEVEL:INDEX */
    if (field->type != FIELD_BYTES)
        number = strtoull(colon != NULL ? colon + 1 : text, NULL, 10);
    if (member->offset == offsetof(struct roundcast_request, source))
        request->source_level = colon != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
    if (member->type == MEMBER_FLAG)
        *(bool *)at = true;
    else if (member->type == MEMBER_NUMBER32)
        *(uint32_t *)at = (uint32_t)number;
    else
        *(uint64_t *)at = number;
    return true;
}

static void forget(struct roundcast_request *request, const char **text)
{
    const struct member *member = members;
    while (member->offset != (size_t)((char *)text - (char *)request))
        member++;
    *text = NULL;
    request->given &= ~(UINT64_C(1) << (member - members));
}

/* Resolves a conflict: the ports "single" and "multi" also name models, and the member that is set
 * last takes effect. */
static void settle_model(struct roundcast_request *request, const char *set)
{
    const bool named = request->ports != NULL && (strcmp(request->ports, "single") == 0 ||
                                                  strcmp(request->ports, "multi") == 0);
    if (named && strcmp(set, "model") == 0)
        forget(request, &request->ports);
    if (named && strcmp(set, "ports") == 0)
        forget(request, &request->model);
}

/* Stores a text that a row of the member's field has accepted. */
static bool accept(const struct member *member, struct roundcast_request *request,
                   const char *value, struct err *err)
{
    const bool flag = member->type == MEMBER_FLAG;
    if (!store(member, request, flag ? "" : value, err))
        return false;
    request->given |= UINT64_C(1) << (member - members);
    settle_model(request, member->name);
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
               accept(member, request, value, &err);
    return set || inside_fail(&err, error);
}

bool roundcast_set_row(struct roundcast_request *request, size_t index, const char *value,
                       struct roundcast_error *error)
{
    struct err err = {0};
    struct request scratch = request_default();
    const struct field *field = &request_fields[index];
    const struct member *member = find_member(field->name);
    bool set = (member != NULL ||
                err_set(&err, ERR_OPTION, "'%.40s' is not a field of a request", field->name)) &&
               request_set(&scratch, field, value, &err) && accept(member, request, value, &err);
    return set || inside_fail(&err, error);
}
