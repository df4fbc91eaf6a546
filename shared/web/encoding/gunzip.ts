import { gunzipSync } from "node:zlib";

type Gunzipped = { type: "bytes"; bytes: Uint8Array } | { type: "truncated" | "too-large" | "damaged" };

/** Decompresses bytes that begin with the gzip magic number. Other bytes are returned unchanged. */
export function gunzipIfPacked(bytes: Uint8Array, maxBytes: number): Gunzipped {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { type: "bytes", bytes };
  try {
    return { type: "bytes", bytes: gunzipSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "Z_BUF_ERROR") return { type: "truncated" };
    if (code === "ERR_BUFFER_TOO_LARGE") return { type: "too-large" };
    return { type: "damaged" };
  }
}
