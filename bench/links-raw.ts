/**
 * The raw undici loop of `bench/links-commands.ts` as a command. It reads a list of links, and writes a JSON
 * line for each link.
 */
import { readFileSync } from "node:fs";
import { Client } from "undici";

const urls = readFileSync(process.argv[2] ?? "", "utf8")
  .trim()
  .split("\n");
const byHost = Map.groupBy(urls, (url) => new URL(url).origin);
await Promise.all(
  [...byHost].map(async ([origin, own]) => {
    const client = new Client(origin);
    for (const url of own) {
      const startedAt = performance.now();
      const hops: { url: string; status: number }[] = [];
      for (let next: string | undefined = url; next !== undefined; ) {
        const { pathname } = new URL(next, origin);
        const { statusCode, headers, body } = await client.request({ method: "GET", path: pathname });
        await body.dump();
        hops.push({ url: next, status: statusCode });
        next = statusCode === 301 ? String(headers.location) : undefined;
      }
      const elapsedMs = Math.round(performance.now() - startedAt);
      process.stdout.write(`${JSON.stringify({ url, hops, elapsedMs })}\n`);
    }
    await client.close();
  }),
);
