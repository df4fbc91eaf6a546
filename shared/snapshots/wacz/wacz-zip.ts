import { createHash } from "node:crypto";
import { basename } from "node:path/posix";
import { type Duplex, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type PackedText, sha256 } from "./wacz-index.ts";

/** A WARC file of a package. Its bytes are read on demand. */
export interface PackedWarc {
  name: string;
  sizeBytes: number;
  /** @param range default: the whole file */
  content(range?: ByteRange): AsyncIterable<Uint8Array>;
}

export interface ByteRange {
  offset: number;
  length: number;
}

export interface WaczContents {
  warcs: readonly PackedWarc[];
  texts: readonly PackedText[];
  created: Date;
  software: string;
}

/** The properties of a file that are known once it is in the package. */
interface Resource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

/**
 * Yields the bytes of a WACZ package. Each hash is computed from the bytes that are written to the zip. Gzip
 * files are stored uncompressed, so that a viewer can read a part of them.
 * @throws errors of reading a WARC file; Error if a file has an unexpected size
 * @see https://specs.webrecorder.net/wacz/1.1.1/
 */
export async function* waczZip({
  warcs,
  texts,
  created,
  software,
}: WaczContents): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const resources: Resource[] = [];
  const output = zip.outputStream as Duplex;
  zip.on("error", (error: Error) => output.destroy(error));
  for (const warc of warcs) addWarc(zip, warc, resources);
  for (const { path: name, content } of texts) {
    zip.addBuffer(content, name, { compress: !name.endsWith(".gz") });
    resources.push(resource(name, sha256(content), content.byteLength));
  }
  let description = Buffer.alloc(0);
  // This file is created after the others are in the zip, because it contains their hashes.
  addLate(zip, "datapackage.json", () => {
    const facts = {
      profile: "data-package",
      wacz_version: "1.1.1",
      created: created.toISOString(),
      software,
    };
    description = Buffer.from(`${JSON.stringify({ ...facts, resources }, null, 2)}\n`);
    return description;
  });
  addLate(zip, "datapackage-digest.json", () =>
    Buffer.from(`${JSON.stringify({ path: "datapackage.json", hash: sha256(description) })}\n`),
  );
  zip.end();
  yield* output as AsyncIterable<Uint8Array>;
}

function addWarc(zip: ZipFile, { name, sizeBytes, content }: PackedWarc, resources: Resource[]): void {
  const path = `archive/${name}`;
  zip.addReadStreamLazy(path, { compress: false, size: sizeBytes }, (callback) => {
    const onEnd = (hash: string) => resources.push(resource(path, hash, sizeBytes));
    const stream = Readable.from(hashed(content(), onEnd), { objectMode: false });
    stream.on("error", (error) => zip.emit("error", error));
    callback(null, stream);
  });
}

/** Passes on a file, and computes its hash before it ends. */
async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  onEnd: (hash: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  onEnd(`sha256:${hash.digest("hex")}`);
}

function addLate(zip: ZipFile, name: string, content: () => Buffer): void {
  zip.addReadStreamLazy(name, { compress: true }, (callback) => callback(null, Readable.from([content()])));
}

function resource(path: string, hash: string, bytes: number): Resource {
  return { name: basename(path), path, hash, bytes };
}
