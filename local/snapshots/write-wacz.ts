import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { type PackedText, sha256 } from "../../shared/snapshots/wacz/wacz-index.ts";

/** What is known of a file once it is in the package. */
interface Resource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

/**
 * Writes a WACZ package. Each hash is taken of the bytes as they go into the zip; gzip files are stored as they are, so that
 * a viewer can read a part of them. A package that cannot be completed leaves no file.
 * @param warcs paths of complete WARC files
 * @see https://specs.webrecorder.net/wacz/1.1.1/
 */
export async function writeWacz(path: string, contents: WaczContents): Promise<void> {
  const open = `${path}.open`;
  try {
    await writeZip(open, contents);
    renameSync(open, path);
  } catch (error) {
    rmSync(open, { force: true });
    throw error;
  }
}

interface WaczContents {
  warcs: string[];
  texts: PackedText[];
  created: Date;
  software: string;
}

async function writeZip(path: string, { warcs, texts, created, software }: WaczContents): Promise<void> {
  const zip = new ZipFile();
  const resources: Resource[] = [];
  const output = zip.outputStream as Duplex;
  const written = pipeline(output, createWriteStream(path));
  zip.on("error", (error: Error) => output.destroy(error));
  for (const warc of warcs) addWarc(zip, warc, resources);
  for (const { path: name, content } of texts) {
    zip.addBuffer(content, name, { compress: !name.endsWith(".gz") });
    resources.push(resource(name, sha256(content), content.byteLength));
  }
  let description = Buffer.alloc(0);
  // Read when the files before it are in the zip, and their hashes are known.
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
  await written;
}

function addWarc(zip: ZipFile, warc: string, resources: Resource[]): void {
  const { size } = statSync(warc);
  const path = `archive/${basename(warc)}`;
  zip.addReadStreamLazy(path, { compress: false, size }, (callback) => {
    const onEnd = (hash: string) => resources.push(resource(path, hash, size));
    const content = Readable.from(hashed(createReadStream(warc), onEnd), { objectMode: false });
    content.on("error", (error) => zip.emit("error", error));
    callback(null, content);
  });
}

/** Passes on a file, and its hash before it ends. */
async function* hashed(chunks: AsyncIterable<Buffer>, onEnd: (hash: string) => void): AsyncGenerator<Buffer> {
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
