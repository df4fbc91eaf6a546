import { expect, it } from "vitest";
import { readRepositoryCheck } from "../../../../shared/harvest/repository-check/read-check-response.ts";
import {
  type RepositoryCheck,
  requestRepositoryCheck,
} from "../../../../shared/harvest/repository-check/request-check.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { identityWith, modelRepository, now } from "./model-repository.ts";
import { runCheckup } from "./run-checkup.ts";

const script = modelRepository({
  identify: identityWith({ baseURL: "https://r.example/oai", deletedRecord: "no" }),
});
const asked = { baseUrl: "https://r.example/oai", metadataPrefix: "oai_dc", pages: 5 };

/** A check over messages, each of which comes twice; without a store, a check that has been forgotten. */
class World {
  readonly checks = new Map<string, RepositoryCheck>();
  readonly sent: NewRequest[] = [];
  private readonly known = new Set<string>();

  readonly ports = {
    repositoryChecks: {
      create: async (check: RepositoryCheck) => void this.checks.set(check.checkId, check),
      get: async (id: string) => structuredClone(this.checks.get(id)),
      advance: async (check: RepositoryCheck, before: number) => {
        if (this.checks.get(check.checkId)?.checkup.requests !== before) return false;
        this.checks.set(check.checkId, structuredClone(check));
        return true;
      },
    },
    // As the queue, which takes a request once.
    requests: {
      send: async (requests: NewRequest[]) => {
        for (const request of requests) {
          if (!this.known.has(request.id)) this.sent.push(outboundRequest.parse(request));
          this.known.add(request.id);
        }
      },
    },
    bodies: { load: async (key: string) => Buffer.from(key) },
    clock: { now: () => now },
    newId: () => "c",
  };

  async read(request: NewRequest): Promise<void> {
    const { searchParams } = new URL(request.url);
    const body = String(script(Object.fromEntries(searchParams), 1));
    const outcome = {
      type: "answered" as const,
      status: 200,
      url: request.url,
      hops: [{ url: request.url, status: 200 }],
      headers: { "content-type": "text/xml" },
      bodyKey: body,
      elapsedMs: 1,
    };
    await readRepositoryCheck({ request: outboundRequest.parse(request), outcome }, this.ports);
  }
}

it("a check as messages that come twice and late → one request after the other, the findings of a check in one go", async () => {
  const world = new World();
  await requestRepositoryCheck({ asked, group: { groupId: "G", userAgent: "test" } }, world.ports);
  for (let at = 0; at < world.sent.length; at += 1) {
    const request = world.sent[at] as NewRequest;
    expect(world.sent.length).toBe(at + 1);
    await world.read(request);
    await world.read(request);
    await world.read(world.sent[0] as NewRequest);
  }
  const { checkup } = world.checks.get("c") as RepositoryCheck;
  expect(checkup).toEqual(runCheckup(script));
  expect(checkup.requests).toBe(world.sent.length);
});

it("a worker that was killed after it had stored its response → the repeated message sends the next request", async () => {
  const world = new World();
  await requestRepositoryCheck({ asked, group: { groupId: "G", userAgent: "test" } }, world.ports);
  const { requests } = world.ports;
  const [first] = world.sent as [NewRequest];
  const killed = { send: async () => Promise.reject(new Error("killed")) };
  Object.assign(world.ports, { requests: killed });
  await expect(world.read(first)).rejects.toThrow("killed");
  Object.assign(world.ports, { requests });
  await world.read(first);
  expect(world.sent.map(({ url }) => new URL(url).search)).toEqual([
    "?verb=Identify",
    "?verb=ListMetadataFormats",
  ]);
});

it("a check that has been forgotten → its late response changes nothing", async () => {
  const world = new World();
  await requestRepositoryCheck({ asked, group: { groupId: "G", userAgent: "test" } }, world.ports);
  world.checks.clear();
  await world.read(world.sent[0] as NewRequest);
  expect(world.sent.length).toBe(1);
});
