/* SPDX-License-Identifier: Apache-2.0 */
/* test_mscclpp_malformed: rejects each malformed member of a plan of MSCCL++.
 *
 * One plan of 2 GPUs, which is accepted with 1 transfer, is changed in one place or two. Each
 * change violates one rule of the format, and the expected place and range follow from the plan.
 * The limits are exceeded by one. Counter-cases: unusual plans that obey all rules are accepted.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"

#include <stdlib.h>
#include <string.h>

/* The texts have ' for ", so that they are legible. */
#define SOURCE "{'type':'i','index':0,'size':1}"
#define TARGET "{'buffer_id':0,'index':1,'size':1}"
#define ON_PORT "'channel_ids':[0],'channel_type':'port'}"
#define OPS_1                                                                                 \
    "{'name':'wait'," ON_PORT ",{'name':'copy','src_buff':[{'type':'o','index':1,'size':1}]," \
    "'dst_buff':[{'type':'s','index':0,'size':1}]}"
#define OPS "'ops':[\n"

static const char good[] =
    "{'name':'by hand','collective':'custom','inplace':false,'gpus':[\n"
    "{'id':0,'input_chunks':2,'output_chunks':2,'scratch_chunks':2,"
    "'semaphores':[{'init_value':0}],"
    "'channels':[{'channel_type':'port','connected_to':[1]},"
    "{'channel_type':'memory','connected_to':[1]}],"
    "'remote_buffers':[{'rank':1,'type':'o'}],"
    "'threadblocks':[{'id':0,"
    "'channels':[{'channel_type':'port','channel_ids':[0]},"
    "{'channel_type':'memory','channel_ids':[0]}],"
    "'remote_buffer_refs':[{'access_channel_type':'port','remote_buffer_ids':[0]}]," OPS
    "{'name':'put','src_buff':[" SOURCE "],'dst_buff':[" TARGET "]," ON_PORT ",\n"
    "{'name':'signal'," ON_PORT ",\n{'name':'flush'," ON_PORT "]}]},\n"
    "{'id':1,'input_chunks':2,'output_chunks':2,'scratch_chunks':2,"
    "'channels':[{'channel_type':'port','connected_to':[0]},"
    "{'channel_type':'memory','connected_to':[0] }],"
    "'threadblocks':[{'id':0,'channels':[{'channel_type':'port','channel_ids':[0]}]," OPS OPS_1
    "]}]}]}\n";

struct change {
    const char *from, *to; /* the first occurrence of a text, and what replaces it */
};

struct bad {
    struct change change[2];
    enum err_code code;
    const char *part; /* of the message */
};

#define ADDS(operation)        \
    {                          \
        OPS, OPS operation "," \
    }

static const struct bad bad[] = {
    /* GPUs */
    {{{"'id':0,'input", "'input"}}, ERR_SYNTAX, " gpus[0]: id: no number; expected 0 … 4294967295"},
    {{{"'input_chunks':2", "'input_chunks':'2'"}},
     ERR_SYNTAX,
     " gpus[0]: input_chunks: no number; expected 0 … 16777216"},
    {{{"'input_chunks':2", "'input_chunks':-1"}},
     ERR_FIELD_RANGE,
     "input_chunks: -1; expected 0 … 16777216"},
    {{{"'input_chunks':2", "'input_chunks':16777216"}},
     ERR_TOO_BIG,
     " gpus[0]: more than 16777216 chunks of all GPUs"},
    {{{"'semaphores':[{'init_value':0}]", "'semaphores':1"}},
     ERR_SYNTAX,
     " gpus[0]: no array 'semaphores'; expected one"},
    {{{"'init_value':0", "'init_value':-1"}},
     ERR_FIELD_RANGE,
     "init_value: -1; expected 0 … 2147483647"},
    {{{"'remote_buffers':[{'rank':1,'type':'o'}]", "'remote_buffers':{}"}},
     ERR_SYNTAX,
     "no array 'remote_buffers'"},
    {{{"'threadblocks'", "'blocks'"}}, ERR_SYNTAX, " gpus[0]: no array 'threadblocks'"},
    /* channels of a GPU */
    {{{"[{'channel_type':'port','connected_to':[1]},{'channel_type':'memory','connected_to':[1]}]",
       "{}"}},
     ERR_SYNTAX,
     " gpus[0]: no array 'channels'"},
    {{{"'port','connected_to'", "'wire','connected_to'"}},
     ERR_SYNTAX,
     " gpus[0]: channel type 'wire'; expected memory or port"},
    {{{"'port','connected_to'", "7,'connected_to'"}}, ERR_SYNTAX, "channel type ''"},
    {{{"'connected_to':[1]", "'connected_to':1"}}, ERR_SYNTAX, "no array 'connected_to'"},
    {{{"'connected_to':[1]", "'connected_to':[2]"}},
     ERR_FIELD_RANGE,
     "connected_to: 2; expected 0 … 1"},
    {{{"'connected_to':[1]", "'connected_to':[0]"}},
     ERR_SELF_SEND,
     " gpus[0]: GPU 0 is its own peer; expected another one"},
    /* blocks */
    {{{"'id':0,'channels'", "'channels'"}}, ERR_SYNTAX, " GPU 0, block 0: id: no number"},
    {{{"'id':0,'channels'", "'id':1,'channels'"}}, ERR_ORDER, " GPU 0, block 0: id 1; expected 0"},
    {{{OPS, "'op':["}}, ERR_SYNTAX, " GPU 0, block 0: no array 'ops'"},
    {{{"[{'channel_type':'port','channel_ids':[0]},{'channel_type':'memory','channel_ids':[0]}]",
       "7"}},
     ERR_SYNTAX,
     " GPU 0, block 0: no array 'channels'"},
    {{{"'port','channel_ids'", "'switch','channel_ids'"}},
     ERR_UNSUPPORTED,
     "a channel of a switch"},
    {{{"'channel_ids':[0]", "'channel_ids':0"}}, ERR_SYNTAX, "no array 'channel_ids'"},
    {{{"'channel_ids':[0]", "'channel_ids':[1]"}},
     ERR_FIELD_RANGE,
     "channel_ids: 1; expected 0 … 0"},
    {{{"'memory','connected_to':[1]", "'memory','connected_to':[]"}},
     ERR_FIELD_RANGE,
     "channel_ids: the GPU has none; expected some"},
    {{{"'remote_buffer_refs':[{'access_channel_type':'port','remote_buffer_ids':[0]}]",
       "'remote_buffer_refs':true"}},
     ERR_SYNTAX,
     "no array 'remote_buffer_refs'"},
    {{{"'access_channel_type':'port'", "'access_channel_type':'ports'"}},
     ERR_SYNTAX,
     "channel type 'ports'"},
    {{{"'remote_buffer_ids':[0]", "'remote_buffer_id':[0]"}},
     ERR_SYNTAX,
     "no array 'remote_buffer_ids'"},
    {{{"'remote_buffer_ids':[0]", "'remote_buffer_ids':[1]"}},
     ERR_FIELD_RANGE,
     "remote_buffer_ids: 1; expected 0 … 0"},
    /* groups of blocks: 4032 is the least common multiple of 63 and 64 */
    {{ADDS("{'tbg_info':{}}")}, ERR_SYNTAX, "tbg_size: no number; expected 0 … 64"},
    {{ADDS("{'tbg_info':{'tbg_size':0}}")}, ERR_FIELD_RANGE, "into 0 parts; expected 1 … 64"},
    {{ADDS("{'tbg_info':{'tbg_size':63}},{'tbg_info':{'tbg_size':64}}")},
     ERR_FIELD_RANGE,
     "into 4032 parts; expected 1 … 64"},
    {{ADDS("{'name':'pipeline','ops':[{'tbg_info':{}}]}")},
     ERR_UNSUPPORTED,
     "blocks share an operation of a pipeline"},
    {{{"'name':'put',", "'name':'put','tbg_info':{'tbg_size':2,'tb_id':2},"}},
     ERR_FIELD_RANGE,
     "tb_id: 2; expected 0 … 1"},
    /* operands */
    {{{"{'buffer_id':0", "{'switch_channel_id':0"}}, ERR_UNSUPPORTED, "step 0: uses a switch"},
    {{{ON_PORT, "'channel_ids':[0],'channel_type':'memory'}"}},
     ERR_FIELD_RANGE,
     "step 0: has a 'buffer_id', and its block refers to no buffer of that type"},
    {{{"'rank':1", "'rank':2"}}, ERR_FIELD_RANGE, "rank: 2; expected 0 … 1"},
    {{{"'type':'i'", "'kind':'i'"}}, ERR_SYNTAX, "an operand without 'type'; expected i, o or s"},
    {{{"'type':'i'", "'type':''"}}, ERR_SYNTAX, "an operand without 'type'"},
    {{{"'type':'i'", "'type':'io'"}}, ERR_SYNTAX, "an operand without 'type'"},
    {{{"'type':'i'", "'type':'x'"}}, ERR_SYNTAX, "an operand without 'type'"},
    {{{"'index':0,'size':1", "'index':0"}}, ERR_SYNTAX, "size: no number; expected 0 … 16777216"},
    {{{"'index':0,'size':1", "'index':0,'size':0"}},
     ERR_FIELD_RANGE,
     "uses chunks 0 … 0 of a buffer of GPU 0; expected some of its 2"},
    {{{"'index':0,'size':1", "'index':3,'size':1"}},
     ERR_FIELD_RANGE,
     "uses chunks 3 … 3 of a buffer of GPU 0; expected some of its 2"},
    {{{"[" SOURCE "]", SOURCE}}, ERR_SYNTAX, "lacks 'src_buff' or 'dst_buff'"},
    {{{"[" SOURCE "]", "[]"}}, ERR_SYNTAX, "lacks 'src_buff' or 'dst_buff'"},
    {{{SOURCE, SOURCE "," SOURCE}}, ERR_SYNTAX, "another number of sources than of destinations"},
    {{{SOURCE, "{'buffer_id':0,'index':0,'size':1}"}},
     ERR_UNSUPPORTED,
     "reads other GPUs, or combines, on a port channel"},
    {{ADDS("{'name':'re','src_buff':[" SOURCE "," SOURCE "],'dst_buff':[" TARGET "]," ON_PORT)},
     ERR_UNSUPPORTED,
     "reads other GPUs, or combines, on a port channel"},
    /* 3 copies read and write 4194304 chunks each: 2^24 + 2^23 */
    {{{"'input_chunks':2", "'input_chunks':4194304"},
      {"{'name':'put'",
       "{'name':'copy','src_buff':[{'type':'i','index':0,'size':4194304},{'type':'i','index':0,"
       "'size':4194304}],'dst_buff':[{'type':'i','index':0,'size':4194304},{'type':'i','index':0,"
       "'size':4194304},{'type':'i','index':0,'size':4194304}]},{'name':'put'"}},
     ERR_TOO_BIG,
     "step 0: all operations move more than 2^24 chunks"},
    /* channels, barriers and semaphores of operations */
    {{{ON_PORT, "'channel_ids':[],'channel_type':'port'}"}},
     ERR_SYNTAX,
     "step 0: lacks an element of 'channel_ids'"},
    {{{ON_PORT, "'channel_ids':[1],'channel_type':'port'}"}},
     ERR_FIELD_RANGE,
     "channel_ids: 1; expected 0 … 0"},
    {{{ON_PORT, "'channel_ids':[0],'channel_type':7}"}}, ERR_SYNTAX, "channel type ''"},
    {{{"'memory','channel_ids':[0]", "'memory','channel_ids':[]"},
      ADDS("{'name':'signal','channel_ids':[0],'channel_type':'memory'}")},
     ERR_SYNTAX,
     "or its block has no channel of the type"},
    {{ADDS("{'name':'wait'," ON_PORT), {"'connected_to':[0]", "'connected_to':[]"}},
     ERR_ORDER,
     "step 0: waits for ever: the peer has no channel to this GPU"},
    {{ADDS("{'name':'barrier','num_threadblocks':1}")}, ERR_SYNTAX, "barrier_id: no number"},
    {{ADDS("{'name':'barrier','barrier_id':16,'num_threadblocks':1}")},
     ERR_FIELD_RANGE,
     "barrier_id: 16; expected 0 … 15"},
    {{ADDS("{'name':'barrier','barrier_id':0,'num_threadblocks':1025}")},
     ERR_FIELD_RANGE,
     "num_threadblocks: 1025; expected 0 … 1024"},
    {{ADDS("{'name':'barrier','barrier_id':0,'num_threadblocks':0}")},
     ERR_FIELD_RANGE,
     "step 0: is a barrier of 0 blocks"},
    {{ADDS("{'name':'sem_release'}")}, ERR_SYNTAX, "step 0: names no semaphore"},
    {{{"'semaphores':[{'init_value':0}],", ""}, ADDS("{'name':'sem_release','semaphore_ids':[0]}")},
     ERR_SYNTAX,
     "step 0: names no semaphore, or its GPU has none"},
    {{ADDS("{'name':'sem_release','semaphore_ids':[1]}")},
     ERR_FIELD_RANGE,
     "semaphore_ids: 1; expected 0 … 0"},
    /* one chunk is copied, and nothing is combined */
    {{{"'custom'", "'reducescatter'"}}, ERR_UNMET, "as coll=\"reduce_scatter\" requires"},
    /* operations */
    {{ADDS("{'name':'gstore'}")}, ERR_UNSUPPORTED, "step 0: an operation of a switch"},
    {{ADDS("{'name':'pipeline','ops':[{}]}")}, ERR_SYNTAX, "an operation without 'name'"},
    /* the text has no place of an operation that is no object: the last line ends with a line feed,
     * so its end is line 8 */
    {{{OPS_1, "1"}}, ERR_SYNTAX, ":8:1: GPU 1, block 0, step 0: an operation without 'name'"},
};

/* Changes that obey all rules: 1 transfer. */
static const struct change fine[] = {
    {"", ""},
    ADDS("{'name':'flush','channel_ids':[0],'channel_type':'memory'}"),
    ADDS("{'name':'flush'," ON_PORT), /* of no put */
    {"{'name':'by", "{'other':[[[[[{}]]]]],'name':'by"},
    {"{'id':0,'input", "{'other':[[[{}]]],'id':0,'input"},
    {"'semaphores':[{'init_value':0}],", ""},
};

/* Replaces the first occurrence of `from`. Frees the text. */
static char *changed(char *text, const char *from, const char *to)
{
    char *found = strstr(text, from), *result = NULL;
    size_t size;
    assert_non_null(found);
    FILE *out = open_memstream(&result, &size);
    assert_non_null(out);
    fprintf(out, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
    fclose(out);
    free(text);
    return result;
}

static char *quoted(char *text)
{
    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    return text;
}

static void test_changes(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
        char *text = strdup(good);
        print_message("%s\n", bad[k].part);
        for (unsigned which = 0; which < 2 && bad[k].change[which].from != NULL; which++)
            text = changed(text, bad[k].change[which].from, bad[k].change[which].to);
        exchange_lab_refuses("mscclpp", quoted(text), bad[k].code, bad[k].part);
        free(text);
    }
}

static void test_accepted(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof fine / sizeof *fine; k++) {
        struct schedule schedule;
        char *text = quoted(changed(strdup(good), fine[k].from, fine[k].to));
        print_message("accepted %u\n", k);
        exchange_lab_import("mscclpp", text, MODEL_SEND_RECEIVE, &schedule);
        assert_int_equal(schedule.transfer_count, 1);
        schedule_free(&schedule);
        free(text);
    }
}

/* A GPU that reads memory of its peer requires no channel. */
static void test_no_channels(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = quoted(strdup(
        "{'collective':'custom','inplace':false,'gpus':[{'id':0,'input_chunks':1,"
        "'output_chunks':1,'scratch_chunks':0,'remote_buffers':[{'rank':1,'type':'i'}],"
        "'threadblocks':[{'id':0,'remote_buffer_refs':[{'access_channel_type':'memory',"
        "'remote_buffer_ids':[0]}],'ops':[{'name':'get','src_buff':[{'buffer_id':0,'index':0,"
        "'size':1}],'dst_buff':[{'type':'o','index':0,'size':1}],'channel_type':'memory'}]}]},"
        "{'id':1,'input_chunks':1,'output_chunks':1,'scratch_chunks':0,'threadblocks':[]}]}"));
    exchange_lab_import("mscclpp", text, MODEL_SEND_RECEIVE, &schedule);
    assert_int_equal(schedule.transfer_count, 1);
    assert_int_equal(schedule.transfer[0].source, 1);
    assert_int_equal(schedule.transfer[0].destination, 0);
    schedule_free(&schedule);
    free(text);
}

/* Returns `count` copies of an element, separated by commas. */
static char *repeated(const char *element, unsigned count)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (unsigned k = 0; k < count; k++)
        fprintf(to, "%s%s", k > 0 ? "," : "", element);
    fclose(to);
    return text;
}

/* Each list of a plan has one element more than the reader accepts. */
static void test_limits(void **state)
{
    static const struct {
        const char *from, *before, *element, *after;
        unsigned count;
        enum err_code code;
        const char *part;
    } limits[] = {
        {"'gpus':[\n", "'gpus':[", "{}", ",", 1023, ERR_FIELD_RANGE,
         "1025 GPUs; expected 2 … 1024"},
        {"'threadblocks':[", "'threadblocks':[", "{}", ",", 1024, ERR_FIELD_RANGE,
         " gpus[0]: 1025 blocks; expected at most 1024"},
        {"'connected_to':[1]", "'connected_to':[", "1", "]", 65537, ERR_TOO_BIG,
         " gpus[0]: more than 65536 channels of a type"},
        {OPS, OPS, "1", ",", (1 << 20) - 2, ERR_TOO_BIG,
         "1048577 operations of a block; expected at most 1048576"},
        {"[" SOURCE "]", "[", "0", "]", 1025, ERR_SYNTAX,
         "lacks 'src_buff' or 'dst_buff', or has too many; expected 1 … 1024 operands"},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof limits / sizeof *limits; k++) {
        char *list = repeated(limits[k].element, limits[k].count), *text = NULL;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        assert_non_null(to);
        print_message("%s\n", limits[k].part);
        fprintf(to, "%s%s%s", limits[k].before, list, limits[k].after);
        fclose(to);
        char *plan = quoted(changed(strdup(good), limits[k].from, text));
        exchange_lab_refuses("mscclpp", plan, limits[k].code, limits[k].part);
        free(plan);
        free(text);
        free(list);
    }
}

/* 17 GPUs of 1024 blocks have more than 16384 blocks. */
static void test_blocks_of_all(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    (void)state;
    assert_non_null(to);
    fputs("{'collective':'custom','inplace':false,'gpus':[", to);
    for (unsigned gpu = 0; gpu < 17; gpu++) {
        fprintf(to, "%s{'id':%u,'input_chunks':1,'output_chunks':1,'scratch_chunks':0,",
                gpu > 0 ? "," : "", gpu);
        fputs("'threadblocks':[", to);
        for (unsigned block = 0; block < 1024; block++)
            fprintf(to, "%s{'id':%u,'ops':[]}", block > 0 ? "," : "", block);
        fputs("]}", to);
    }
    fputs("]}", to);
    fclose(to);
    exchange_lab_refuses("mscclpp", quoted(text), ERR_TOO_BIG,
                         "more than 16384 blocks and port channels of blocks");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),       cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_no_channels),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_blocks_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
