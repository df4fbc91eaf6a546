import { describe, expect, it } from "vitest";
import { claimDocuments } from "../../../../shared/deliver/claims/claim.ts";
import { recordHash } from "../../../../shared/harvest/convert/record-hash.ts";
import { fieldsOf, subfieldValuesIn } from "../../../../shared/marc/fields.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import type { ArchiveState } from "../../../../shared/records/archive/archive-entry.ts";
import { buildArchiveKeys } from "../../../../shared/records/archive/archive-keys.ts";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import { openCorpus } from "../../../corpus.ts";
import { MemoryPorts } from "../../memory-ports.ts";

interface Row {
  delivery_state: ArchiveState;
  hash: string;
  main_title: string;
  urls: string[];
}

interface Step {
  op: string;
  sql?: string;
  records?: MarcRecord[];
  db_after?: Row[];
}

const corpus = openCorpus("zotero");
const cases: { id: string; description: string; steps: Step[] }[] = corpus.isAbsent
  ? []
  : JSON.parse(corpus.text("archive_cases.json"));

/** Where we do better than the original, and why. */
const decided: Record<string, string> = {
  a06: "a DOI with a publisher's view behind it is the DOI",
  a08: "a stored URL that merely ends alike is another record",
  a10: "http and https, with and without a slash at the end, are one address",
  a11: "the new addresses of a record that is overwritten are kept",
  a13: "a source that is not known stops nothing",
};

/** What the archive step of the original does, with the keys and claims of ours. */
async function archive(records: MarcRecord[], state: ArchiveState, runId: string, ports: MemoryPorts) {
  const values = (record: MarcRecord, tag: string, code: string) =>
    fieldsOf(record, tag).flatMap((field) => subfieldValuesIn(field, code));
  const documents = records.map((record, index): ConvertedDocument => {
    const urls = [...new Set([...values(record, "856", "u"), ...values(record, "URL", "a")])];
    const hash = recordHash(record);
    const [doi] = values(record, "024", "a");
    return {
      state: "converted",
      requestId: String(index),
      recordId: `${runId}-${index}`,
      sourceId: "source",
      groupId: "Test",
      recordKey: "",
      url: urls[0] ?? "",
      title: values(record, "245", "a")[0] ?? "",
      hash,
      urls,
      archiveKeys: buildArchiveKeys({ urls, hash, doi }, "LIVE"),
      warnings: [],
    };
  });
  const run = { runId, deliveryMode: "LIVE" as const, startedAt: ports.now.toISOString() };
  return (
    await claimDocuments(documents, run, { state, at: ports.now, expiryOf: () => undefined }, ports.archive)
  ).claimed;
}

describe.skipIf(corpus.isAbsent)(
  "the archive's cases of the corpus beside the project (skipped without it)",
  () => {
    it.each(cases.map((each) => [each.id, each.description, each] as const))(
      "%s %s",
      async (id, _what, { steps }) => {
        const ports = new MemoryPorts();
        let rows: Row[] = [];
        for (const [at, step] of steps.entries()) {
          const newState = /delivery_state='(\w+)'/.exec(step.sql ?? "")?.[1] as ArchiveState | undefined;
          if (step.sql?.startsWith("DELETE")) {
            ports.archived.clear();
            rows = [];
          }
          if (newState !== undefined) {
            for (const [key, item] of ports.archived) ports.archived.set(key, { ...item, state: newState });
            rows = rows.map((row) => ({ ...row, delivery_state: newState }));
          }
          const isError = step.op.startsWith("validate");
          const state = isError
            ? "error"
            : ((/state (\w+)/.exec(step.op)?.[1] ?? "automatic") as ArchiveState);
          for (const document of await archive(step.records ?? [], state, `run${at}`, ports)) {
            rows = rows.filter(
              ({ delivery_state }) => delivery_state !== "error" && delivery_state !== "reset",
            );
            const { hash, title = "", urls } = document;
            rows.push({ delivery_state: state, hash, main_title: title, urls });
          }
          if (step.db_after === undefined || id in decided) continue;
          const expected = step.db_after.map(({ delivery_state, hash, main_title, urls }) => ({
            delivery_state,
            hash,
            main_title,
            urls: urls.toSorted(),
          }));
          expect(
            rows.map((row) => ({ ...row, urls: row.urls.toSorted() })),
            `step ${at + 1}`,
          ).toEqual(expected);
        }
        if (id === "a11") expect(rows.map(({ main_title }) => main_title)).toEqual(["Corrected"]);
        if (id === "a13") expect(rows).toHaveLength(1);
      },
    );

    it("every case is there", () => expect(cases.length).toBeGreaterThanOrEqual(8));
  },
);
