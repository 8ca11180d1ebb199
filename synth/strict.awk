# SPDX-License-Identifier: Apache-2.0
# strict.awk: finds constructs that IEEE 1800 forbids and some tools accept.
#
#     awk -f strict.awk x.sv...        prints file:line: what; exit status 1 if there are findings
#
#   - a variable, net, parameter or genvar that is used before its declaration (6.5): Icarus before
#     13, Verilator and Yosys search the whole module
#   - a variable of an always_ff that another process writes (9.2.2.4): an initial block, also by
#     $readmemh, another always_ff of the same block, or the same process in another iteration of
#     a generate loop, unless the variable of the loop selects the element
#
# A file is split into tokens; then each name is resolved in the enclosing blocks. Functions may be
# called before they are declared; names that no enclosing block declares are left to other tools.

function flush_file() { if (count) resolve(); count = 0; split("", token); split("", at) }

FNR == 1 { flush_file(); name_of_file = FILENAME; comment = 0 }

{
  line = $0
  gsub(/"([^"\\]|\\.)*"/, " ", line)
  if (comment) {
    if (!sub(/^.*\*\//, "", line)) next
    comment = 0
  }
  gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
  sub(/\/\/.*/, "", line)
  if (sub(/\/\*.*/, "", line)) comment = 1
  gsub(/\(\*[^)]*\*\)/, " ", line)                        # attributes
  if (line ~ /^[ \t]*`(include|default_nettype|if|el|end|define|undef|timescale)/) next
  gsub(/`[A-Za-z_]+/, " ", line)
  gsub(/[0-9]*'[sS]?[bodhBODH][0-9a-fA-FxzXZ_?]+/, " 0 ", line)
  while (match(line, /\\[^ \t]+|[A-Za-z_$][A-Za-z0-9_$]*|[0-9][0-9_]*|<=|>=|==|!=|::|[^ \t]/)) {
    token[++count] = substr(line, RSTART, RLENGTH)
    at[count] = FNR
    line = substr(line, RSTART + RLENGTH)
  }
}

END { flush_file(); exit found > 0 }

function report(t, text) {
  printf "%s:%d: %s\n", name_of_file, at[t], text
  found++
}

# Returns the enclosing block that declares the name, or 0.
function holder(name, block) {
  while (block && !((block, name) in declared)) block = parent[block]
  return block
}

function open_block(t) {
  parent[++blocks] = block
  loop[blocks] = pending
  pending = ""
  block = blocks
}

function is_name(t) { return token[t] ~ /^[A-Za-z_][A-Za-z0-9_$]*$/ && !(token[t] in keyword) }

# Records the block of each token, and the declarations of each block.
function declare_all(    t, depth, listing, function_next) {
  blocks = block = 0
  pending = ""
  listing = 0
  for (t = 1; t <= count; t++) {
    if (token[t] == "module" || token[t] ~ /^(package|function|task)$/) {
      open_block(t)
      function_next = token[t] == "function"
      if (token[t] == "module" || token[t] == "package") t++
    } else if (token[t] == "for" && token[t+2] == "genvar") pending = token[t+3]
    else if (token[t] == "begin") open_block(t)
    if (token[t] ~ /^(end|endmodule|endpackage|endfunction|endtask)$/) block = parent[block]
    inside[t] = block
    if (token[t] ~ /^[[({]$/) depth++
    if (token[t] ~ /^[])}]$/) { depth--; if (depth < listing_depth) listing = 0 }
    if (token[t] in type) {
      listing = 1
      listing_depth = depth
    } else if (token[t] == ";" || token[t] == "begin") {
      listing = 0
    } else if (listing == 1 && depth == listing_depth && is_name(t) && token[t+1] != "::" &&
               token[t-1] != "::") {
      listing = 2
      if (function_next) called[token[t]] = 1
      else if (!((block, token[t]) in declared)) declared[block, token[t]] = t
      function_next = 0
    } else if (listing == 2 && depth == listing_depth && token[t] == ",") {
      listing = 1
    } else if (listing == 1 && (token[t] in keyword) &&
               token[t] !~ /^(signed|unsigned|automatic)$/) {
      listing = 0
    }
  }
}

# Checks for a use: a name that no dot or scope qualifies, or `.name` alone in a port list.
function is_use(t) {
  if (!is_name(t) || token[t+1] == "::" || token[t-1] == "::") return 0
  if (token[t-1] == ":" && (token[t-2] == "begin" || token[t-2] == "end")) return 0
  if (token[t-1] == ".") return token[t+1] ~ /^[,)]$/ && token[t-2] ~ /^[,(]$/
  return 1
}

# Returns the last token of the statement that begins at t.
function statement_end(t,    depth) {
  for (; t <= count; t++) {
    if (token[t] ~ /^(begin|case|casez)$/) depth++
    if (token[t] ~ /^(end|endcase)$/) depth--
    if (depth == 0 && (token[t] == ";" && round[t] || token[t] == "end") && token[t+1] != "else")
      return t
  }
  return count
}

function shared(t, by, expected) {
  report(t, token[t] " is written by " by "; expected " expected " [strict-always_ff]")
}

# Records that the process that begins at token `first`, an always_ff or initial, writes token t.
function written(t, first, kind,    block, key, around, u, selected) {
  block = holder(token[t], inside[t])
  if (!block) return
  key = block SUBSEP token[t]
  if (kind == "initial") by_initial[key] = 1
  else if (kind == "always_ff") {
    if ((key, inside[first]) in by_always && by_always[key, inside[first]] != first)
      shared(t, "another always_ff", "one process")
    by_always[key, inside[first]] = first
    any_always[key] = t
    for (around = inside[first]; around && around != block; around = parent[around]) {
      if (loop[around] == "") continue
      selected = 0
      if (token[t+1] == "[")
        for (u = t + 2; token[u] != "]"; u++) if (token[u] == loop[around]) selected = 1
      if (!selected)
        shared(t, "an always_ff in each pass of a loop", "always")
    }
  }
}

# Runs the checks on a file.
function resolve(    t, u, block, first, last, kind, key, part) {
  split("", declared); split("", called); split("", by_initial); split("", by_always)
  split("", any_always); split("", parent); split("", loop); split("", inside); split("", round)
  declare_all()
  u = 0                                                   # parentheses around a token
  for (t = 1; t <= count; t++) {
    if (token[t] == "(") u++
    if (token[t] == ")") u--
    round[t] = u == 0
  }
  for (t = 1; t <= count; t++) {
    if (!is_use(t) || token[t] in called) continue
    # Finds the nearest enclosing block with an earlier declaration; otherwise the use is too early.
    for (block = inside[t]; block; block = parent[block])
      if ((block, token[t]) in declared && declared[block, token[t]] <= t) break
    if (!block && holder(token[t], inside[t]))
      report(t, token[t] " is used before its declaration [strict-declaration]")
  }
  for (first = 1; first <= count; first++) {
    if (token[first] !~ /^(always_ff|initial)$/) continue
    kind = token[first]
    last = statement_end(first)
    for (t = first + 1; t <= last; t++) {
      if (token[t] ~ /^\$readmem/) {
        for (u = t; token[u] != ";"; u++) if (token[u] == "," && is_name(u + 1)) part = u + 1
        written(part, first, kind)
      } else if (is_name(t) && token[t-1] ~ /^(;|begin|end|else|\)|:)$/) {
        u = t + 1
        while (token[u] == "[") {
          for (part = 1; part > 0; ) { u++; part += (token[u] == "[") - (token[u] == "]") }
          u++
        }
        if (token[u] == "<=" || token[u] == "=") written(t, first, kind)
      }
    }
    first = last
  }
  for (key in any_always) if (key in by_initial)
    shared(any_always[key], "an initial, too", "always")
}

BEGIN {
  split("input output inout wire logic reg bit int integer genvar localparam parameter", words, " ")
  for (w in words) type[words[w]] = keyword[words[w]] = 1
  split("module endmodule package endpackage function endfunction begin end if else for always " \
        "always_ff always_comb initial assign posedge negedge case casez endcase default task " \
        "endtask signed unsigned automatic unique return assert assume cover repeat forever",
        words, " ")
  for (w in words) keyword[words[w]] = 1
}
