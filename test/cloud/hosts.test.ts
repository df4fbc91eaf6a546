import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { newHost } from "../../shared/web/gate/host-state.ts";
import { sharedCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

let cloud: LocalCloud;
beforeAll(async () => {
  cloud = await sharedCloud();
});

const ask = (path: string) => new Operator(cloud).ask<ReturnType<typeof JSON.parse>>("GET", path);

it("what the gate stored of a host → shown to operators, however the host is named", async () => {
  const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
  const { statisticsStore } = await import("../../shared/adapters/gate/statistics-store.ts");
  const today = new Date().toISOString().slice(0, 10);
  const hostKey = "journal.example:8080";
  await hostStore().save({ ...newHost(hostKey), failures: 2, backoffUntilMs: Date.now() + 600_000 });
  await statisticsStore().add(hostKey, today, { requests: 2, "status-2xx": 1, "failed-dns": 1 });
  await statisticsStore().add(hostKey, today, { requests: 1, "status-2xx": 1, bytes: 10 });

  // As an earlier version has stored them: under the day alone.
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const { variable } = await import("../../shared/adapters/aws/environment.ts");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const [day, requests] of [
    [today, 4],
    [yesterday, 5],
  ]) {
    const Item = { day, hostKey, requests, expiresAt: Math.floor(Date.now() / 1000) + 86_400 };
    await dynamodb.send(new PutCommand({ TableName: variable("hostStatisticsTable"), Item }));
  }

  for (const name of ["journal.example:8080", "Journal.Example%3A8080"]) {
    expect(await ask(`/hosts/${name}`)).toMatchObject({
      status: 200,
      body: { host: hostKey, failures: 2, waitReason: "back-off" },
    });
  }
  expect(await ask(`/hosts/${hostKey}/statistics`)).toEqual({
    status: 200,
    body: {
      host: hostKey,
      days: [
        expect.objectContaining({ day: yesterday, requests: 5 }),
        expect.objectContaining({
          day: today,
          requests: 7,
          statuses: { "2xx": 2 },
          failures: { dns: 1 },
          bytes: 10,
        }),
      ],
    },
  });
  expect(await ask("/hosts/journal.example")).toMatchObject({ status: 404 });
});

it("a robots.txt with rules → its text, as it was read", async () => {
  const { hostStore } = await import("../../shared/adapters/gate/host-store.ts");
  const { robotsStore } = await import("../../shared/adapters/gate/robots-store.ts");
  const origin = "https://ruled.example";
  const text = "User-agent: *\nDisallow: /private/\n";
  const key = await robotsStore().store(origin, text);
  const known = { access: "rules" as const, untilMs: Date.now() + 600_000, key };
  await hostStore().save({ ...newHost("ruled.example"), robots: { [origin]: { known } } });
  const { body } = await ask("/hosts/ruled.example");
  expect(body).toMatchObject({ robots: [{ origin, access: "rules", text }] });
});
