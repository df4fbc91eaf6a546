import { bodyStore } from "../../../../shared/adapters/gate/body-store.ts";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient } from "../../../../shared/web/exchange/http-client.ts";

/**
 * A process that streams a small body and then a large one to the store, and prints by how much the second has raised the
 * peak of its memory.
 */
const [, , origin = "", smallBytes = "", largeBytes = ""] = process.argv;
const policy = { ...defaultAddressPolicy, allowedPrivateHosts: new Set([new URL(origin).host]) };
const client = createHttpClient({ policy });
const bodies = bodyStore();

async function stream(sizeBytes: string) {
  const outcome = await client.exchange({
    url: `${origin}/${sizeBytes}`,
    bodyMode: {
      maxBytes: Number(sizeBytes),
      store: (content) => bodies.stream(`of-${sizeBytes}`, content, undefined),
    },
  });
  return outcome.type === "answered" ? (outcome.stored ?? outcome.bodyProblem) : outcome;
}

await stream(smallBytes);
const before = process.resourceUsage().maxRSS;
const stored = await stream(largeBytes);
const growthMiB = (process.resourceUsage().maxRSS - before) / 1024;
await client.close();
console.log(JSON.stringify({ stored, growthMiB }));
