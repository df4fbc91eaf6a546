import { expect, it } from "vitest";
import { InProcessGate } from "../../../../local/cli/harvest/in-process-gate.ts";
import { memoryRobots } from "../../../../local/cli/memory/gate-stores.ts";
import { PlatformError } from "../../../../shared/core/errors.ts";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";

it("a stored body → unchanged; a missing one → a PlatformError with its key, not an empty page", async () => {
  const gate = new InProcessGate({
    addresses: defaultAddressPolicy,
    userAgent: "Ingather/test",
    delays: { defaultDelayMs: 0, maxDelayMs: 0, hostDelays: {} },
    signal: new AbortController().signal,
  });
  const key = await gate.store("r1-0", new Uint8Array([1, 2]));
  expect(await gate.load(key)).toEqual(new Uint8Array([1, 2]));
  await expect(gate.load("r2-0")).rejects.toThrow(new PlatformError("no body is kept as r2-0"));
});

it("a stored robots.txt → its text; a missing one → a PlatformError, not permission for everything", async () => {
  const robots = memoryRobots();
  const text = "User-agent: *\nDisallow: /";
  expect(await robots.load(await robots.store("https://a.example", text))).toBe(text);
  await expect(robots.load("b")).rejects.toThrow(new PlatformError("no robots.txt is stored as b"));
});
