import { promisify } from "node:util";
import { crc32, gunzip, inflateRaw } from "node:zlib";

interface Limits {
  maxOutputLength: number;
  chunkSize: number;
}

const gunzipAsync: (wire: Uint8Array, limits: Limits) => Promise<Uint8Array> = promisify(gunzip);

/** zlib's messages for data that follows a member but is not a member. A truncated body has other messages. */
const notAMember = /^(incorrect header check|unknown compression method|unknown header flags set)$/;

/** Each member needs a separate decoder. Servers send one member, or a few. */
const maxMembers = 100;

/** The CRC-32 and the length, at the end of a member. */
const trailerBytes = 8;

/**
 * Decompresses gzip. Data after the last member is ignored, as in browsers: some servers append line ends and comments.
 * @throws zlib's error, as a rejection; ERR_BUFFER_TOO_LARGE beyond the limit
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.2
 */
export async function ungzip(wire: Uint8Array, limits: Limits): Promise<Uint8Array> {
  try {
    return await gunzipAsync(wire, limits);
  } catch (error) {
    if (!(error instanceof Error && notAMember.test(error.message))) throw error;
    const members = await membersOf(wire, limits);
    if (members.length === 0) throw error;
    return Buffer.concat(members);
  }
}

/** Returns the decompressed members at the beginning; none when a member is invalid, or when there are too many. */
async function membersOf(wire: Uint8Array, { maxOutputLength, chunkSize }: Limits): Promise<Uint8Array[]> {
  const members: Uint8Array[] = [];
  let left = maxOutputLength;
  for (let from = headerEnd(wire, 0); from !== undefined; ) {
    if (members.length === maxMembers) return [];
    const { body, wireBytes } = await inflateMember(wire.subarray(from), {
      maxOutputLength: Math.max(left, 1),
      chunkSize,
    });
    const trailer = from + wireBytes;
    if (trailer + trailerBytes > wire.byteLength) return [];
    if (new DataView(wire.buffer, wire.byteOffset + trailer).getUint32(0, true) !== crc32(body)) return [];
    members.push(body);
    left -= body.byteLength;
    from = headerEnd(wire, trailer + trailerBytes);
  }
  return members;
}

function inflateMember(wire: Uint8Array, limits: Limits): Promise<{ body: Uint8Array; wireBytes: number }> {
  return new Promise((resolve, reject) => {
    inflateRaw(wire, { ...limits, info: true }, (error, result) => {
      if (error !== null) return reject(error);
      // With `info`, the result has the buffer and the engine, which Node's types omit.
      const { buffer, engine } = result as unknown as {
        buffer: Uint8Array;
        engine: { bytesWritten: number };
      };
      resolve({ body: buffer, wireBytes: engine.bytesWritten });
    });
  });
}

/**
 * Returns the index at which the data of a gzip member begins.
 * @param start the index of the member's header
 * @returns undefined when there is no header at that index
 */
function headerEnd(wire: Uint8Array, start: number): number | undefined {
  const [first, second, method, flags = 0] = wire.subarray(start, start + 4);
  if (first !== 0x1f || second !== 0x8b || method !== 8 || (flags & 0xe0) !== 0) return undefined;
  let end = start + 10;
  if (flags & 4) end += 2 + (wire[end] ?? 0) + ((wire[end + 1] ?? 0) << 8);
  // Name and comment end with a zero byte.
  for (const flag of [8, 16]) if (flags & flag) end = wire.indexOf(0, end) + 1 || wire.byteLength;
  if (flags & 2) end += 2;
  return end < wire.byteLength ? end : undefined;
}
