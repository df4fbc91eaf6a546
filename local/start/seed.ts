import { type ValidationRule, validationRule } from "../../shared/deliver/validation/rule.ts";
import type { NewCollection } from "../../shared/links/status/collection.ts";
import type { NewSource } from "../../shared/records/sources/source.ts";
import { localGroup } from "../local-group.ts";

/** The delay between requests to the demo's server, which does not need the default of 1 s. */
const demoThrottleMs = 100;

export const demoSourceId = "demo-journal";

export function demoSource(feedUrl: string): NewSource {
  return {
    sourceId: demoSourceId,
    title: "Lantern & Lathe: Journal of Imaginary Crafts",
    type: "RSS",
    url: feedUrl,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE",
    throttleMs: demoThrottleMs,
  };
}

export const demoSupplementSourceId = "demo-supplement";

/**
 * Returns the demo journal's supplement. It is overdue, because it has had no delivery since it was added.
 */
export function demoSupplementSource(feedUrl: string, addedAt: string): NewSource {
  return {
    sourceId: demoSupplementSourceId,
    title: "The Weather Supplement of Lantern & Lathe",
    type: "RSS",
    url: feedUrl,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE",
    updateWindowDays: 30,
    addedAt,
    throttleMs: demoThrottleMs,
  };
}

/** The fields of the supplement's records. Each field has a rule; an author is required. */
const demoRuleFields: Record<string, string> = {
  "024": "a2",
  "040": "abce",
  "041": "a",
  "100": "a4e",
  "264": "c",
  "520": "a",
  "650": "a",
  "700": "a4e",
  "773": "itg",
  "852": "a",
  "856": "uz",
  "912": "a",
  "935": "a2",
  "936": "dehj",
  JOU: "a",
  URL: "a",
};

export const demoRules: ValidationRule[] = Object.entries(demoRuleFields).flatMap(([tag, subfields]) =>
  [...subfields].map((subfield) =>
    validationRule.parse({
      source: demoSupplementSourceId,
      tag,
      subfield,
      presence: tag === "100" && subfield === "a" ? "always" : "sometimes",
    }),
  ),
);

export const demoPapersSourceId = "demo-papers";

/** Returns the source for the demo's OAI-PMH repository. The daily run of test sources delivers it. */
export function demoPapersSource(oaiUrl: string): NewSource {
  return {
    sourceId: demoPapersSourceId,
    title: "Lantern and Lathe Papers",
    type: "OAI-PMH",
    url: oaiUrl,
    groupId: localGroup.groupId,
    deliveryMode: "TEST",
    throttleMs: demoThrottleMs,
    oai: { files: true },
  };
}

/** The collection of the demo's journal. Its id is the id of the source. */
export const demoCollection: NewCollection = {
  collectionId: demoSourceId,
  title: "Lantern & Lathe",
  rule: { throttleSeconds: demoThrottleMs / 1000 },
};
