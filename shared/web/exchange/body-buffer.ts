const empty = new Uint8Array(0);

/**
 * Gathers a body from its chunks, in memory of its own: a chunk is a piece of what was read from the connection, and keeps
 * all of that alive; a body that comes byte by byte would cost a thousand times its size.
 */
export class BodyBuffer {
  private memory: Uint8Array = empty;
  private length = 0;
  private readonly maxBytes: number;

  /** @param maxBytes the largest body that is added: no memory is taken beyond it */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.byteLength;
    if (needed > this.memory.byteLength) this.grow(needed);
    this.memory.set(chunk, this.length);
    this.length = needed;
  }

  get bytes(): Uint8Array {
    return this.memory.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const memory = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * needed, this.maxBytes)));
    memory.set(this.bytes);
    this.memory = memory;
  }
}
