import { expect, it } from "vitest";
import { onOwnPort } from "../../../local/demo/own-port.ts";
import { startDemoSite } from "../../../local/demo/site.ts";

it("its own port is taken → any other, and it is said", async () => {
  const first = await startDemoSite();
  const ownPort = Number(new URL(first.origin).port);
  const told: string[] = [];
  const second = await onOwnPort({ what: "journal", ownPort, tell: (line) => told.push(line) }, (port) =>
    startDemoSite({ port }),
  );
  await Promise.all([first.close(), second.close()]);
  expect(Number(new URL(second.origin).port)).not.toBe(ownPort);
  expect(told).toEqual([`Port ${ownPort} is taken: the journal takes another.`]);
});
