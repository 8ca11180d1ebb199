# SPDX-License-Identifier: Apache-2.0
# banned.awk: finds constructs that Yosys 0.23 accepts without a message and misinterprets, and one
# that Verilator rejects in large machines only.
#
#     awk -f banned.awk x.sv...        prints file:line: what; exit status 1 if there are findings
#
#   - a vector of a typedef, `word_t [3:0] words`: read as one word
#   - a size cast that is inverted, `~Bits'(x)`: the ~ is lost
#   - a field of an element of an array of structs, `flits[1].valid`: read as an undriven wire of
#     that name
#   - a size cast that is shifted in a concatenation, `{a, Bits'(1) << Place}`: a is lost
#   - a replication by a product, `{Ports*Width{1'b0}}`: Verilator warns above 8192 bits
#
# Types are recognised by their typedef, or by the suffix _t (for those from an include).

FNR == 1 { comment = 0; split("", type); split("", array); depth = 0 }

{
  line = $0
  if (comment) {
    if (!sub(/^.*\*\//, "", line)) next
    comment = 0
  }
  gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
  if (sub(/\/\*.*/, "", line)) comment = 1
  sub(/\/\/.*/, "", line)

  # typedef ... name; the body of a struct may span several lines.
  if (line ~ /(^|[^A-Za-z0-9_$])typedef([^A-Za-z0-9_$]|$)/) defining = 1
  if (defining) {
    opened = gsub(/\{/, "{", line)
    depth += opened - gsub(/\}/, "}", line)
    if (depth == 0 && match(line, /[A-Za-z_][A-Za-z0-9_$]*[ \t]*;/)) {
      name = substr(line, RSTART, RLENGTH)
      sub(/[ \t]*;/, "", name)
      type[name] = 1
      defining = 0
    }
    next
  }

  if (line ~ /~[ \t]*([A-Za-z0-9_$]+|\([^()]*\))'\(/) {
    printf "%s:%d: a size cast that is inverted; expected the cast of what is inverted [banned-inverted-cast]\n", FILENAME, FNR
    found++
  }

  if (line ~ /\{[^{}]*'\([^()]*\)[ \t]*(<<|>>)/) {
    printf "%s:%d: a size cast that is shifted in a concatenation; expected a constant [banned-shifted-cast]\n", FILENAME, FNR
    found++
  }

  if (line ~ /\{[ \t]*[A-Za-z0-9_$]+[ \t]*\*[^{}]*\{/) {
    printf "%s:%d: a replication by a product; expected a wire of '0 or '1 [banned-replication]\n", FILENAME, FNR
    found++
  }

  words = split(line, word, /[^A-Za-z0-9_$]+/)
  for (w = 1; w <= words; w++) {
    name = word[w]
    if (!(name in type) && name !~ /[a-z0-9]_t$/) continue
    if (line ~ "(^|[^A-Za-z0-9_$])" name "[ \t]*\\[") {
      printf "%s:%d: vector of typedef %s; expected a flat vector [banned-typedef-vector]\n", FILENAME, FNR, name
      found++
    } else if (match(line, "(^|[^A-Za-z0-9_$])" name "[ \t]+[A-Za-z_][A-Za-z0-9_$]*[ \t]*\\[")) {
      declared = substr(line, RSTART, RLENGTH)
      sub(/[ \t]*\[$/, "", declared)
      sub(/^.*[ \t]/, "", declared)
      array[declared] = 1
    }
  }
  for (name in array) {
    if (line ~ "(^|[^A-Za-z0-9_$])" name "[ \t]*\\[[^]]*\\][ \t]*\\.") {
      printf "%s:%d: field of an element of %s; expected a copy of the element first [banned-struct-array-field]\n", FILENAME, FNR, name
      found++
    }
  }
}

END { exit found > 0 }
