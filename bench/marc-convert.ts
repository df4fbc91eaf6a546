/** `npx node bench/marc-convert.ts IN.mrc > OUT.xml`: the process that bench/marc.ts compares with yaz-marcdump. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readIso2709 } from "../shared/marc/iso2709-reader.ts";
import { streamMarcXml } from "../shared/marc/marcxml-writer.ts";

const [file = ""] = process.argv.slice(2);
const bytes = createReadStream(file, { highWaterMark: 1_048_576 });
await pipeline(Readable.from(streamMarcXml(records())), process.stdout);

async function* records() {
  for await (const outcome of readIso2709(bytes)) {
    if (outcome.type === "record") yield outcome.record;
    else console.error(outcome.reason);
  }
}
