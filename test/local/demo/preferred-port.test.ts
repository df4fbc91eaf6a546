import { expect, it } from "vitest";
import { onPreferredPort } from "../../../local/demo/preferred-port.ts";
import { startDemoSite } from "../../../local/demo/site.ts";

it("its own port is taken → any other, and it is said", async () => {
  const first = await startDemoSite();
  const preferredPort = Number(new URL(first.origin).port);
  const told: string[] = [];
  const second = await onPreferredPort(
    { siteName: "journal", preferredPort, print: (line) => told.push(line) },
    (port) => startDemoSite({ port }),
  );
  await Promise.all([first.close(), second.close()]);
  expect(Number(new URL(second.origin).port)).not.toBe(preferredPort);
  expect(told).toEqual([`Port ${preferredPort} is taken: the journal takes another.`]);
});
