import { isHostOf } from "./host-family.ts";
import { hasClass } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** Reads pages of IOPscience, whose meta tags contain everything except the abstract. */
export const iopScience: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["iopscience.iop.org"]),
  passages: { abstract: hasClass("wd-jnl-art-abstract") },
  read: (passages) => ({ abstracts: passages("abstract").map((text) => ({ text })) }),
};
