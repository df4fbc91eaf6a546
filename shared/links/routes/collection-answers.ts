import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import { next } from "../../api/paging.ts";
import { statusChangeTypes } from "../../records/events/events.ts";
import { collection } from "../status/collection.ts";
import { linkChangeTypes } from "../status/statistics.ts";

export const statusValue = z.enum(["active", "suppressed", "deleted"]);

const linkStatus = z
  .strictObject({
    status: statusValue,
    failures: count.describe("Failed attempts in a row"),
    inconclusives: count.describe("Inconclusive checks in a row"),
    since: time,
    checkId: z.string().describe("The last check that counted"),
    asOf: time.describe("When that check was requested"),
    reason: z.string(),
    nextAttemptAt: time.optional().describe("Absent when no attempt is scheduled"),
    goneLikelySince: time
      .optional()
      .describe(
        "Since when its pages are probably gone, by signs; if they still are a day later, it is suppressed",
      ),
    pendingNotifications: z
      .array(
        z.strictObject({
          status: statusValue,
          since: time,
          checkId: z.string(),
          reason: z.string(),
          nextAttemptAt: time.optional(),
          isRefused: z.literal(true).optional().describe("SES has refused a recipient's address"),
        }),
      )
      .optional()
      .describe("Changes for which no mail has been sent yet"),
  })
  .describe("The status by checks alone, without holds; absent before the first check that counted")
  .meta({ title: "LinkStatus" });

const status = statusValue.describe("The status that search systems use; a held collection is `suppressed`");

const unusableCollection = z
  .strictObject({
    collectionId: z.string(),
    problem: z.string().describe("Problems of the stored collection"),
    hold: z.boolean(),
  })
  .meta({ title: "InvalidCollection" });

const held = z
  .strictObject({ since: time, by: z.string().describe("The operator"), reason: z.string() })
  .optional()
  .describe("The hold; absent when the collection is not held, and in lists");

const usable = collection
  .extend({
    status,
    held,
    linkStatus: linkStatus.optional(),
    warnings: z
      .array(z.string())
      .optional()
      .describe("Only after a `PUT`: ways in which the rule may judge healthy links as broken"),
  })
  .meta({ title: "Collection" });
const unusable = unusableCollection.extend({ status, held, linkStatus: linkStatus.optional() });

export const shownCollection = z.union([usable, unusable]);

export const collectionList = z.strictObject({
  collections: z.array(usable),
  unusable: z.array(unusableCollection).describe("The collections of the page whose stored form is invalid"),
  next,
});

const changeFigures = z.strictObject({
  count,
  samples: z
    .array(z.strictObject({ recordId: z.string(), url: z.string(), reason: z.string().optional() }))
    .describe("The first changes"),
});

const figures = Object.fromEntries(linkChangeTypes.map((type) => [type, changeFigures])) as Record<
  (typeof linkChangeTypes)[number],
  typeof changeFigures
>;

const collectionChange = z.strictObject({ to: z.enum(statusChangeTypes), at: time, reason: z.string() });

export const dayFigures = z.strictObject({
  day: z.iso.date(),
  collectionId: z.string(),
  collection: z.array(collectionChange).describe("Changes of the collection itself"),
  ...figures,
});

export const share = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    judged: count,
    dead: count,
    inconclusive: count.describe("Inconclusive checks, which are not included in `judged`"),
    share: z.number().optional().describe("Dead links divided by judged links; absent when none was judged"),
    low: z.number().describe("Lower bound of the 95 % interval (Wilson)"),
    high: z.number().describe("Upper bound of the 95 % interval (Wilson)"),
  })
  .meta({ title: "LinkShare" });

export const deadLinkEstimate = z.strictObject({
  collectionId: z.string(),
  now: share,
  before: share,
  trend: z.enum(["rising", "falling", "unclear"]).describe("`unclear` while the intervals overlap"),
  series: z
    .array(share)
    .optional()
    .describe("With `weeks`: one estimate per week, of 14 days each; oldest first"),
});
