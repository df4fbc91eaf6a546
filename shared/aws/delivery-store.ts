import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Delivery } from "../delivery/delivery.ts";
import type { DeliveryStore } from "../ports.ts";
import { dynamodb, queryAll, whether } from "./dynamodb.ts";
import { variable } from "./environment.ts";
import { putObject } from "./s3.ts";

/**
 * Delivered files: partition key `kind`, sort key `sortKey`. Of kind `name` is a file name that is taken, and by which part
 * of which run; of kind `file` a delivered file, sorted by the start of its run.
 */
export function deliveryStore(): DeliveryStore {
  const TableName = variable("deliveriesTable");
  const putOnce = (item: object) =>
    whether(
      dynamodb.send(
        new PutCommand({ TableName, Item: item, ConditionExpression: "attribute_not_exists(sortKey)" }),
      ),
    );
  const holderOf = async (sortKey: string) => {
    const Key = { kind: "name", sortKey };
    const { Item } = await dynamodb.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item?.holder as string | undefined;
  };
  return {
    async allocate(holder, nameOf) {
      for (let number = 1; ; number += 1) {
        const fileName = nameOf(number);
        if (await putOnce({ kind: "name", sortKey: fileName, holder })) return fileName;
        if ((await holderOf(fileName)) === holder) return fileName;
      }
    },
    async upload(key, content) {
      await putObject(variable("deliveriesBucket"), key, { content, contentType: "application/marcxml+xml" });
    },
    async save(delivery) {
      await putOnce({ kind: "file", sortKey: `${delivery.runStartedAt}#${delivery.key}`, ...delivery });
    },
    async list(limit) {
      const items = await queryAll<Delivery & { kind: string; sortKey: string }>({
        TableName,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": "file" },
        ScanIndexForward: false,
        Limit: limit,
      });
      return items.slice(0, limit).map(({ kind: _kind, sortKey: _sortKey, ...delivery }) => delivery);
    },
  };
}
