import { getItem, putIf, putItem, queryAll, ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { LinkSample, Share } from "../sweep/estimate.ts";
import type { LinkSamples, SampleCursor } from "../sweep/link-samples.ts";

const keptDays = 120;

/** No id of a collection begins so. */
const overallKey = { collectionId: "#all", part: "overall" };

/** Partition key `collectionId`, sort key `part`: `cursor`, or `day#` with day and record. */
export function linkSamples(): LinkSamples {
  const TableName = variable("linkSamplesTable");
  return {
    async add(value) {
      const { collectionId, day, recordId } = value;
      const expiresAt = ttlAfter(day, keptDays);
      const Item = { collectionId, part: `day#${day}#${recordId}`, value, expiresAt };
      await putItem({ TableName, Item });
    },
    async between(collectionId, { from, to }) {
      const items = await queryAll<{ value: LinkSample }>({
        TableName,
        KeyConditionExpression: "collectionId = :collectionId AND part BETWEEN :from AND :to",
        ExpressionAttributeValues: {
          ":collectionId": collectionId,
          ":from": `day#${from}#`,
          // "~" sorts after every character of an id.
          ":to": `day#${to}#~`,
        },
      });
      return items.map(({ value }) => value);
    },
    async cursor(collectionId) {
      const Key = { collectionId, part: "cursor" };
      return (await getItem<{ value: SampleCursor }>({ TableName, Key, ConsistentRead: true }))?.value;
    },
    async saveCursor(collectionId, value) {
      await putItem({ TableName, Item: { collectionId, part: "cursor", value } });
    },
    async overall() {
      return (await getItem<{ value: Share }>({ TableName, Key: overallKey }))?.value;
    },
    async saveOverall(value) {
      await putIf({
        TableName,
        Item: { ...overallKey, value },
        ConditionExpression: "attribute_not_exists(part) OR #value.#to <= :to",
        ExpressionAttributeNames: { "#value": "value", "#to": "to" },
        ExpressionAttributeValues: { ":to": value.to },
      });
    },
  };
}
