import type { Delivery } from "./delivery.ts";
import type { SftpTransfer } from "./transfer.ts";

export interface DeliveryStore {
  /**
   * Claims the first of the numbered names that is free, or that the same holder has claimed before.
   * @returns the name
   */
  claimFileName(holder: string, nameOf: (number: number) => string): Promise<string>;
  /**
   * Writes a file of any size.
   * @returns its size in bytes
   */
  writeFile(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  readFile(key: string): AsyncIterable<Uint8Array>;
  /** The last saved state of a file's transfer. */
  transfer(fileName: string): Promise<SftpTransfer | undefined>;
  saveTransfer(fileName: string, transfer: SftpTransfer): Promise<void>;
  /**
   * Saves the delivery, unless it is known.
   * @returns the stored one
   */
  save(delivery: Delivery): Promise<Delivery>;
  /** The delivery with this sort key. */
  get(sortKey: string): Promise<Delivery | undefined>;
  /** The deliveries of all groups, newest first, after the sort key `after` if that is given. */
  list(page: { limit: number; after?: string | undefined }): Promise<Delivery[]>;
}
