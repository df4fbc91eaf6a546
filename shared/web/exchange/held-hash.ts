import { createHash, type Hash, hash } from "node:crypto";

/** The size up to which content is held and hashed at the end. Larger content is hashed as it arrives. */
const maxHeldBytes = 256 * 1024;

/**
 * Computes the SHA-1 of content that arrives in pieces. Most content is small, and hashing it in one call takes a third
 * of the time.
 */
export class HeldHash {
  private pieces: Uint8Array[] = [];
  private sizeBytes = 0;
  private running: Hash | undefined;

  /** @param bytes must not be changed before the digest is computed */
  update(bytes: Uint8Array): void {
    if (this.running !== undefined) {
      this.running.update(bytes);
      return;
    }
    addPiece(this.pieces, bytes);
    this.sizeBytes += bytes.byteLength;
    if (this.sizeBytes <= maxHeldBytes) return;
    this.running = createHash("sha1");
    for (const piece of this.pieces.splice(0)) this.running.update(piece);
  }

  /** Returns the digest in hexadecimal. Must be called once, at the end. */
  digest(): string {
    if (this.running !== undefined) return this.running.digest("hex");
    const [first = new Uint8Array()] = this.pieces;
    return hash("sha1", this.pieces.length > 1 ? Buffer.concat(this.pieces) : first, "hex");
  }
}

/**
 * Adds bytes to pieces. Bytes that directly follow the last piece in memory extend that piece, so most responses
 * consist of a single piece.
 */
export function addPiece(pieces: Uint8Array[], bytes: Uint8Array): void {
  const last = pieces.at(-1);
  if (last?.buffer === bytes.buffer && last.byteOffset + last.byteLength === bytes.byteOffset) {
    pieces[pieces.length - 1] = Buffer.from(
      bytes.buffer as ArrayBuffer,
      last.byteOffset,
      last.byteLength + bytes.byteLength,
    );
  } else pieces.push(bytes);
}
