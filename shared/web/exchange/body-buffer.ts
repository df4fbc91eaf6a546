const empty = new Uint8Array(0);

/**
 * Gathers a body from its chunks. A chunk is a piece of what was read from the connection, and keeps all of that alive; a
 * body that comes byte by byte would cost a thousand times its size. So chunks are copied into memory of the body's own,
 * but for a first one that is most of what was read: nearly all pages come as one, and memory of their own for each would
 * cost more than all else that is done with them.
 */
export class BodyBuffer {
  private memory: Uint8Array = empty;
  private length = 0;
  private readonly maxBytes: number;

  /** @param maxBytes the largest body that is added: no memory is taken beyond it */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** @param chunk belongs to the buffer from now on */
  add(chunk: Uint8Array): void {
    if (this.length === 0 && isMostOfItsMemory(chunk)) {
      this.memory = chunk;
      this.length = chunk.byteLength;
      return;
    }
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

function isMostOfItsMemory({ byteLength, buffer }: Uint8Array): boolean {
  return 2 * byteLength >= buffer.byteLength;
}
