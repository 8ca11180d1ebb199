# SPDX-License-Identifier: Apache-2.0
# roff.awk: converts a section of a page in Markdown to a man page, section 5.
#
#     awk -f roff.awk -v section='The schedule' -v name=roundcast-schedule \
#         -v summary='…' -v version=V formats.md
#
# The section is the one whose heading begins with these words, up to the next heading of its level.
# Supports the Markdown that docs/ uses: headings, blocks of code, lists of one level, paragraphs,
# `code`, **bold**, *emphasis* and links, of which the text is kept. Exit status 1 if there is no
# such section.

BEGIN {
  printf ".TH %s 5 \"\" \"roundcast %s\" \"Roundcast\"\n", toupper(name), version
  printf ".SH NAME\n%s \\- %s\n", roff(name), roff(summary)
}

/^## / && !code {
  inside = index(substr($0, 4), section) == 1
  if (inside) { found = 1; print ".SH DESCRIPTION" }
  next
}

!inside { next }

/^```/ {
  code = !code
  print code ? ".PP\n.nf\n.RS 4" : ".RE\n.fi"
  next
}

code { print roff($0); next }

/^### / { print ".SH " toupper(words(substr($0, 5))); next }

/^ *- / { sub(/^ *- /, ""); print ".IP \\(bu 2\n" words($0); next }

/^$/ { print ".PP"; next }

{ sub(/^ +/, ""); print words($0) }

END {
  print ".SH SEE ALSO\n.BR roundcast (1),\n.BR roundcast-verify (1)"
  exit !found
}

# Returns text for roff, with backslashes, hyphens and leading points and quotes escaped.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# Returns the text of a paragraph for roff.
function words(text,  link, part, count, k, out) {
  while (match(text, /\[[^]]*\]\([^)]*\)/)) {
    link = substr(text, RSTART + 1, RLENGTH - 1)
    text = substr(text, 1, RSTART - 1) substr(link, 1, index(link, "](") - 1) \
           substr(text, RSTART + RLENGTH)
  }
  count = split(text, part, "`")
  for (k = 1; k <= count; k++) {
    part[k] = roff(part[k])
    if (k % 2 == 0) out = out "\\fB" part[k] "\\fR"
    else {
      gsub(/\*+/, "", part[k])
      out = out part[k]
    }
  }
  return out
}
