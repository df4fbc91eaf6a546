import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Delivery } from "../delivery/delivery.ts";
import type { DeliveryStore } from "../ports.ts";
import { dynamodb, whether } from "./dynamodb.ts";
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
      const Key = { kind: "file", sortKey: `${delivery.runStartedAt}#${delivery.key}` };
      if (await putOnce({ ...Key, ...delivery })) return delivery;
      const { Item = {} } = await dynamodb.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      return asDelivery(Item);
    },
    async list(limit) {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "kind = :kind",
          ExpressionAttributeValues: { ":kind": "file" },
          ScanIndexForward: false,
          Limit: limit,
        }),
      );
      return Items.map(asDelivery);
    },
  };
}

function asDelivery(item: Record<string, unknown>): Delivery {
  const { kind: _kind, sortKey: _sortKey, ...delivery } = item;
  return delivery as unknown as Delivery;
}
