import type { Delivery } from "../plan/delivery.ts";
import type { SftpTransfer } from "./transfer.ts";

export interface DeliveryStore {
  /** The first of the numbered names that is free, or that the same holder took before. */
  claimFileName(holder: string, nameOf: (number: number) => string): Promise<string>;
  /** Writes a file of any size and gives its size in bytes. */
  writeFile(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  readFile(key: string): AsyncIterable<Uint8Array>;
  /** How far the sending of a file has come, as it was noted last. */
  transfer(fileName: string): Promise<SftpTransfer | undefined>;
  saveTransfer(fileName: string, sending: SftpTransfer): Promise<void>;
  /** Keeps the delivery unless it is known, and gives the one that is kept. */
  save(delivery: Delivery): Promise<Delivery>;
  /** Those of all groups, newest first; from after the place `after` on, where that is given. */
  list(page: { limit: number; after?: string | undefined }): Promise<Delivery[]>;
}
