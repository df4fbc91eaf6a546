const empty = new Uint8Array(0);

/**
 * Collects a body from its chunks. Each chunk keeps its whole read buffer alive, so a body that arrives byte by byte
 * would take a thousand times its size. Chunks are therefore copied into one buffer. The only exception is a first
 * chunk that fills most of its read buffer: most pages arrive as one chunk, and copying each of them would cost more
 * than all other work.
 */
export class BodyBuffer {
  private memory: Uint8Array = empty;
  private length = 0;
  private readonly maxBytes: number;

  /** @param maxBytes the largest body that is accepted, which bounds the memory */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** @param chunk belongs to the buffer from now on, and must not be changed */
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
