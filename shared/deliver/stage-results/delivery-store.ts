import type { Delivery } from "./delivery.ts";
import type { SftpTransfer } from "./transfer.ts";

export interface DeliveryStore {
  /**
   * Claims the first of the numbered names that is free, or that the same holder has already claimed.
   * @returns the name
   */
  claimFileName(holder: string, nameOf: (number: number) => string): Promise<string>;
  /**
   * Writes a file of any size.
   * @returns its size in bytes
   */
  writeFile(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  readFile(key: string): AsyncIterable<Uint8Array>;
  /** Reads the last saved state of a file's transfer. */
  transfer(fileName: string): Promise<SftpTransfer | undefined>;
  saveTransfer(fileName: string, transfer: SftpTransfer): Promise<void>;
  /**
   * Saves the delivery, unless it is stored already.
   * @returns the stored delivery
   */
  save(delivery: Delivery): Promise<Delivery>;
  /** Reads the delivery with this sort key. */
  get(sortKey: string): Promise<Delivery | undefined>;
  /** Lists the deliveries of all groups, newest first. If `after` is given, the list begins after this sort key. */
  list(page: { limit: number; after?: string | undefined }): Promise<Delivery[]>;
}
