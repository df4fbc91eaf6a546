import { describe, expect, it } from "vitest";
import {
  describeCheckup,
  worstSeverity,
} from "../../../../shared/harvest/repository-check/describe-checkup.ts";
import { findingKinds } from "../../../../shared/harvest/repository-check/finding-kinds.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { openCorpus } from "../../../corpus.ts";
import { errorPage, type Script } from "../../../local/cli/harvest/scripted-repository.ts";
import { identityWith, modelRepository, mods, oaiDc } from "./model-repository.ts";
import { runCheckup } from "./run-checkup.ts";

const report = (script: Script, asked?: Parameters<typeof runCheckup>[1]) =>
  describeCheckup(runCheckup(script, asked), { groupId: "G" });

const idsOf = (script: Script, asked?: Parameters<typeof runCheckup>[1]) =>
  report(script, asked)
    .findings.map(({ id }) => id)
    .sort();

const isList = ({ verb }: Readonly<Record<string, string>>) => verb === "ListRecords";

/** Ten repositories, each with sins of its own. */
const repositories: [string, Script, string[]][] = [
  [
    "says little and wrong of itself",
    modelRepository({
      identify: identityWith({
        baseURL: "http://other.example/oai",
        protocolVersion: "1.1",
        adminEmail: "nobody",
        earliestDatestamp: "2026-04-10",
        deletedRecord: "maybe",
        granularity: "YYYY",
      }),
    }),
    [
      "admin-email",
      "base-url",
      "deleted-record-value",
      "earliest-datestamp",
      "granularity-value",
      "protocol-version",
      // Of no granularity that is one.
      "datestamp-granularity",
    ],
  ],
  [
    "has no Identify, no oai_dc, and sets that no header names",
    modelRepository({
      formats: mods,
      setSpec: "other",
      instead: ({ verb }) => (verb === "Identify" ? errorPage("badVerb") : undefined),
    }),
    ["identify-unusable", "no-oai-dc", "prefix-unknown"],
  ],
  [
    "ignores from and until, and days are in no order",
    modelRepository({
      datestamp: (n) => `2026-04-${String(28 - n).padStart(2, "0")}T08:00:00Z`,
      instead: (args, nth, right) =>
        args.from === undefined
          ? right()
          : (modelRepository({ datestamp: (n) => `2026-04-${String(28 - n).padStart(2, "0")}T08:00:00Z` })(
              { verb: "ListRecords", metadataPrefix: "oai_dc" },
              nth,
            ) as string),
    }),
    ["datestamp-order", "window-ignored"],
  ],
  [
    "refuses from and until, and announces too much",
    modelRepository({
      announced: (count) => count + 7,
      instead: ({ from }) => (from === undefined ? undefined : errorPage("badArgument")),
    }),
    ["size-too-large", "window-refused"],
  ],
  [
    "takes days alone although it says seconds, and announces too little",
    modelRepository({
      announced: () => 5,
      instead: ({ from }) => (from?.includes("T") ? errorPage("badArgument") : undefined),
    }),
    ["seconds-refused", "size-too-small"],
  ],
  [
    "repeats its records, takes any token, and a token only once",
    modelRepository({
      announced: () => undefined,
      instead: (args, nth, right) => {
        const { resumptionToken, ...others } = args;
        if (resumptionToken === undefined) return undefined;
        const isLast = resumptionToken.endsWith("|10");
        if (isLast && nth > 1) return errorPage("badResumptionToken");
        const first = { ...others, metadataPrefix: "oai_dc" };
        const repeated = () => String(modelRepository({ records: 2 })(first, 1));
        return isLast || resumptionToken === "ingather-invented" ? repeated() : right();
      },
    }),
    ["datestamp-order", "list-repeats", "size-missing", "token-not-repeatable", "token-unchecked"],
  ],
  [
    "keeps no deleted records, but has some, with datestamps of the future or none",
    modelRepository({
      identify: identityWith({ deletedRecord: "no" }),
      deleted: [1, 2],
      datestamp: (n) => (n === 0 ? "2026-04-01T08:00:00Z" : n === 3 ? "yesterday" : "2031-01-01T00:00:00Z"),
    }),
    ["datestamp-future", "datestamp-invalid", "deletions-not-kept", "tombstones-undeclared"],
  ],
  [
    "has neither GetRecord nor ListIdentifiers, and takes any argument",
    modelRepository({
      instead: ({ verb, metadataPrefix, resumptionToken }, _nth, right) => {
        if (verb === "GetRecord" || verb === "ListIdentifiers") return errorPage("badVerb");
        const isBare = isList({ verb: verb ?? "" }) && (metadataPrefix ?? resumptionToken) === undefined;
        return isBare ? errorPage("noRecordsMatch") : right();
      },
    }),
    ["bad-argument-accepted", "get-record-fails", "get-record-invents", "list-identifiers-fails"],
  ],
  [
    "sends broken XML in a wrong encoding, moved, as text/html and with 404",
    modelRepository({
      instead: ({ verb, identifier }, _nth, right) => {
        if (verb === "ListSets") return { body: "<OAI-PMH><ListSets/></OAI-PMH>" };
        if (verb === "ListMetadataFormats") return { body: "<html><body>Wait</body></html>" };
        if (verb === "ListIdentifiers") return { body: right().slice(0, -40) };
        if (verb === "GetRecord")
          return identifier?.includes("invented")
            ? { status: 404, body: right() }
            : { body: Buffer.from(right().replace("T0", "Caf\u00e9"), "latin1") };
        if (verb === "Identify")
          return { body: right().replace("Model", "A & B\u0001"), headers: { "content-type": "text/html" } };
        return { body: right(), headers: { location: "https://new.example/oai?verb=x" } };
      },
    }),
    [
      "content-type",
      "encoding-wrong",
      "http-status",
      "list-identifiers-fails",
      "namespace-wrong",
      "not-oai-pmh",
      "redirected",
      "xml-malformed",
      "xml-repaired",
    ],
  ],
  [
    "loses its tokens, and asks for pauses",
    modelRepository({
      instead: ({ resumptionToken, verb }) => {
        if (verb === "ListSets") return { status: 503, headers: { "retry-after": "60" }, body: "busy" };
        return resumptionToken === undefined ? undefined : errorPage("badResumptionToken");
      },
    }),
    ["busy", "list-broken", "token-expired"],
  ],
];

describe("a check of a repository", () => {
  it("without fault → no finding, and nothing but the prefix is proposed", () => {
    const { findings, complete, list, metadata, proposal } = report(modelRepository());
    expect(findings).toEqual([]);
    expect({ complete, list }).toEqual({
      complete: true,
      list: { pages: 3, records: 12, deleted: 0, announced: 12, whole: true },
    });
    const [dc] = metadata;
    expect(dc?.fields.map(({ records }) => records)).toEqual(Array(8).fill(12));
    expect(proposal?.source.oai).toEqual({ metadataPrefix: "oai_dc" });
    expect(proposal?.reasons).toEqual([]);
  });

  it.each(repositories)("that %s → its findings", (_name, script, expected) => {
    expect(idsOf(script)).toEqual([...expected].sort());
  });

  it("a set that no header names → said", () => {
    expect(idsOf(modelRepository({ setSpec: "other" }), { set: "s" })).toEqual(["set-not-in-header"]);
    expect(idsOf(modelRepository({ setSpec: "x" }), { set: "x" })).toEqual(["set-unknown"]);
  });

  it("no usable response to four requests → the check stops, and is not complete", () => {
    const { complete, reason, requests } = report(() => ({ status: 500, body: "" }));
    expect({ complete, requests, reason }).toEqual({
      complete: false,
      requests: 4,
      reason: "https://r.example/oai?verb=ListRecords&metadataPrefix=oai_dc answered 500",
    });
  });

  it.each<[string, Script]>([
    ["answers with errors", () => ({ status: 503, body: "" })],
    [
      "is a page",
      () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Hello</html>" }),
    ],
  ])("an address that %s → no source is proposed", (_name, script) => {
    const { proposal, findings } = report(script);
    expect(proposal).toBeUndefined();
    expect(findings.length).toBeGreaterThan(0);
  });

  it("a repository that lists records without Identify → a source is proposed", () => {
    const script = modelRepository({
      instead: ({ verb }) => (verb === "Identify" ? { status: 500, body: "" } : undefined),
    });
    expect(report(script).proposal?.source.type).toBe("OAI-PMH");
  });

  it("a list that begins again → its records are counted once", () => {
    let isLost = true;
    const script = modelRepository({
      instead: ({ resumptionToken }) => {
        if (!isLost || !resumptionToken?.endsWith("|10")) return undefined;
        isLost = false;
        return errorPage("badResumptionToken");
      },
    });
    const { list, findings } = report(script, { pages: 9 });
    expect(list).toMatchObject({ records: 12, whole: true });
    expect(findings.map(({ id }) => id)).toEqual(["token-expired"]);
  });

  it("a list longer than the pages of the check → read in part, and not called short", () => {
    const { list, findings } = report(modelRepository({ records: 100 }), { pages: 2 });
    expect(list).toEqual({ pages: 2, records: 10, deleted: 0, announced: 100, whole: false });
    expect(findings).toEqual([]);
  });

  it.each<[string, Script, object]>([
    ["a richer format", modelRepository({ formats: `${oaiDc}${mods}` }), { oai: { metadataPrefix: "mods" } }],
    [
      "a long list without deleted records",
      modelRepository({ announced: () => 9_000, identify: identityWith({ deletedRecord: "no" }) }),
      { oai: { metadataPrefix: "oai_dc", reconcileBy: "identifiers" } },
    ],
    [
      "a list that breaks",
      repositories.at(-1)?.[1] as Script,
      { oai: { metadataPrefix: "oai_dc", slice: "month" }, throttleMs: 5_000 },
    ],
    [
      "no changes alone",
      modelRepository({
        identify: identityWith({ deletedRecord: "no" }),
        instead: ({ from }) => (from === undefined ? undefined : errorPage("noRecordsMatch")),
      }),
      { oai: { metadataPrefix: "oai_dc", fullHarvestDays: 1 } },
    ],
  ])("%s → the settings that suit it, which a source takes", (_name, script, expected) => {
    const { proposal } = report(script);
    expect(proposal?.source).toMatchObject(expected);
    expect(proposal?.source.oai).toEqual((expected as { oai: object }).oai);
    expect(source.strict().parse(proposal?.source).type).toBe("OAI-PMH");
  });

  it("texts of a megabyte in every place → a state that DynamoDB takes", () => {
    const long = "x".repeat(1_000_000);
    const script = modelRepository({
      identify: identityWith({
        repositoryName: long,
        adminEmail: long,
        earliestDatestamp: long,
        granularity: long,
      }),
      formats: `${oaiDc}${oaiDc.replaceAll("oai_dc", long)}`,
      datestamp: (n) => (n % 2 === 0 ? long : "2026-04-01T08:00:00Z"),
      instead: ({ verb, resumptionToken }, _nth, right) => {
        if (verb === "ListRecords" && resumptionToken !== undefined)
          return errorPage("badArgument").replace("said so", long);
        return verb === "ListIdentifiers"
          ? right().replaceAll("oai:r:", long)
          : right().replace("oai:r:3<", `${long}<`);
      },
    });
    const checkup = runCheckup(script);
    expect(checkup.end?.type).toBe("finished");
    expect(JSON.stringify(checkup).length).toBeLessThan(100_000);
  });

  it("each kind of finding has its texts in both languages, and a section", () => {
    for (const { section, rule, effect } of Object.values(findingKinds)) {
      expect(section).toMatch(/^https:\/\//);
      for (const text of [rule.en, rule.de, effect.en, effect.de]) expect(text).toMatch(/\S.*\.$/);
    }
  });
});

const corpus = openCorpus("oai");

/** The verb of a recorded response. */
const verbOf = (text: string) =>
  /<(Identify|ListMetadataFormats|ListSets|GetRecord|ListIdentifiers|ListRecords)[\s>/]/.exec(text)?.[1];

describe.skipIf(corpus.isAbsent)("recorded responses (skipped where the corpus is absent)", () => {
  const files = corpus.isAbsent ? [] : corpus.filesIn().filter((file) => file.endsWith(".xml"));

  it.each(files)("%s in place of the response to its verb → the check ends, and is JSON", (file) => {
    const text = corpus.text(file);
    const verb = verbOf(text) ?? "ListRecords";
    const script = modelRepository({
      instead: (args) => (args.verb === verb ? { body: corpus.bytes(file) } : undefined),
    });
    const checkup = runCheckup(script);
    const described = describeCheckup(checkup, { groupId: "G" });
    expect(checkup.end).toBeDefined();
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    const isProposed = checkup.identity !== undefined || described.list.records > 0;
    expect(source.strict().safeParse(described.proposal?.source).success).toBe(isProposed);
    const ids = described.findings.map(({ id }) => id);
    const isRecorded = text.includes("<responseDate>") && verb === "Identify";
    if (isRecorded) expect(ids.length, ids.join()).toBeGreaterThan(0);
    if (/sickle_ListRecordsBroken|krikri_oai_deleted|pyoai_fake3/.test(file))
      expect(ids).toContain("xml-malformed");
    if (file.startsWith("pyoai_fake4")) expect(ids).toContain("xml-repaired");
    if (/error|badArgument|badResumption|cannotDiss|natlibfi_03/.test(file))
      expect(worstSeverity(checkup)).toBe("error");
  });
});
