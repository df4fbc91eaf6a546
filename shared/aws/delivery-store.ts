import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Delivery } from "../delivery/delivery.ts";
import type { DeliveryStore } from "../ports.ts";
import { dynamodb, whether } from "./dynamodb.ts";
import { variable } from "./environment.ts";
import { streamObject, writeObject } from "./s3.ts";

/**
 * Delivered files: partition key `kind`, sort key `sortKey`. Of kind `name` is a file name that is taken, and by which part
 * of which run; of kind `staged` the name under which such a file lies whole at its receiver; of kind `file` a delivered file,
 * sorted by the start of its run.
 */
export function deliveryStore(): DeliveryStore {
  const TableName = variable("deliveriesTable");
  const putOnce = (item: object) =>
    whether(
      dynamodb.send(
        new PutCommand({ TableName, Item: item, ConditionExpression: "attribute_not_exists(sortKey)" }),
      ),
    );
  const get = async (Key: { kind: string; sortKey: string }) =>
    (await dynamodb.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const staged = async (fileName: string) =>
    (await get({ kind: "staged", sortKey: fileName }))?.remoteName as string | undefined;
  return {
    async allocate(holder, nameOf) {
      for (let number = 1; ; number += 1) {
        const fileName = nameOf(number);
        if (await putOnce({ kind: "name", sortKey: fileName, holder })) return fileName;
        if ((await get({ kind: "name", sortKey: fileName }))?.holder === holder) return fileName;
      }
    },
    write: (key, content, contentType) =>
      writeObject(variable("deliveriesBucket"), key, { content, contentType }),
    content: (key) => streamObject(variable("deliveriesBucket"), key),
    async markStaged(fileName, remoteName) {
      if (await putOnce({ kind: "staged", sortKey: fileName, remoteName })) return remoteName;
      return (await staged(fileName)) ?? remoteName;
    },
    staged,
    async save(delivery) {
      const Key = { kind: "file", sortKey: `${delivery.runStartedAt}#${delivery.key}` };
      if (await putOnce({ ...Key, ...delivery })) return delivery;
      return asDelivery((await get(Key)) ?? delivery);
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

function asDelivery(item: object): Delivery {
  const { kind: _kind, sortKey: _sortKey, ...delivery } = item as Record<string, unknown>;
  return delivery as unknown as Delivery;
}
