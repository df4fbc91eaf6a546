import { getItem, putIf, putItem, queryFirst } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { streamObject, writeObject } from "../../adapters/aws/s3.ts";
import { type Delivery, deliverySortKey } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { SftpTransfer } from "../stage-results/transfer.ts";

interface ItemKey {
  kind: string;
  sortKey: string;
}

type StoredDelivery = Delivery & ItemKey;

interface Holder {
  holder: string;
}

/**
 * Partition key `kind`, sort key `sortKey`. Kinds: `name`, a file name and the file of a run that holds it; `transfer`,
 * the state of a file's transfer by SFTP; `file`, a delivered file, sorted by the start of its run.
 */
export function deliveryStore(): DeliveryStore {
  const TableName = variable("deliveriesTable");
  const putOnce = (item: object) =>
    putIf({ TableName, Item: item, ConditionExpression: "attribute_not_exists(sortKey)" });
  const get = <Item>(Key: ItemKey) => getItem<Item>({ TableName, Key, ConsistentRead: true });
  return {
    async claimFileName(holder, nameOf) {
      for (let number = 1; ; number += 1) {
        const fileName = nameOf(number);
        if (await putOnce({ kind: "name", sortKey: fileName, holder })) return fileName;
        if ((await get<Holder>({ kind: "name", sortKey: fileName }))?.holder === holder) return fileName;
      }
    },
    writeFile: (key, content, contentType) =>
      writeObject(variable("deliveriesBucket"), key, { content, contentType }),
    readFile: (key) => streamObject(variable("deliveriesBucket"), key),
    transfer: async (fileName) =>
      (await get<{ transfer: SftpTransfer }>({ kind: "transfer", sortKey: fileName }))?.transfer,
    async saveTransfer(fileName, transfer) {
      const Item = { kind: "transfer", sortKey: fileName, transfer };
      await putItem({ TableName, Item });
    },
    async save(delivery) {
      const Key = { kind: "file", sortKey: deliverySortKey(delivery) };
      if (await putOnce({ ...Key, ...delivery })) return delivery;
      const item = await get<StoredDelivery>(Key);
      return item === undefined ? delivery : deliveryOf(item);
    },
    async get(sortKey) {
      const item = await get<StoredDelivery>({ kind: "file", sortKey });
      return item && deliveryOf(item);
    },
    async list({ limit, after }) {
      const query = {
        TableName,
        KeyConditionExpression: after === undefined ? "kind = :kind" : "kind = :kind AND sortKey < :after",
        ExpressionAttributeValues: { ":kind": "file", ...(after !== undefined && { ":after": after }) },
        ScanIndexForward: false,
      };
      return (await queryFirst<StoredDelivery>(query, limit)).map(deliveryOf);
    },
  };
}

function deliveryOf({ kind: _kind, sortKey: _sortKey, ...delivery }: StoredDelivery): Delivery {
  return delivery;
}
