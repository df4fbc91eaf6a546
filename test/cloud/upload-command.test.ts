import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { jsonLines, runCommand } from "../local/cli/commands/run-command.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const stateDir = stateFolder();
const folder = temporaryFolder();
const records = join(folder, "theses.xml");
const sourceId = "theses";

const marc = (id: string, title: string) =>
  `<record><leader>00000nam a2200000 i 4500</leader><controlfield tag="001">${id}</controlfield><controlfield tag="008">260101s2026    xx            000 0 eng d</controlfield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${title}</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">https://theses.example/${id}</subfield></datafield></record>`;
writeFileSync(
  records,
  `<collection xmlns="http://www.loc.gov/MARC21/slim">${marc("a", "On tides")}${marc("a", "Twice")}${marc("b", "On ebb")}</collection>`,
);

beforeAll(async () => {
  await testCloud(stateDir);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { demoPapersSource } = await import("../../local/start/seed.ts");
  const { source } = await import("../../shared/records/sources/source.ts");
  const demo = { ...demoPapersSource("https://theses.example/"), deliveryMode: "LIVE", reading: undefined };
  await storeConfiguration([
    source.parse({ ...demo, sourceId, type: "UPLOAD" }),
    source.parse({ ...demo, sourceId: "list" }),
  ]);
});

async function storedDocuments(): Promise<number> {
  const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
  return documentStore().countPresent(sourceId);
}

const upload = (...args: string[]) =>
  runCommand(["upload", ...args, "--source", sourceId, "--state", stateDir]);

describe("npx ingather upload", () => {
  it("--dry-run → what would become of each record, and nothing is stored; without it, the same is done", async () => {
    const outcomes = [
      { type: "document", name: "a", outcome: "new", record: "converted" },
      { name: "a", outcome: "refused", reason: expect.stringMatching(/./) },
      { name: "b", outcome: "new", record: "converted" },
    ];
    const planned = await upload(records, "--dry-run", "--json");
    expect(planned.code).toBe(1);
    const summary = { type: "summary", complete: true, documents: 3, refused: 1 };
    expect(jsonLines(planned.stdout)).toMatchObject([...outcomes, { ...summary, dryRun: true }]);
    expect(await storedDocuments()).toBe(0);

    const done = await upload(records, "--json");
    expect(jsonLines(done.stdout)).toMatchObject([...outcomes, { ...summary, dryRun: false }]);
    expect(await storedDocuments()).toBe(2);

    const { stdout, stderr } = await upload(records, "--dry-run");
    expect(stdout).toMatch(
      /^unchanged document a.*\nrefused .*\nunchanged document b.*\n3 documents, 0 files, 1 refused; nothing is stored \(--dry-run\)\n$/,
    );
    expect(stderr).toMatch(/^upload \S+ is being read\n$/);
  });

  it("stopped while the upload is being read → says that its output is incomplete", async () => {
    const stop = new AbortController();
    const args = ["upload", records, "--source", sourceId, "--state", stateDir, "--dry-run", "--json"];
    stop.abort(new Error("stopped by SIGINT"));
    const { code, stdout } = await runCommand(args, { signal: stop.signal });
    expect([code, jsonLines(stdout).at(-1)]).toEqual([130, { complete: false, reason: "stopped by SIGINT" }]);
  });

  it.each([
    ["no source", [records], 2, /--source/],
    ["another type of file", [join(folder, "theses.pdf"), "--source", sourceId], 2, /FILE: must end with/],
    [
      "a file that does not exist",
      [join(folder, "none.xml"), "--source", sourceId],
      2,
      /FILE: must be a file that exists/,
    ],
    ["a source of another type", [records, "--source", "list"], 1, /400: sourceId: is of the type/],
  ])("%s → refused", async (_title, args, expected, says) => {
    const { code, stderr } = await runCommand(["upload", ...args, "--state", stateDir]);
    expect([code, stderr]).toEqual([expected, expect.stringMatching(says)]);
  });
});
