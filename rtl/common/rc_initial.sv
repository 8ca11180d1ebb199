// SPDX-License-Identifier: Apache-2.0
// rc_initial: file names of the initial contents of memories (docs/integrate.md).
//
// The parameter Init of a machine is the common prefix of all names, a folder and a slash; 0 means
// that there are no files. A memory appends ".mem" to its name.
//
//     send-0003        part(Init, "send-", 3)
`default_nettype none

package rc_initial;

  // Appends `more` to `text`. A name has at most 128 characters; unused ones are 0, in the highest
  // bits.
  function automatic bit [1023:0] append(input bit [1023:0] text, input bit [127:0] more);
    append = text;
    for (int c = 15; c >= 0; c--)
      if (more[c*8 +: 8] != 8'd0) append = {append[1015:0], more[c*8 +: 8]};
  endfunction

  function automatic bit [7:0] digit(input int number, input int place);
    digit = 8'(48 + number / place % 10);
  endfunction

  // Returns the name of a part, with its number in four digits; 0 if `text` is 0.
  function automatic bit [1023:0] part(input bit [1023:0] text, input bit [127:0] what,
                                       input int number);
    part = text == '0 ? '0 : append(append(text, what), 128'({
        digit(number, 1000), digit(number, 100), digit(number, 10), digit(number, 1)}));
  endfunction

endpackage

`default_nettype wire
