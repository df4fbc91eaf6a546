import { variable } from "../../adapters/aws/environment.ts";
import { expression, given } from "../../adapters/aws/expression.ts";
import { streamObject, writeObject } from "../../adapters/aws/s3.ts";
import { table } from "../../adapters/aws/table.ts";
import { type Delivery, deliverySortKey } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { SftpTransfer } from "../stage-results/transfer.ts";

/**
 * Stores three kinds of items: `name`, a file name with the file of the run that uses it; `transfer`, the state of a
 * file's transfer by SFTP; and `file`, a delivered file, sorted by the start of its run.
 */
export function deliveryStore(): DeliveryStore {
  const openItems = <Item extends object>(kind: string) =>
    table<Item>({
      variable: "deliveriesTable",
      key: (sortKey) => ({ kind, sortKey }),
      hidden: ["kind", "sortKey"],
    });
  const names = openItems<{ holder: string }>("name");
  const transfers = openItems<{ transfer: SftpTransfer }>("transfer");
  const files = openItems<Delivery>("file");
  return {
    async claimFileName(holder, nameOf) {
      for (let number = 1; ; number += 1) {
        const fileName = nameOf(number);
        if (await names.putNew(fileName, { holder })) return fileName;
        if ((await names.get(fileName))?.holder === holder) return fileName;
      }
    },
    writeFile: (key, content, contentType) =>
      writeObject(variable("deliveriesBucket"), key, { content, contentType }),
    readFile: (key) => streamObject(variable("deliveriesBucket"), key),
    transfer: async (fileName) => (await transfers.get(fileName))?.transfer,
    saveTransfer: (fileName, transfer) => transfers.putItem(fileName, { transfer }),
    async save(delivery) {
      const sortKey = deliverySortKey(delivery);
      if (await files.putNew(sortKey, delivery)) return delivery;
      return (await files.get(sortKey)) ?? delivery;
    },
    get: (sortKey) => files.get(sortKey),
    list({ limit, after }) {
      const older = given(after, (sortKey) => expression` AND sortKey < ${sortKey}`);
      return files.query({ where: expression`kind = ${"file"}${older}`, isDescending: true }).first(limit);
    },
  };
}
