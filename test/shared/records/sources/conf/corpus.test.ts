import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportIni } from "../../../../../shared/records/sources/conf/export-ini.ts";
import { importConfiguration } from "../../../../../shared/records/sources/conf/import-configuration.ts";
import { importIni } from "../../../../../shared/records/sources/conf/import-ini.ts";
import { isCompleted, summarizeImport } from "../../../../../shared/records/sources/conf/import-summary.ts";
import { readLicenceMap } from "../../../../../shared/records/sources/licence.ts";
import { corpusFolder } from "../../../../corpus.ts";
import { MemoryConfiguration } from "../memory-configuration.ts";

const corpus = join(corpusFolder, "zotero");
const isAbsent = !existsSync(corpus);

interface ConfigCase {
  id: string;
  description: string;
  head_substitutions: [string, string][];
  journal_section_name: string;
  journal_section: string[];
  exit: 0 | 1;
  messages: string[];
}

const cases = isAbsent ? [] : (JSON.parse(read("config_cases.json")) as ConfigCase[]);

const damagedTitle =
  "Neotestamentica : annual publication of Die Nuwe-Testamentiese Werkgemeenskap van Suid-Afrika";

/** What the original wraps around its messages: a file name, an error number, a second wording of the same. */
function core(message: string): string {
  return message
    .replace(/ \(last errno error code: .*/, "")
    .replace(/^caught exception: in \S+: /, "")
    .replace(/ on line \d+ in file .*/, "")
    .replace(/(failed to compile pattern: "[^"]*").*/, "$1");
}

describe.skipIf(isAbsent)("the reference configurations (skipped where their corpus is absent)", () => {
  it.for(cases)("$id: $description → the same verdict and messages", async (one) => {
    const store = new MemoryConfiguration();
    const options = {
      dryRun: false,
      allowRemovals: false,
      isStrict: true,
      by: "a test",
      now: () => new Date(),
    };
    const outcome = await importConfiguration(
      { ini: textOf(one), files: {} },
      { configuration: store, leases: store.leases, quality: store.quality },
      options,
    );
    if (!isCompleted(outcome)) throw new Error("nobody else imports");
    const imported = summarizeImport(outcome);
    expect(imported.type).toBe(one.exit === 0 ? "imported" : "refused");
    expect(store.stored.size > 0).toBe(one.exit === 0);
    const said = [...imported.warnings, ...(imported.problems ?? []).map(({ message }) => message)];
    for (const message of one.messages) expect(said.join("\n")).toContain(core(message));
  });

  it("the live file → 641 sources, and a warning for each that has no ISSN", () => {
    const imported = importIni(read("live/zotero_harvester.conf"));
    const withoutIssn = [
      "Index to the study of religions : a cross-searchable database",
      "Revue des études juives",
    ];
    expect(imported).toMatchObject({
      type: "imported",
      warnings: withoutIssn.map((title) =>
        expect.stringMatching(`^in section "${title}.*every article will be dropped`),
      ),
    });
    expect(imported.type === "imported" && imported.sources.length).toBe(641);
  });

  it.each<[string, (section: string) => string, string[]]>([
    ["a bad type, a bad expression and an empty value", broken, [damagedTitle]],
    ["no end of its header", (section) => section.replace("]", ""), [damagedTitle]],
    ["no header", (section) => section.slice(section.indexOf("\n") + 1), ["Teaching theology and religion"]],
    ["an id that is not a number", (section) => section.replace("= 755", "= 7x55"), [damagedTitle]],
    [
      "the id of the journal before it",
      (section) => section.replace("= 755", "= 1118"),
      ["Teaching theology and religion", damagedTitle],
    ],
  ])(
    "the live file with a journal that has %s → no stored journal changes or goes, %j",
    async (_what, damage, titles) => {
      const store = new MemoryConfiguration();
      const ports = { configuration: store, leases: store.leases, quality: store.quality };
      const options = {
        dryRun: false,
        allowRemovals: false,
        isStrict: false,
        by: "a test",
        now: () => new Date(),
      };
      const ini = read("live/zotero_harvester.conf");
      await importConfiguration({ ini, files: {} }, ports, options);
      const start = ini.indexOf(`[${damagedTitle}]`);
      const end = ini.indexOf("\n[", start);
      const damaged = ini.slice(0, start) + damage(ini.slice(start, end)) + ini.slice(end);
      const outcome = await importConfiguration({ ini: damaged, files: {} }, ports, options);
      expect(outcome).toMatchObject({ type: "imported", changes: [] });
      expect(outcome.type === "imported" && outcome.unusable.map(({ title }) => title)).toEqual(titles);
      expect(store.stored.size).toBe(644);
    },
  );

  it("the live map of licences → every line read", () => {
    const map = readLicenceMap(read("live/ISSN_to_licence.map"));
    if (map.type === "refused") throw new Error(map.problem);
    expect(Object.keys(map.licences).length).toBeGreaterThan(300);
    expect(new Set(Object.values(map.licences))).toEqual(new Set(["LF"]));
  });

  it("the live file, exported and imported again → the same configuration", () => {
    const imported = importIni(read("live/zotero_harvester.conf"));
    if (imported.type === "refused") throw new Error("the live file is refused");
    expect(importIni(exportIni(imported))).toEqual(imported);
  });
});

function broken(section: string): string {
  return `${section.replace("= RSS", "= FEED")}\nexclude_if_marc_field_245a = (\ntiefp =`;
}

function read(path: string): string {
  return readFileSync(join(corpus, path), "utf8");
}

function textOf(one: ConfigCase): string {
  let head = read("base_head.ini");
  for (const [from, to] of one.head_substitutions) head = head.replace(from, to);
  return `${head}\n[${one.journal_section_name}]\n${one.journal_section.join("\n")}`;
}
