import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../local/cloud/seeded-random.ts";
import { recordOriginSubject } from "../../shared/deliver/routes/record-origin-routes.ts";
import type { RecordStore, StoredRecord } from "../../shared/records/documents/stored-record.ts";
import { listedWitnesses, summarizeOrigin } from "../../shared/records/origin/origin-summary.ts";
import type { FieldProvenance, Provenance } from "../../shared/records/origin/provenance.ts";
import { originRules } from "../../shared/records/rule-ids.ts";
import { serve } from "../shared/api/serve.ts";
import { sharedCloud } from "./local-cloud.ts";

let records: RecordStore;
let request: (query: string) => Promise<{ status: number; body: Record<string, unknown> }>;

beforeAll(async () => {
  await sharedCloud();
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const { recordOrigins } = await import("../../shared/deliver/stores/record-origins.ts");
  records = recordStore();
  const app = serve([recordOriginSubject], { recordOrigins: recordOrigins() });
  request = async (query) => {
    const answer = await app.request(`/record-origins?${query}`);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
});

/** All pages of a list, which must not repeat a record. */
async function listed(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let after: unknown = ""; after !== undefined; ) {
    const { status, body } = await request(`${query}&limit=3${after === "" ? "" : `&after=${after}`}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    const page = body.records as { recordId: string }[];
    expect(page.length).toBeLessThanOrEqual(3);
    found.push(...page.map(({ recordId }) => recordId));
    after = body.next;
  }
  expect(new Set(found).size).toBe(found.length);
  return found.toSorted();
}

const fields = ["year", "volume", "title", "abstract"] as const;
const sources = ["origin-one", "origin-two"];

function randomRecord(number: number, runId: string, random: () => number): StoredRecord {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const provenance: Provenance = fields.map((field): FieldProvenance => {
    const disagrees = random() < 0.1 && field !== "abstract";
    const witness = random() < 0.7 ? "page" : pick(listedWitnesses);
    return { field, value: "v", witness, others: [], ...(disagrees && { disagrees: true as const }) };
  });
  const disagreements = provenance.filter(({ disagrees }) => disagrees);
  const notices = originRules.filter((rule) => rule !== "witnesses-disagree" && random() < 0.15);
  const sourceId = pick(sources);
  return {
    ...{ recordId: `origin-${number}`, sourceId, groupId: "G", collectionId: sourceId, runId },
    ...{ deliveryMode: "LIVE", title: String(number), landingUrl: `https://c.example/${number}` },
    // Several records have the same date.
    syndicatedAt: `2026-01-0${1 + Math.floor(random() * 3)}T00:00:00.000Z`,
    ...{ hash: String(number), recordKey: String(number), updatedAt: "2026-11-20T00:00:00.000Z" },
    state: "harvested",
    provenance,
    origin: summarizeOrigin(provenance),
    originFindings: [
      ...notices.map((ruleId) => ({ ruleId, tag: "024", reason: "r" })),
      ...disagreements.map(() => ({ ruleId: "witnesses-disagree" as const, tag: "264", reason: "r" })),
    ],
  };
}

describe("random records, harvested twice, some delivered", () => {
  const world = new Map<string, StoredRecord>();
  const has = (record: StoredRecord, rule: string) =>
    record.originFindings?.some(({ ruleId }) => ruleId === rule) ?? false;
  const idsWith = (isWanted: (record: StoredRecord) => boolean) =>
    [...world.values()].flatMap((record) => (isWanted(record) ? [record.recordId] : [])).toSorted();

  beforeAll(async () => {
    const random = seededRandom(28);
    for (const runId of ["first", "second"]) {
      for (let number = 0; number < 40; number += 1) {
        if (runId === "second" && random() < 0.5) continue;
        const record = randomRecord(number, runId, random);
        if (world.get(record.recordId)?.state === "delivered") continue;
        await records.save(record);
        const isDelivered = random() < 0.3;
        if (isDelivered) await records.setState(record, "delivered");
        world.set(record.recordId, { ...record, state: isDelivered ? "delivered" : "harvested" });
      }
    }
  });

  it("retractions and corrections → of all sources, of one, and only the delivered ones", async () => {
    const isRetracted = (record: StoredRecord) => has(record, "article-retracted");
    const isCorrected = (record: StoredRecord) => has(record, "article-corrected") && !isRetracted(record);
    expect(await listed("finding=article-retracted")).toEqual(idsWith(isRetracted));
    expect(await listed("finding=article-corrected")).toEqual(idsWith(isCorrected));
    expect(await listed("finding=article-retracted&state=delivered")).toEqual(
      idsWith((record) => isRetracted(record) && record.state === "delivered"),
    );
    for (const source of sources) {
      expect(await listed(`finding=article-corrected&source=${source}`)).toEqual(
        idsWith((record) => isCorrected(record) && record.sourceId === source),
      );
    }
  });

  it("disagreements and witnesses of a source, by field → exactly the records with them", async () => {
    for (const source of sources) {
      const ofSource = (isWanted: (record: StoredRecord) => boolean) =>
        idsWith((record) => record.sourceId === source && isWanted(record));
      expect(await listed(`finding=witnesses-disagree&source=${source}`)).toEqual(
        ofSource((record) => has(record, "witnesses-disagree")),
      );
      for (const field of fields) {
        const fieldOf = ({ provenance = [] }: StoredRecord) => provenance.find((one) => one.field === field);
        for (const query of [`finding=witnesses-disagree&field=${field}`, `field=${field}`]) {
          expect(await listed(`${query}&source=${source}`)).toEqual(
            ofSource((record) => fieldOf(record)?.disagrees === true),
          );
        }
        for (const witness of listedWitnesses) {
          expect(await listed(`witness=${witness}&field=${field}&source=${source}`)).toEqual(
            ofSource((record) => fieldOf(record)?.witness === witness),
          );
        }
      }
      for (const witness of listedWitnesses) {
        const isFrom = ({ provenance = [] }: StoredRecord) =>
          provenance.some((one) => one.witness === witness);
        expect(await listed(`witness=${witness}&source=${source}`)).toEqual(ofSource(isFrom));
        expect(await listed(`finding=witnesses-disagree&witness=${witness}&source=${source}`)).toEqual(
          ofSource((record) => has(record, "witnesses-disagree") && isFrom(record)),
        );
      }
    }
  });

  it("a record without anything to list → the record itself is unchanged by the keys of the lists", async () => {
    for (const record of world.values()) {
      const { updatedAt: _at, state: _state, origin, ...rest } = record;
      expect(await records.get(record.recordId)).toMatchObject({ ...rest, ...(origin && { origin }) });
    }
  });
});

describe("a bad query", () => {
  it.each([
    ["", "finding", /^finding: is missing/],
    ["finding=retracted", "finding", /"retracted"/],
    ["witness=page&source=s", "witness", /"page"/],
    ["witness=crossref", "source", /^source: is missing/],
    ["finding=witnesses-disagree", "source", /^source: is missing/],
    ["finding=article-retracted&field=colour", "field", /"colour"/],
    ["finding=article-retracted&state=lost", "state", /"lost"/],
    ["finding=article-retracted&limit=0", "limit", /"0"/],
    ["finding=article-retracted&after=x", "after", /"x"/],
  ])("%s → 400 that names %s and its value", async (query, field, says) => {
    const { status, body } = await request(query);
    expect([status, body.field]).toEqual([400, field]);
    expect(body.detail).toMatch(says);
  });

  it("the `next` of another list → 400", async () => {
    const { body } = await request("finding=article-retracted&limit=1");
    const other = await request(`finding=article-corrected&after=${body.next}`);
    expect([other.status, other.body.field]).toEqual([400, "after"]);
  });
});
