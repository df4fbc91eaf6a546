import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";
import { openCorpus } from "../../../corpus.ts";
import { listen } from "../../../listen.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const corpus = openCorpus("zotero");

interface ExpectedRecord {
  leader: string;
  control: Record<string, string>;
  fields: DataField[];
  hash: string;
}

interface ConversionCase {
  id: string;
  description: string;
  journal: string;
  harvested_url: string;
  config_overlay_journal_section: string[];
  config_global_extra: string[];
  config_group_extra: string[];
  config_head_substitutions: [string, string][];
  mock_gnd_lookup: Record<string, string>;
  mock_tika: { by_substring: Record<string, string>; default: string };
  translation_server_response: unknown[];
  expected: { records: ExpectedRecord[]; counters?: Record<string, number> };
}

interface ConfigCase {
  id: string;
  description: string;
  head_substitutions: [string, string][];
  journal_section_name: string;
  journal_section: string[];
  records: ExpectedRecord[];
}

/** What the original counts, and why we drop. */
const counters: Record<string, RegExp> = {
  skipped_undesired_item_type: /^dropped: webpage: /gm,
  skipped_online_first: /^dropped: online-first: /gm,
  skipped_early_view: /^dropped: early-view: /gm,
  skipped_exclusion_filter: /^dropped: excluded-(item|record): /gm,
};

/** Cases whose record differs on purpose, with the reason. */
const exceptions: Record<string, { reason: string; urls: string[] }> = {
  r11: {
    reason:
      "month names of any known language are read: the original drops a German date of an English article",
    urls: [
      "https://doi.org/10.3366/sch.2020.0019",
      "https://www.euppublishing.com/doi/abs/10.3366/sch.2020.0019",
    ],
  },
  r19: {
    reason:
      "the year of a date without a format counts: dropped as online-first now, where the original dropped it for its date",
    urls: [],
  },
  s13: {
    reason: "the year of a date without a format counts: the original drops the article",
    urls: ["https://doi.org/10.1234/abc.1", "https://example.org/article/1"],
  },
  s78: {
    reason: "a DOI that is given as a URL is normalised before 856 is built from it",
    urls: ["https://doi.org/10.1234/abc.1", "https://example.org/article/1"],
  },
};

const conversionCases = corpus.isAbsent
  ? []
  : corpus
      .filesIn("conversion")
      .map((name) => JSON.parse(corpus.text(`conversion/${name}`)) as ConversionCase);

/** A configuration that is accepted converts the item of the plainest conversion. */
function configCases(): ConversionCase[] {
  const plainest = conversionCases.find(({ id }) => id === "s01");
  if (!plainest) return [];
  return (JSON.parse(corpus.text("config_cases.json")) as ConfigCase[])
    .filter(({ records }) => records.length > 0)
    .map((one) => ({
      ...plainest,
      id: one.id,
      description: one.description,
      journal: one.journal_section_name,
      config_overlay_journal_section: one.journal_section,
      config_head_substitutions: one.head_substitutions,
      expected: { records: one.records },
    }));
}

const cases = [...conversionCases, ...configCases()];
const folder = temporaryFolder();
let current: ConversionCase | undefined;
let origin = "";

/** The authority file and the Tika server of the current case. */
const answerForCase: RequestListener = async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", origin);
  if (pathname === "/language/string") {
    const given = await text(request);
    const [, code] =
      Object.entries(current?.mock_tika.by_substring ?? {}).find(([part]) => given.includes(part)) ?? [];
    response.end(code ?? current?.mock_tika.default);
  } else {
    const number = current?.mock_gnd_lookup[searchParams.get("q") ?? ""];
    response.end(
      number === undefined
        ? "<p>no hits</p>"
        : `<a href="http://d-nb.info/gnd/${number}">http://d-nb.info/gnd/${number}</a>`,
    );
  }
};
const server = createServer(answerForCase);

beforeAll(async () => {
  // The year of the reference run; the clock continues, as the gate waits by it.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00Z"), shouldAdvanceTime: true });
  origin = await listen(server);
});
afterAll(() => {
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

describe.skipIf(corpus.isAbsent)("the reference conversions (skipped where their corpus is absent)", () => {
  it.for(cases.filter(({ id }) => !(id in exceptions)))(
    "$id: $description → the same records and hashes",
    async (one) => {
      const { records, stderr, code } = await convert(one);
      expect(records.map(comparable)).toEqual(
        one.expected.records.map(({ control, ...record }) =>
          comparable({ ...record, control: Object.entries(control) }),
        ),
      );
      for (const [counter, line] of Object.entries(counters)) {
        expect(stderr.match(line)?.length ?? 0, counter).toBe(one.expected.counters?.[counter] ?? 0);
      }
      expect(code).toBe(stderr.includes("dropped: ") ? 1 : 0);
    },
  );

  it.for(cases.filter(({ id }) => id in exceptions))(
    "$id: $description → better, as decided",
    async (one) => {
      const { records } = await convert(one);
      const urls = records.flatMap(({ fields }) => fields.filter(([tag]) => tag === "856"));
      expect(urls.map(([, , subfields]) => subfields[0]?.[1]).toSorted()).toEqual(exceptions[one.id]?.urls);
    },
  );
});

type PrintedRecord = MarcRecord & { hash: string };

async function convert(one: ConversionCase) {
  current = one;
  const items = join(folder, `${one.id}.json`);
  const config = join(folder, `${one.id}.conf`);
  writeFileSync(items, JSON.stringify(one.translation_server_response));
  writeFileSync(config, configurationOf(one));
  const result = await runCommand([
    ...["convert", items, "--config", config, "--source", one.journal, "--maps", corpus.path("live")],
    ...["--url", one.harvested_url, "--format", "json", "--tika", origin, "--allow-private"],
  ]);
  const records = jsonLines(result.stdout) as PrintedRecord[];
  return { ...result, records };
}

function configurationOf(one: ConversionCase): string {
  let head = corpus.text("base_head.ini");
  for (const [from, to] of one.config_head_substitutions) head = head.replace(from, to);
  head = head.replaceAll("http://127.0.0.1:8088", origin);
  head = head.replace("[IxTheo]", `${one.config_global_extra.join("\n")}\ncurrent_year_if_undated\n[IxTheo]`);
  for (const group of ["[IxTheo]", "[KrimDok]"])
    head = head.replace(group, `${group}\n${one.config_group_extra.join("\n")}`);
  return `${head}\n[${one.journal}]\n${one.config_overlay_journal_section.join("\n")}`;
}

/** Fields of the same tag in any order, and the day of the reference run in 001. */
function comparable({ leader, control, fields, hash }: PrintedRecord) {
  return {
    leader,
    control: control.map(([tag, value]) => [tag, value.replace("{YYYY-MM-DD of run}", "2026-11-20")]),
    fields: fields.map((field) => JSON.stringify(field)).toSorted(),
    hash,
  };
}
