import { type CollectionPorts, collectionSubject } from "../../../shared/links/routes/collection-routes.ts";
import { type LinkPorts, linkSubject } from "../../../shared/links/routes/link-routes.ts";
import { type RecordPorts, recordSubject } from "../../../shared/links/routes/record-routes.ts";
import type { RuleTest } from "../../../shared/links/rule-test/rule-test.ts";
import { bestEffort } from "../../../shared/runtime/best-effort.ts";
import { LinkWorld } from "../links/link-world.ts";
import { MemoryPorts } from "../memory-ports.ts";
import { serve } from "./serve.ts";

/** The routes about links over a world of links: the collection `c` of five records, the first of which is stored whole. */
export class LinkApi {
  readonly world = new LinkWorld();
  readonly memory = new MemoryPorts();
  readonly tests = new Map<string, RuleTest>();

  private constructor() {}

  static async open(): Promise<LinkApi> {
    const api = new LinkApi();
    const { world, memory } = api;
    world.addCollection({ collectionId: "c", title: "C" }, 5);
    const recordKey = await memory.records.storeMarc("c-001", {
      leader: "00000naa a2200000uc 4500",
      control: [],
      fields: [],
    });
    await memory.records.save({
      recordId: "c-001",
      sourceId: "c",
      groupId: "G",
      collectionId: "c",
      runId: "r",
      deliveryMode: "LIVE",
      title: "One",
      landingUrl: "https://c.example/1",
      syndicatedAt: "2026-01-01T00:00:00.000Z",
      hash: "h",
      recordKey,
      state: "delivered",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
    return api;
  }

  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const { world, memory, tests } = this;
    const { ports } = world;
    const links = ports.records;
    const ruleTests = {
      create: async (test: RuleTest) => void tests.set(test.testId, test),
      get: async (id: string) => tests.get(id),
    };
    const app = serve<RecordPorts & CollectionPorts & LinkPorts>(
      [recordSubject, collectionSubject, linkSubject],
      {
        ...ports,
        records: memory.records,
        links,
        ruleTests,
        suppressedCollections: async () => {
          const { collections } = await ports.collections.all();
          const statuses = await ports.collections.linkStatuses();
          return collections.flatMap(({ collectionId, hold }) => {
            const isSuppressed = statuses.get(collectionId)?.status === "suppressed";
            return hold || isSuppressed
              ? [{ collectionId, by: hold ? ("hold" as const) : ("checks" as const) }]
              : [];
          });
        },
        bestEffort,
        newId: () => "t1",
      },
    );
    const answer = await app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      location: answer.headers.get("location"),
      body: (/\bjson\b/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : {}) as Record<
        string,
        unknown
      >,
    };
  }

  async suppress(): Promise<void> {
    this.world.reply = () => 404;
    await this.world.sweep();
  }
}
