import { beforeAll, describe, expect, it } from "vitest";
import type { Meter, MeteredUnits } from "../../local/cloud/meter.ts";
import { documentsByChangeIndex, documentsByPendingIndex, tableNames } from "../../shared/names.ts";
import type { ListedDocument } from "../../shared/records/documents/document.ts";
import { type KeepPorts, keepDocuments } from "../../shared/records/documents/keep-documents.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const count = 50;
const units: MeteredUnits[] = [];
let ports: KeepPorts;
let published = 0;

beforeAll(async () => {
  const ignore = () => undefined;
  const meter: Meter = { call: ignore, invocation: ignore, logLine: ignore, units: (one) => units.push(one) };
  await testCloud(stateFolder(), { polling: false, meter });
  const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
  ports = {
    documents: documentStore(),
    events: {
      publish: async () => {
        published += 1;
      },
    },
    requestFiles: async () => undefined,
  };
});

/** A record as repositories have them; its title is longer than most. */
const listed = (number: number, datestamp: string): ListedDocument => ({
  identifier: [`oai:repository.university.example:10.12345/collection.${number}`],
  datestamp,
  sets: ["com_10_1", "col_10_2", "openaire"],
  title: `On the makers of lanterns and of lathes, and on the workshops in which they were taught, part ${number}`,
  content: {
    raw: `<oai_dc:dc>${"a description ".repeat(40)}${number}</oai_dc:dc>`,
    mediaType: "application/xml",
    format: "oai_dc",
    metadata: { title: [String(number)] },
  },
});

/** The write units for each document of a page, by table or index, and its read units. */
async function unitsOf(datestamp: string, listedAt: string): Promise<Record<string, number>> {
  units.length = 0;
  published = 0;
  const documents = Array.from({ length: count }, (_, number) => listed(number, datestamp));
  await keepDocuments({ sourceId: "repository.university.example", listedAt, documents }, ports);
  const sums: Record<string, number> = { events: published };
  for (const { table, index, kind, units: more } of units) {
    const name = kind === "read" ? "read" : (index ?? table);
    sums[name] = (sums[name] ?? 0) + more;
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / count]));
}

describe("what DynamoDB bills for each document of an OAI-PMH page", () => {
  it("new → its item is written twice below 1 KiB, as are its indexes", async () => {
    expect(await unitsOf("2026-04-01T12:00:00Z", "2026-11-20T19:00:00.000Z")).toMatchObject({
      [tableNames.documents]: 2,
      [documentsByChangeIndex]: 1,
      [documentsByPendingIndex]: 2,
      events: 1,
    });
  });

  it("unchanged → nothing is written", async () => {
    const { read, ...written } = await unitsOf("2026-04-01T12:00:00Z", "2026-11-21T19:00:00.000Z");
    expect(written).toEqual({ events: 0 });
    expect(read).toBeLessThanOrEqual(1);
  });
});
