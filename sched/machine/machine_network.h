/* machine_network: the names of networks and of their settings, as --network, --settings and images write them. */
#ifndef ROUNDCAST_MACHINE_NETWORK_H
#define ROUNDCAST_MACHINE_NETWORK_H

#include "sched/machine/machine.h"

/* Networks: name, how it is written, what it is. */
#define MACHINE_NETWORK_TABLE(X)                                                                          \
    X("benes", "benes:N[,pipe=P][,pad=D]",                                                                \
      "2·⌈log2(N)⌉-1 stages of 2×2 switches, any N in 2 … 65536 (rtl: 2048); passes any permutation")     \
    X("benes", "benes:N,radix=R[,pipe=P][,pad=D]",                                                        \
      "2k-1 stages of R×R crossbars, N = R^k with k ≥ 2; passes any permutation")                         \
    X("omega", "omega:N[,pipe=P][,pad=D]",                                                                \
      "log2(N) stages of 2×2 switches, N a power of two; blocks some permutations (--split), no cyclic " \
      "shift")                                                                                            \
    X("multicast", "multicast:N[,pipe=P][,pad=D]",                                                        \
      "4·log2(N)-3 stages of 2×2 switches that copy, N a power of two; any outputs get what any input " \
      "sends")                                                                                            \
    X("clos", "clos:m,n,r[,ports=N][,pipe=P][,pad=D]",                                                    \
      "N = n·r ports, stages of r crossbars n×m, m of r×r, r of m×n, m ≥ n; passes any permutation")      \
    X("gf11", "gf11[,pipe=P][,pad=D]", "clos:24,24,24, the network of IBM's GF11: 576 ports")             \
    X("fat-tree", "fat-tree[,pad=D]",                                                                     \
      "the routers of the schedule's tree, which follow tables; at most 65536 leaves (rtl: 1024)")        \
    X("fat-tree-auto", "fat-tree-auto[,pad=D]",                                                           \
      "the same tree of self-timed routers: destination headers, queues, up first, children in turn")     \
    X("cube", "cube[,pad=D]",                                                                             \
      "the routers of the schedule's hypercube, which follow tables; at most 12 dimensions (rtl: 7)")     \
    X("cube-auto", "cube-auto[,pad=D]",                                                                   \
      "the same hypercube, self-timed: it ranks its packets and broadcasts them by itself (cube-broadcast)")

/* Parse a network as it is written above into kind, network (zero for routers), pipe (1 unless given, 0 for routers) and
 * pad (0). E401; then nothing has changed. */
bool machine_parse_network(const char *text, struct machine *machine, struct err *err);

/* The names of settings: "full", "indexed", "tags", "masks". False, and nothing has changed, if it is none of them. */
const char *machine_settings_text(enum machine_settings settings);
bool machine_parse_settings(const char *text, enum machine_settings *settings);

#define MACHINE_NETWORK_TEXT 64

/* What machine_parse_network reads: "benes:32,pipe=1,pad=0", "fat-tree,pad=0". Returns text. */
const char *machine_network_text(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

/* The same without registers: "benes:32", "fat-tree". Returns text. */
const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

/* Is it one of those drawn in multistage.h, of a size that is simulated? E401. */
bool machine_check_multistage(const struct multistage *net, struct err *err);

#endif
