# SPDX-License-Identifier: Apache-2.0
# page.awk: writes the sign-off page from its text, the checklist and the recorded results.
#
#     awk -f page.awk -v tables="FILE …" checklist.txt runs.txt results.txt page.md
#
# In the text, `@stages` is replaced by the table of stages, `@runs` by the list of runs,
# `@checklist` by the items, stage by stage, and `@tables` by the contents of the files. Exit status
# 1 if an item has a state other than `met`, `not met` and `does not apply`, or has no line below
# it.

FNR == 1 { file++ }
/^# SPDX|^#/ && file < 4 { next }

# Prints a list item in lines of at most 100 bytes; text in backquotes is not broken.
function print_item(text,  part, word, count, k, line) {
  count = split(text, part, "`")
  text = part[1]
  for (k = 2; k <= count; k++) {
    if (k % 2 == 0) gsub(/ /, "\001", part[k])
    text = text "`" part[k]
  }
  count = split(text, word, " ")
  line = "-"
  for (k = 1; k <= count; k++) {
    if (length(line) + 1 + length(word[k]) > 100) { print_line(line); line = " " }
    line = line " " word[k]
  }
  print_line(line)
}

function print_line(line) {
  gsub(/\001/, " ", line)
  print line
}

function fail(what) {
  print "page.awk: " FILENAME ":" FNR ": " what > "/dev/stderr"
  failed = 1
  exit 1
}

file == 1 && /^[DV][0-9]S? / {
  if (items && text[items] == "") fail(item[items] ": nothing below it")
  state[++items] = $0
  sub(/^[^ ]+ [^ ]+ /, "", state[items])
  if (state[items] !~ /^(met|not met|does not apply)$/) fail(state[items] ": no state")
  item[items] = $2
  stage[items] = $1
  if (!($1 in seen)) { seen[$1]; stages[++many] = $1 }
  count[$1, state[items]]++
}

file == 1 && /^  / {
  sub(/^ +/, "")
  text[items] = text[items] (text[items] == "" ? "" : " ") $0
}

file == 2 && NF {
  command = $0
  sub(/^[^ ]+ +/, "", command)
  sub(/ +\|.*/, "", command)
  commands[$1] = command
  names[++runs] = $1
}

file == 3 {
  name = $1
  date[name] = $2; seconds[name] = $3; status[name] = $4
  sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "")
  gsub(/ *[|] */, " ")
  result[name] = $0
}

file == 4 && /^@stages/ {
  print "| stage | met | not met | does not apply |\n| --- | --- | --- | --- |"
  for (s = 1; s <= many; s++) {
    at = stages[s]
    printf "| %s | %d | %d | %d |\n", at, count[at, "met"], count[at, "not met"],
           count[at, "does not apply"]
  }
  next
}

file == 4 && /^@runs/ {
  
  for (r = 1; r <= runs; r++) {
    name = names[r]
    if (name in result) {
            print_item(sprintf("`%s`, %s, %d min %02d s: %s%s", commands[name], date[name],
                         seconds[name] / 60, seconds[name] % 60, result[name],
                         status[name] == 0 ? "" : " (exit status " status[name] ")"))
      all += seconds[name]
    }
  }
    printf "\nTotal duration: %d h %02d min.\n", all / 3600, all % 3600 / 60
  if ("signoff" in result)
        printf "The last complete `make signoff`,\nbegun at commit %s, ended on %s with exit " \
           "status %d; it took %d h %02d min.\n", result["signoff"], date["signoff"], status["signoff"],
           seconds["signoff"] / 3600, seconds["signoff"] % 3600 / 60
  next
}

file == 4 && /^@checklist/ {
  for (s = 1; s <= many; s++) {
    print (s > 1 ? "\n" : "") "## " stages[s] "\n"
    
    for (i = 1; i <= items; i++)
            if (stage[i] == stages[s]) print_item("**" item[i] "**, " state[i] ": " text[i])
  }
  next
}

file == 4 && /^@tables/ {
  files = split(tables, path, " ")
  for (f = 1; f <= files; f++) {
    while ((getline line < path[f]) > 0) print line
    if (f < files) print ""
  }
  next
}

file == 4 { print }

END { if (!failed && items && text[items] == "") fail(item[items] ": nothing below it") }
