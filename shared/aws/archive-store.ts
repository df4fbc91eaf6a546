import { BatchGetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { ArchiveStore } from "../ports.ts";
import { dynamodb, whether } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** The most keys that DynamoDB reads in one request. */
const keysAtOnce = 100;

/** One item per key by which a delivered record is recognised: partition key `key`. */
export function archiveStore(): ArchiveStore {
  const TableName = variable("archiveTable");
  return {
    async known(keys) {
      const known = new Set<string>();
      let open = [...new Set(keys)];
      while (open.length > 0) {
        const asked = open.slice(0, keysAtOnce);
        const { Responses, UnprocessedKeys } = await dynamodb.send(
          new BatchGetCommand({
            RequestItems: {
              [TableName]: {
                Keys: asked.map((key) => ({ key })),
                ProjectionExpression: "#key",
                ExpressionAttributeNames: { "#key": "key" },
              },
            },
          }),
        );
        for (const item of Responses?.[TableName] ?? []) known.add(item.key as string);
        const left = (UnprocessedKeys?.[TableName]?.Keys ?? []).map((item) => item.key as string);
        open = [...open.slice(keysAtOnce), ...left];
      }
      return known;
    },
    async claim(key, owner) {
      return whether(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { key },
            // A claim repeated by its owner holds, and undoes nothing that has come after it.
            UpdateExpression: "SET #owner = :owner, #state = if_not_exists(#state, :claimed)",
            ConditionExpression: "attribute_not_exists(#key) OR #owner = :owner",
            ExpressionAttributeNames: { "#key": "key", "#owner": "owner", "#state": "state" },
            ExpressionAttributeValues: { ":owner": owner, ":claimed": "claimed" },
          }),
        ),
      );
    },
    async delivered(key, { owner, ...entry }) {
      await whether(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { key },
            UpdateExpression:
              "SET #state = :automatic, recordId = :recordId, sourceId = :sourceId, title = :title, #file = :file, deliveredAt = :deliveredAt",
            ConditionExpression: "#owner = :owner",
            ExpressionAttributeNames: { "#state": "state", "#owner": "owner", "#file": "file" },
            ExpressionAttributeValues: {
              ":automatic": "automatic",
              ":owner": owner,
              ":recordId": entry.recordId,
              ":sourceId": entry.sourceId,
              ":title": entry.title,
              ":file": entry.file,
              ":deliveredAt": entry.deliveredAt,
            },
          }),
        ),
      );
    },
  };
}
