import { decodeBody } from "./decode-body.ts";
import { defaultLimits } from "./limits.ts";
import { TolerantBody } from "./tolerant/tolerant-body.ts";
import { readTolerantHead } from "./tolerant/tolerant-head.ts";

/** Returns the body of a captured response, without its codings, as far as it is readable; empty when none of it is. */
export async function bodyOfCapture(captured: Uint8Array): Promise<Uint8Array> {
  let wire = Buffer.from(captured.buffer, captured.byteOffset, captured.byteLength);
  let reading = readTolerantHead(wire, "GET");
  while (reading.type === "head" && reading.head.status < 200) {
    wire = wire.subarray(reading.lengthBytes);
    reading = readTolerantHead(wire, "GET");
  }
  if (reading.type !== "head" || reading.head.framing.type === "ambiguous") return new Uint8Array();
  const pieces: Uint8Array[] = [];
  const body = new TolerantBody(reading.head.framing);
  body.add(wire.subarray(reading.lengthBytes), (content) => pieces.push(content));
  const encoding = [reading.head.headers["content-encoding"] ?? []].flat().join(", ");
  const payload = Buffer.concat(pieces);
  const decoded = await decodeBody(payload, encoding, defaultLimits);
  // Some hosts announce a compression that they did not apply.
  return decoded.type === "decoded" ? decoded.body : payload;
}
