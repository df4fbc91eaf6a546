import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { LinkSample, Share } from "../sweep/estimate.ts";
import type { LinkSamples, SampleCursor } from "../sweep/link-samples.ts";

const keptDays = 120;

/** No collection id begins like this. */
const overallId = "#all";

/**
 * Stores three kinds of items: the samples of a collection by day, the cursor of the collection, and the estimate over
 * all collections.
 */
export function linkSamples(): LinkSamples {
  const variable = "linkSamplesTable";
  const samples = table<{ value: LinkSample }, LinkSample>({
    variable,
    key: ({ collectionId, day, recordId }) => ({ collectionId, part: `day#${day}#${recordId}` }),
  });
  const cursors = table<{ value: SampleCursor }>({
    variable,
    key: (collectionId) => ({ collectionId, part: "cursor" }),
  });
  const shares = table<{ value: Share }>({
    variable,
    key: (collectionId) => ({ collectionId, part: "overall" }),
  });
  return {
    add: (value) => samples.putItem(value, { value, expiresAt: ttlAfter(value.day, keptDays) }),
    async between(collectionId, { from, to }) {
      // "~" sorts after every character of an id.
      const where = expression`collectionId = ${collectionId} AND part BETWEEN ${`day#${from}#`} AND ${`day#${to}#~`}`;
      return (await samples.query({ where }).all()).map(({ value }) => value);
    },
    cursor: async (collectionId) => (await cursors.get(collectionId))?.value,
    saveCursor: (collectionId, value) => cursors.putItem(collectionId, { value }),
    overall: async () => (await shares.get(overallId, { isConsistent: false }))?.value,
    async saveOverall(value) {
      const isLater = expression`attribute_not_exists(part) OR value.to <= ${value.to}`;
      await shares.putIf(overallId, { value }, isLater);
    },
  };
}
