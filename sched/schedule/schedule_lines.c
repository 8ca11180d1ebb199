/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_reader.h"

/* minimum bytes of a transfer's line: three digits, two blanks and the newline */
#define LINE_LEAST 6
#define STEP_LEAST 13  /* minimum bytes of the lines of a step and of one transfer */
#define TIME_DIGITS 18 /* any number with this many digits is a valid time */
/* the numerator and denominator together leave a step's line within its room */
#define DIVISOR_DIGITS 9u

/* The limits for the fields of a line. */
struct rules {
    uint32_t nodes, packets;
    const struct topology *topology;
    bool timed;
    uint64_t tick;
};

/* Reads the number whose digits end at the first bit of `others`, and clears the bit. The byte
 * `after` must follow. Advances past both. Returns false if another byte follows, or if the number
 * has no digits or more than eight. */
static inline bool field(const char **at, uint64_t *others, char after, uint32_t *number)
{
    unsigned count = (unsigned)__builtin_ctzll(*others);
    const char *start = *at;
    if (count - 1 >= DIGITS_AT_ONCE || start[count] != after)
        return false;
    *number = digits_value(start, count);
    *others >>= count + 1;
    *at += count + 1;
    return true;
}

/* Reads the transfer of a line. Returns the start of the next line, or NULL if it is not a
 * canonical transfer. */
static inline const char *line(const char *at, struct transfer *transfer)
{
    /* the bits after those of the text end a number that is too long */
    uint64_t others = digits_others(at) | UINT64_C(7) << DIGITS_LOOK;
    bool read = field(&at, &others, ' ', &transfer->source) &&
                field(&at, &others, ' ', &transfer->destination) &&
                field(&at, &others, '\n', &transfer->packet);
    return read ? at : NULL;
}

static inline bool is_legal(const struct rules *rules, struct transfer transfer)
{
    const struct topology *topology = rules->topology;
    return transfer.source < rules->nodes && transfer.destination < rules->nodes &&
           transfer.packet - 1 < rules->packets && transfer.source != transfer.destination &&
           (topology_joins_all(topology) ||
            topology_row(topology)->joins(topology, transfer.source, transfer.destination));
}

/* Reads the number of 1 … `most` digits at *at, and advances *at past them. */
static bool step_number(const char **at, unsigned most, uint64_t *number)
{
    const char *start = *at;
    *number = 0;
    for (unsigned digit; (digit = (unsigned)**at - '0') <= 9 && *at < start + most; ++*at)
        *number = *number * 10 + digit;
    return *at > start;
}

/* Reads the time of a step's line. Returns the start of the next line; NULL if this is not a step's
 * line. */
static const char *step_line(const struct rules *rules, const char *at, uint64_t *time)
{
    const char *word = rules->timed ? "time " : "round ";
    uint64_t number, divisor = 1;
    for (; *word != '\0'; word++, at++)
        if (*at != *word)
            return NULL;
    if (!step_number(&at, TIME_DIGITS, &number))
        return NULL;
    if (rules->timed && *at == '/' && (at++, !step_number(&at, DIVISOR_DIGITS, &divisor)))
        return NULL;
    bool legal = *at == '\n' && divisor - 1 < RATIONAL_MAX && (rules->timed || number > 0) &&
                 schedule_ticks(number, divisor, rules->tick, SCHEDULE_MAX_TIME, time);
    return legal ? at + 1 : NULL;
}

/* Returns whether a step with this time may follow the steps of the part. */
static bool may_follow(const struct schedule_lines *lines, uint64_t time)
{
    const struct step *last = lines->steps > 0 ? &lines->step[lines->steps - 1] : NULL;
    return lines->steps < lines->step_room &&
           (last == NULL || (last->time < time && last->first < lines->transfers));
}

void schedule_lines_find(const struct schedule *schedule, const char *at, const char *end,
                         struct schedule_lines *lines)
{
    const struct rules rules = {schedule->nodes, schedule->packets, &schedule->topology,
                                model_has_times(schedule->model), schedule->lambda.denominator};
    struct transfer *transfer = lines->transfer, *const room = transfer + lines->transfer_room;
    uint64_t time;
    lines->steps = 0;
    for (const char *next; at < end; at = next) {
        struct transfer found;
        next = line(at, &found);
        if (next != NULL) {
            if (!is_legal(&rules, found) || transfer == room)
                break;
            *transfer++ = found;
            continue;
        }
        lines->transfers = (size_t)(transfer - lines->transfer);
        next = step_line(&rules, at, &time);
        if (next == NULL || !may_follow(lines, time))
            break;
        if (lines->steps == 0)
            lines->at_step = at;
        lines->step[lines->steps++] = (struct step){time, lines->transfers};
    }
    lines->transfers = (size_t)(transfer - lines->transfer);
    lines->next = at;
}

bool schedule_lines_follow(const struct schedule *schedule, struct schedule_lines *lines)
{
    const struct step *last = &schedule->step[schedule->step_count - 1];
    if (lines->steps == 0 || (last->time < lines->step[0].time &&
                              last->first < schedule->transfer_count + lines->step[0].first))
        return true;
    lines->next = lines->at_step;
    lines->transfers = lines->step[0].first;
    lines->steps = 0;
    return false;
}

void schedule_lines_add(struct schedule *schedule, const struct schedule_lines *lines)
{
    for (size_t k = 0; k < lines->steps; k++)
        lines->step[k].first += schedule->transfer_count;
    schedule->step_count += lines->steps;
    schedule->transfer_count += lines->transfers;
}

bool schedule_read_lines(struct scan *scan, struct schedule *schedule, struct err *err)
{
    if (scan->end - scan->at < SCHEDULE_LINE_ROOM)
        return true;
    const char *end = scan->end - SCHEDULE_LINE_ROOM + 1;
    size_t bytes = (size_t)(end - scan->at);
    struct schedule_lines lines = {.transfer_room = bytes / LINE_LEAST + 1,
                                   .step_room = bytes / STEP_LEAST + 2};
    lines.transfer = schedule_room(schedule, lines.transfer_room, err);
    if (lines.transfer == NULL)
        return false;
    lines.step = schedule_step_room(schedule, lines.step_room, err);
    if (lines.step == NULL)
        return false;
    schedule_lines_find(schedule, scan->at, end, &lines);
    schedule_lines_follow(schedule, &lines);
    size_t count = lines.transfers + lines.steps;
    if (count > 0 && !schedule_add_jump(schedule, scan->line, err))
        return false;
    schedule_lines_add(schedule, &lines);
    scan->line += count;
    scan->at = lines.next;
    return true;
}

bool schedule_ticks(uint64_t p, uint64_t q, uint64_t tick, uint64_t most, uint64_t *ticks)
{
    if (q > 1) {
        uint64_t divisor = rational_divisor(p, q);
        p /= divisor;
        q /= divisor;
    }
    return tick % q == 0 && !__builtin_mul_overflow(p, tick / q, ticks) && *ticks <= most;
}
