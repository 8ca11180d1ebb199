/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_read_head: reads the lines before the demands: version, algorithm, topology and
 * model. */
#include "sched/base/text.h"
#include "sched/schedule/schedule_reader.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_ROOM 200      /* bytes of the text of the `algorithm` line */
#define TOPOLOGY_NAMES 120 /* room for the names of all topologies */

/* Checks that the next line begins with `keyword`. */
static bool expect_keyword(struct scan *scan, const char *keyword, struct err *err)
{
    char word[SCAN_WORD], expected[64];
    snprintf(expected, sizeof expected, "'%s'", keyword);
    scan_next_line(scan);
    if (!scan_word(scan, expected, word, err))
        return false;
    if (strcmp(word, keyword) != 0)
        return scan_error(scan, err, ERR_SYNTAX, "'%s'; expected '%s'", word, keyword);
    return true;
}

static bool read_version(struct scan *scan, struct err *err)
{
    char word[SCAN_WORD];
    uint64_t version;
    if (!scan_next_line(scan))
        return scan_unexpected(scan, "'roundcast-schedule 1'", err);
    if (scan_at_mark(scan))
        return scan_error(scan, err, ERR_VERSION,
                          "a byte order mark (BOM) before the text; expected "
                          "'roundcast-schedule 1' first");
    if (!scan_word(scan, "", word, NULL) || strcmp(word, "roundcast-schedule") != 0)
        return scan_error(scan, err, ERR_VERSION,
                          "not a schedule; expected 'roundcast-schedule 1'");
    if (!scan_number(scan, "version", 0, UINT64_MAX, &version, err))
        return false;
    if (version != 1)
        return scan_error(scan, err, ERR_VERSION,
                          "schedule of version %" PRIu64 "; expected version 1", version);
    return scan_line_end(scan, err);
}

/* Reads `algorithm` and free text to the end of the line. */
static bool read_algorithm(struct scan *scan, struct schedule *schedule, struct err *err)
{
    if (!expect_keyword(scan, "algorithm", err))
        return false;
    char text[TEXT_ROOM];
    size_t length = 0;
    scan_blanks(scan);
    for (int byte; byte = scan_peek(scan), byte != '#' && byte != '\n' && byte != EOF; scan->at++) {
        if (byte < ' ' && byte != '\t')
            return scan_unexpected(scan, "printable text", err);
        if (length == TEXT_ROOM - 1)
            return scan_error(scan, err, ERR_SYNTAX, "a long text; expected at most %d byte%s",
                              TEXT_ROOM - 1, text_s(TEXT_ROOM - 1));
        text[length++] = (char)byte;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (length == 0)
        return scan_unexpected(scan, "the algorithm's name", err);
    text[length] = '\0';
    schedule->algorithm = strdup(text);
    if (schedule->algorithm == NULL)
        return scan_error(scan, err, ERR_TOO_BIG, "no memory for a schedule");
    return scan_line_end(scan, err);
}

/* Writes the names of all topologies: "'complete', 'tree' or 'hypercube'". Returns text. */
static const char *topology_names(char text[TOPOLOGY_NAMES])
{
    char quoted[TOPOLOGY_KINDS][SCAN_WORD];
    const char *name[TOPOLOGY_KINDS];
    for (unsigned kind = 0; kind < TOPOLOGY_KINDS; kind++) {
        snprintf(quoted[kind], SCAN_WORD, "'%s'", topology_rows[kind]->name);
        name[kind] = quoted[kind];
    }
    return text_list(name, TOPOLOGY_KINDS, " or ", text, TOPOLOGY_NAMES);
}

static bool read_topology(struct scan *scan, struct schedule *schedule, struct err *err)
{
    char word[SCAN_WORD], names[TOPOLOGY_NAMES];
    enum topology_kind kind;
    topology_names(names);
    if (!expect_keyword(scan, "topology", err) || !scan_word(scan, names, word, err))
        return false;
    if (!topology_find(word, &kind))
        return scan_error(scan, err, ERR_SYNTAX, "topology '%s' does not exist; expected %s", word,
                          names);
    if (!topology_rows[kind]->read(scan, &schedule->topology, err))
        return false;
    schedule->nodes = schedule->topology.nodes;
    return scan_line_end(scan, err);
}

/* Reads λ of the postal model: P/Q or P. */
static bool read_lambda(struct scan *scan, struct rational *lambda, struct err *err)
{
    uint64_t numerator, denominator = 1;
    if (!scan_number(scan, "λ", 1, RATIONAL_MAX, &numerator, err) ||
        (scan_take(scan, '/') &&
         !scan_number(scan, "denominator of λ", 1, RATIONAL_MAX, &denominator, err)))
        return false;
    if (numerator < denominator)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "λ is %" PRIu64 "/%" PRIu64 "; expected at least 1", numerator,
                          denominator);
    *lambda = rational_make((uint32_t)numerator, (uint32_t)denominator);
    return true;
}

/* Reads the parameters after the name of a model: λ, and the number of ports of a node if it is not
 * 1. */
static bool read_rule(struct scan *scan, struct schedule *schedule, struct err *err)
{
    uint64_t ports = 1;
    if (model_has_times(schedule->model) && !read_lambda(scan, &schedule->lambda, err))
        return false;
    scan_blanks(scan);
    if (model_row(schedule->model)->ports && scan_peek(scan) >= '0' && scan_peek(scan) <= '9' &&
        !scan_number(scan, "ports of a node", 1, SCHEDULE_MAX_PORTS, &ports, err))
        return false;
    schedule->ports = (uint32_t)ports;
    return true;
}

static bool read_model(struct scan *scan, struct schedule *schedule, struct err *err)
{
    char word[SCAN_WORD];
    if (!expect_keyword(scan, "model", err) || !scan_word(scan, "one of" MODEL_NAMES, word, err))
        return false;
    schedule->lambda = (struct rational){1, 1};
    schedule->ports = 1;
    bool parsed = model_parse(word, &schedule->model);
    if (parsed && model_topology(schedule->model) != schedule->topology.kind)
        return scan_error(scan, err, ERR_SYNTAX,
                          "model '%s' is of another topology; expected one of" MODEL_NAMES, word);
    if (parsed)
        return read_rule(scan, schedule, err) && scan_line_end(scan, err);
    return scan_error(scan, err, ERR_SYNTAX,
                      "model '%s' does not exist; expected one of" MODEL_NAMES, word);
}

bool schedule_read_head(struct scan *scan, struct schedule *schedule, struct err *err)
{
    return read_version(scan, err) && read_algorithm(scan, schedule, err) &&
           read_topology(scan, schedule, err) && read_model(scan, schedule, err);
}
