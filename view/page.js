/* SPDX-License-Identifier: Apache-2.0 */
/* page: sets up all parts and shows the moment given by the address. */
"use strict";

showVerdict();
setUpTimeline();
setUpSpread();
addEventListener("resize", showNetwork);
watchers.push(showTimeline, showNetwork, showSpread, showTransfers, showNode);
Object.assign(look, readHash());
showAll();
document.body.dataset.ready = "yes";
