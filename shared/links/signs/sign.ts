import type { PageFacts } from "./page-facts.ts";

/** What a sign shows: the response is a wall in front of the page, or the page is probably gone although it answers. */
export type SignFinding = "wall" | "gone-likely";

/** A known form of a response that answers with success, and is not the page. All conditions of a sign must hold. */
export interface Sign {
  /** Names the sign in reasons, statistics and documents. */
  id: string;
  finding: SignFinding;
  /** The software or the kind of page, for people. */
  name: string;
  /** A header and what its value matches. */
  header?: readonly [name: string, value: RegExp];
  /** The whole title or the whole first heading, in lower case and without the name of the site. */
  title?: RegExp;
  heading?: RegExp;
  /** The text of a page with little text. */
  text?: RegExp;
  /** The markup of a short page. */
  markup?: RegExp;
  /** The last address of the redirects, if it differs from the first one. */
  finalUrl?: RegExp;
  /** The address to which the page itself refreshes or redirects by script. */
  refresh?: RegExp;
  /** Conditions that no pattern expresses. */
  is?: (facts: PageFacts) => boolean;
}
