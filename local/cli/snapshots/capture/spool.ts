import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

/** Responses up to this size are kept in memory until their records are written. */
const maxHeldBytes = 1024 * 1024;

/** Stores responses until their records are written: small ones in memory, others as files in a folder. */
export class Spool {
  private readonly pathOf: (key: string) => string;
  private readonly held = new Map<string, readonly Uint8Array[]>();

  constructor(pathOf: (key: string) => string) {
    this.pathOf = pathOf;
  }

  /** Stores a response. It may be stored again. @returns its key */
  readonly store = async (key: string, content: AsyncIterable<Uint8Array>): Promise<string> => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let file: FileHandle | undefined;
    try {
      for await (const piece of content) {
        size += piece.byteLength;
        if (file === undefined && size > maxHeldBytes) {
          file = await open(this.pathOf(key), "w");
          for (const earlier of pieces.splice(0)) await file.appendFile(earlier);
        }
        if (file === undefined) pieces.push(piece);
        else await file.appendFile(piece);
      }
    } finally {
      await file?.close();
    }
    if (file === undefined) this.held.set(key, pieces);
    else this.held.delete(key);
    return key;
  };

  chunks(key: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
    const held = this.held.get(key);
    return held ?? createReadStream(this.pathOf(key));
  }

  /** Returns the first bytes of a response. */
  async start(key: string, maxBytes: number): Promise<Uint8Array> {
    const held = this.held.get(key);
    if (held !== undefined) return Buffer.concat(held).subarray(0, maxBytes);
    const pieces: Uint8Array[] = [];
    for await (const piece of createReadStream(this.pathOf(key), { end: maxBytes - 1 })) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async remove(key: string): Promise<void> {
    if (!this.held.delete(key)) await rm(this.pathOf(key), { force: true });
  }
}
