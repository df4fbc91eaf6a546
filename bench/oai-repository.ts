/** The OAI-PMH repository of the measurements, and the npm client with which they compare. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";

const pageSize = 100;

/** The maximum number of records that are kept. Longer lists would fill the memory. */
const maxKeptRecords = 100_000;

/**
 * Serves lists of any length at `/oai`, and sends its port to the parent process. `set` is the number of
 * records.
 * @param options.keepsPages builds each page only once, to reduce the repository's own time
 */
export async function serveLists(
  buildRecord: (number: number) => string,
  { keepsPages }: { keepsPages: boolean },
): Promise<void> {
  const pages = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    if (url.pathname !== "/oai") return void response.writeHead(404).end();
    const [from = "0", total = url.searchParams.get("set") ?? ""] =
      url.searchParams.get("resumptionToken")?.split("/") ?? [];
    const key = `${from}/${total}`;
    const page = pages.get(key) ?? Buffer.from(buildPage(Number(from), Number(total), buildRecord));
    if (keepsPages && Number(total) <= maxKeptRecords) pages.set(key, page);
    response.writeHead(200, { "content-type": "text/xml", "content-length": page.length }).end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
}

function buildPage(from: number, total: number, buildRecord: (number: number) => string): string {
  const end = Math.min(from + pageSize, total);
  let records = "";
  for (let number = from; number < end; number++) records += buildRecord(number);
  const token = end < total ? `${end}/${total}` : "";
  return `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">
<responseDate>2026-05-01T10:00:00Z</responseDate><request verb="ListRecords" metadataPrefix="oai_dc">http://x/oai</request>
<ListRecords>${records}<resumptionToken completeListSize="${total}" cursor="${from}">${token}</resumptionToken></ListRecords></OAI-PMH>`;
}

/** Loads the client of npm oai-pmh. It is bundled, because its own module loader fails on Node 24. */
export async function loadNpmOaiPmh(folder: string) {
  const outfile = join(folder, "oai-pmh.cjs");
  const entryPoints = [join(folder, "node_modules/oai-pmh/src/index.js")];
  await build({ entryPoints, bundle: true, platform: "node", format: "cjs", outfile, logLevel: "error" });
  const { OaiPmh } = createRequire(outfile)(outfile);
  return OaiPmh;
}
