import { createHash } from "node:crypto";
import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { deliveredTitles } from "../started.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { PatientClient } from "./patient-client.ts";
import { pdfOf, type SentUpload, uploadOf } from "./sent-files.ts";

const sourceId = "theses";
const rounds = isLong ? 8 : 2;

interface Outcome {
  type: "document" | "file";
  name: string;
  outcome: string;
  documentId?: string;
  itemId?: string;
}

let chaos: ChaosCloud;
let client: PatientClient;
let sent: SentUpload[];
/** Of each upload, in the same order. */
let done: {
  status: string;
  counts: { documents: number; files: number; refused: number };
  outcomes: Outcome[];
}[];

beforeAll(async () => {
  chaos = await openChaosCloud("uploads", { hosts: [], deliveryProbability: 0.9 });
  client = new PatientClient(chaos.cloud);
  const { storeConfiguration, runDelivery } = await import("../../../local/start/run-delivery.ts");
  const { exportFiles } = await import("../../../local/start/export-files.ts");
  const { localGroup } = await import("../../../local/local-group.ts");
  const source = {
    ...{ sourceId, title: "Theses", type: "UPLOAD" as const, url: "https://theses.example/" },
    ...{ groupId: localGroup.groupId, deliveryMode: "LIVE" as const },
  };
  await storeConfiguration([source]);
  // Two batches of each.
  const sizes = { marcxml: 520, iso2709: 60, documents: 22, zip: 22 };
  sent = await Promise.all(
    Array.from({ length: rounds }, (_, round) =>
      Object.entries(sizes).map(([content, size]) => ({ content, size, round })),
    )
      .flat()
      .map(({ content, size, round }) =>
        uploadOf(content as keyof typeof sizes, { sourceId, name: `${content}-${round}`, size }),
      ),
  );
  done = await chaos.until(Promise.all(sent.map(upload)));
  const { signal } = new AbortController();
  await chaos.until(runDelivery([source], { print: () => {}, signal }));
  await exportFiles(join(chaos.stateDir, "deliveries"));
}, partMs);

/** Sends an upload with its files, and waits until it is read. */
async function upload({ body, content }: SentUpload): Promise<(typeof done)[number]> {
  const { uploadId, files } = await client.ask<{ uploadId: string; files: { name: string; url: string }[] }>(
    "POST",
    "/documents",
    body,
  );
  const path = `/documents/uploads/${uploadId}`;
  for (const { name, url } of files) await client.put(url, content(name));
  if (files.length > 0) await client.ask("POST", `${path}/complete`);
  // The store says it without a function, so that waits are skipped meanwhile.
  const { uploadStore } = await import("../../../shared/harvest/stores/upload-store.ts");
  while ((await uploadStore().get(uploadId))?.state !== "done") await scheduler.wait(200);
  return { ...(await client.ask<(typeof done)[number]>("GET", path)), outcomes: await allOutcomes(path) };
}

async function allOutcomes(path: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let after = "";
  for (;;) {
    const page = await client.ask<{ outcomes: Outcome[]; next?: string }>("GET", `${path}?limit=100${after}`);
    outcomes.push(...page.outcomes);
    if (page.next === undefined) return outcomes;
    after = `&after=${page.next}`;
  }
}

describe("uploads under faults", () => {
  it("functions were killed", () => {
    expect(chaos.faults.counts().kill).toBeGreaterThan(0);
  });

  it("every record and file → one outcome, as its content says; the counts are their sums", () => {
    for (const [index, { expected }] of sent.entries()) {
      const { counts, outcomes } = done[index] ?? expect.fail();
      // What a killed function had stored before is unchanged when it is read again.
      const found = outcomes.map(({ name, outcome }) => [name, outcome === "refused" ? outcome : "kept"]);
      expect(found).toHaveLength(Object.keys(expected).length);
      expect(Object.fromEntries(found)).toEqual(expected);
      expect(new Set(outcomes.map(({ outcome }) => outcome))).not.toContain("changed");
      const count = (type: Outcome["type"]) => outcomes.filter((each) => each.type === type).length;
      const refused = outcomes.filter(({ outcome }) => outcome === "refused").length;
      expect(counts).toMatchObject({ documents: count("document"), files: count("file"), refused });
    }
  });

  it("every document and file → stored once, in its first version; a file with its bytes", async () => {
    const { documentStore } = await import("../../../shared/adapters/records/document-store.ts");
    const { itemStore } = await import("../../../shared/harvest/stores/item-store.ts");
    for (const { name, documentId = "", itemId, type } of done.flatMap(({ outcomes }) => outcomes)) {
      if (documentId === "") continue;
      if (type === "document") {
        const [document] = await documentStore().getMany(sourceId, [documentId]);
        expect(
          document?.versions.map(({ version }) => version),
          name,
        ).toEqual([1]);
      } else if (itemId !== undefined) {
        const item = await itemStore().get({ documentId, itemId });
        const sha256 = createHash("sha256").update(pdfOf(name)).digest("hex");
        expect(
          item?.versions.map(({ file }) => file?.sha256),
          name,
        ).toEqual([sha256]);
      }
    }
  });

  it("every valid record → delivered once", async () => {
    expect(await deliveredTitles(chaos.stateDir)).toEqual(sent.flatMap(({ titles }) => titles).toSorted());
  });

  it("every new document and file → one event, true of the store", () => {
    const kept = (type: Outcome["type"]) =>
      done
        .flatMap(({ outcomes }) => outcomes)
        .filter((each) => each.type === type && each.outcome !== "refused").length;
    expect(chaos.events.untrue).toEqual([]);
    expect(chaos.events.changes["document.new"]?.size).toBe(kept("document"));
    expect(chaos.events.changes["item.new"]?.size).toBe(kept("file"));
  });
});
