# SPDX-License-Identifier: Apache-2.0
# completion.awk: converts the output of `roundcast help --table` to completions for a shell.
#
#     roundcast help --table | awk -f completion.awk -v shell=bash|zsh|fish
#
# The shell completes commands, their options, and values of options as listed in the table: names,
# files or folders. A name that ends in a colon is not complete; the user continues it, as in
# benes:32. Arguments are completed with algorithms for commands that require one, otherwise with
# files.

BEGIN { FS = "\t" }

$1 == "command" {
  commands[++command_count] = $2
  about[$2] = $4
  if ($3 ~ /^ALGORITHM/) takes_algorithm[$2] = 1
}

$1 == "value" {
  all_algorithms = all_algorithms (all_algorithms == "" ? "" : " ") $3
  algorithms[++algorithm_count] = $3
  about[$3] = $4
}

$1 == "option" { options[++option_count] = $0 }

END {
  if (shell == "bash") bash()
  else if (shell == "zsh") zsh()
  else if (shell == "fish") fish()
  else exit 1
}

# choices OFFER: returns the names of the valid values; "" if there are none.
function choices(offer) { return sub(/^values /, "", offer) ? offer : "" }

function is_file(offer) { return offer ~ /^(files|folders)/ }

function all_commands(  k, text) {
  for (k = 1; k <= command_count; k++) text = text commands[k] " "
  return text "help"
}

function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

# Several commands may have options of the same name: bash looks up COMMAND OPTION.
function bash(  k, field, of) {
  print "# Completion of roundcast for bash."
  print "_roundcast()\n{"
  print "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words="
  print "    # --model=X are three words, and benes:32 may be."
  print "    if [ \"$word\" = = ]; then word="
  print "    elif [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi"
  print "    if [ \"$COMP_CWORD\" -eq 1 ]; then previous=help; fi"
  print "    case \"${COMP_WORDS[1]} $previous\" in"
  print "    *' help') words='" all_commands() "' ;;"
  for (k = 1; k <= option_count; k++) {
    split(options[k], field, FS)
    of[field[2]] = of[field[2]] field[3] " "
    if (field[5] == "") continue
    printf "    '%s %s'", field[2], field[3]
    if (field[4] != "") printf " | '%s %s'", field[2], field[4]
    if (choices(field[7]) != "") print ") words='" choices(field[7]) "' ;;"
    else if (field[7] == "folders") print ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;"
    else if (is_file(field[7])) print ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;"
    else print ") return ;;"
  }
  print "    *)\n        case ${COMP_WORDS[1]} in"
  for (k = 1; k <= command_count; k++)
    print "        " commands[k] ") words='" of[commands[k]] \
          (commands[k] in takes_algorithm ? all_algorithms : "") "' ;;"
  print "        esac ;;\n    esac"
  print "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))"
  print "    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi"
  print "}"
  print "complete -o default -F _roundcast roundcast"
}

function zsh_text(text) { gsub(/\\|\]|\[|:/, "\\\\&", text); return text }

function zsh_option(field,  value) {
  value = ""
  if (field[5] != "")
    value = ":" zsh_text(field[5]) ":" \
            (choices(field[7]) != "" ? "(" zsh_text(choices(field[7])) ")" \
             : field[7] == "folders" ? "_files -/" : is_file(field[7]) ? "_files" : "")
  if (field[4] != "")
    print "        " quoted(field[4] "[" zsh_text(field[6]) "]" value) " \\"
  print "        " quoted(field[3] (value != "" ? "=" : "") "[" zsh_text(field[6]) "]" value) " \\"
}

function zsh(  k, n, field) {
  print "#compdef roundcast\n# Completion of roundcast for zsh."
  print "local -a commands=("
  for (k = 1; k <= command_count; k++)
    print "    " quoted(commands[k] ":" zsh_text(about[commands[k]]))
  print "    'help:a command'\\''s options')"
  print "if (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi"
  print "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in"
  for (n = 1; n <= command_count; n++) {
    print commands[n] ")\n    _arguments \\"
    for (k = 1; k <= option_count; k++) {
      split(options[k], field, FS)
      if (field[2] == commands[n]) zsh_option(field)
    }
    print "        " (commands[n] in takes_algorithm ? "'1:algorithm:(" all_algorithms ")'" \
                                                     : "'*:file:_files'") " ;;"
  }
  print "help)\n    _describe command commands ;;\nesac"
}

function fish_text(text) { gsub(/[\\']/, "\\\\&", text); return "'" text "'" }

function fish(  k, n, field, seen) {
  print "# Completion of roundcast for fish."
  for (k = 1; k <= command_count; k++)
    print "complete -c roundcast -f -n __fish_use_subcommand -a " commands[k] " -d " \
          fish_text(about[commands[k]])
  print "complete -c roundcast -f -n '__fish_seen_subcommand_from help' -a '" all_commands() "'"
  for (n = 1; n <= command_count; n++) {
    seen = "complete -c roundcast -n '__fish_seen_subcommand_from " commands[n] "' "
    for (k = 1; k <= option_count; k++) {
      split(options[k], field, FS)
      if (field[2] != commands[n]) continue
      print seen "-l " substr(field[3], 3) (field[4] != "" ? " -s " substr(field[4], 2) : "") \
            (field[5] == "" ? "" : choices(field[7]) != "" ? " -x -a '" choices(field[7]) "'" \
                                 : is_file(field[7]) ? " -r -F" : " -x") " -d " fish_text(field[6])
    }
    for (k = 1; commands[n] in takes_algorithm && k <= algorithm_count; k++)
      print seen "-f -a " algorithms[k] " -d " fish_text(about[algorithms[k]])
  }
}
