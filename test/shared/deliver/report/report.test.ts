import { describe, expect, it } from "vitest";
import type { ConflictingRecord } from "../../../../shared/deliver/claims/claim.ts";
import type { RunReport } from "../../../../shared/deliver/report/report.ts";
import { buildReportMail } from "../../../../shared/deliver/report/report-mail.ts";
import {
  countDocument,
  countDuplicate,
  countRefused,
  type DocumentProblem,
  newSourceReport,
  type SourceReport,
} from "../../../../shared/deliver/report/source-report.ts";
import type { FileKind } from "../../../../shared/deliver/stage-results/delivery.ts";
import type { RefusedDocument } from "../../../../shared/deliver/stage-results/validate-result.ts";
import { emptyListingResult } from "../../../../shared/harvest/listing/listing-results.ts";
import { failedSourceOutcome } from "../../../../shared/records/runs/run.ts";

const { outcome } = emptyListingResult({ sourceId: "s", title: "Knots" });

const misses = (...first: DocumentProblem[]) => ({ count: first.length, first });

const source: SourceReport = {
  sourceId: "s",
  title: "Knots & <Nets>",
  state: "read",
  entries: 13,
  known: {},
  requested: 3,
  dropped: [],
  converted: 2,
  delivered: 1,
  undelivered: 0,
  read: 3,
  knownToArchive: { waiting: 1, delivered: 2, elsewhere: 4, ignored: 3 },
  duplicates: misses(),
  alike: misses(),
  refusedBefore: misses(),
  onlineFirst: 0,
  released: 0,
  delinquent: misses({ what: "On Twine", url: "https://k.example/twine", reason: "245 is missing" }),
  unusable: misses({ what: "entry 4", url: "", reason: "it has no address" }),
  unreachable: misses(),
  unanswered: 0,
  warnings: misses(),
};

const report: RunReport = {
  run: {
    runId: "live-20261120T190000Z",
    deliveryMode: "LIVE",
    state: "finished",
    startedAt: "2026-11-20T19:00:00.000Z",
    deadlineAt: "2026-11-20T22:00:00.000Z",
  },
  sources: [source],
  files: [],
  waitingFiles: [],
  overdue: [{ sourceId: "o", title: "Late Letters", windowDays: 60 }],
  totals: {
    entries: 13,
    converted: 2,
    delivered: 1,
    undelivered: 0,
    knownToArchive: { waiting: 1, delivered: 2, elsewhere: 4, ignored: 3 },
    onlineFirst: 0,
    delinquent: 1,
    refusedBefore: 0,
    unusable: 1,
    unreachable: 0,
  },
};
const to = {
  to: ["a@b.example"],
  timeZone: "Europe/Berlin",
  filesUrl: "https://f.example/",
};

describe("buildReportMail", () => {
  const refused = (refusedSince?: string): RefusedDocument => ({
    ...{ state: "converted", requestId: "r", sourceId: "s", url: "https://k.example/r", title: "On Rope" },
    ...{ recordId: "r", groupId: "G", hash: "H", urls: [], recordKey: "k", archiveKeys: [], warnings: [] },
    findings: [{ ruleId: "missing-title", tag: "245", reason: "245 is missing", record: "" }],
    ...(refusedSince !== undefined && { refusedSince }),
  });

  it("refused records, some for days → the new ones above, the others with their days", () => {
    const known = newSourceReport(outcome);
    for (const since of [undefined, "2026-11-17T19:00:00.000Z", "2026-11-20T08:00:00.000Z"])
      countRefused(known, refused(since), report.run.startedAt);
    const totals = { ...report.totals, delinquent: 1, refusedBefore: 2 };
    const { subject, text } = buildReportMail({ ...report, sources: [known], totals }, to);
    expect(subject).toBe("Ingather 2026-11-20: 1 record delivered, 1 refused, 2 refused as before");
    expect(text).toContain("1 refused, 2 refused as before");
    const lines = text.split("\n").filter((line) => /Refused|On Rope/.test(line));
    expect(lines).toEqual([
      "    Refused by validation:",
      "      - On Rope <https://k.example/r>: 245 is missing [missing-title]",
      "    Refused by validation, and reported before:",
      "      - On Rope <https://k.example/r>: since 3 days: 245 is missing [missing-title]",
      "      - On Rope <https://k.example/r>: since earlier today: 245 is missing [missing-title]",
    ]);
  });

  it.for<[string, ConflictingRecord | undefined, string]>([
    [
      "delivered before",
      {
        recordId: "x1",
        title: "On Twine",
        url: "https://k.example/t",
        state: "automatic",
        at: "2026-10-01T00:00:00.000Z",
        file: "a.xml",
      },
      'the archive has doi:10.5555/r for record x1 "On Twine" <https://k.example/t>, delivered on 2026-10-01 in a.xml',
    ],
    [
      "excluded",
      { recordId: "x1", title: "On Twine", state: "ignore" },
      'the archive has doi:10.5555/r for record x1 "On Twine", ignored by an operator',
    ],
    ["of this run", { recordId: "x1", isOfThisRun: true }, "doi:10.5555/r is that of record x1 of this run"],
    [
      "of another run",
      { recordId: "x1" },
      "the archive has doi:10.5555/r for record x1, claimed by another run",
    ],
    ["gone", undefined, "the archive has doi:10.5555/r for another record"],
  ])("a duplicate of a record that is %s → named", ([, conflictingRecord, reason]) => {
    const known = newSourceReport(outcome);
    const { findings: _none, ...document } = refused();
    countDuplicate(known, {
      ...document,
      conflictingKey: "doi:10.5555/r",
      ...(conflictingRecord && { conflictingRecord }),
    });
    expect(known.duplicates.first).toEqual([{ what: "On Rope", url: "https://k.example/r", reason }]);
  });

  const silent = (title: string) =>
    newSourceReport(
      failedSourceOutcome({ sourceId: title, title }, "no answer (dns) after 2 attempts: ENOTFOUND", {
        isUnreachable: true,
      }),
    );
  const page = {
    ...newSourceReport(outcome),
    read: 1,
    unreachable: misses({ what: "p", url: "", reason: "no answer" }),
  };

  it.for<[string, SourceReport[], boolean]>([
    ["no feed answers", [silent("A"), silent("B"), silent("C")], true],
    ["neither a feed nor a page answers", [silent("A"), silent("B"), silent("C"), page], true],
    ["two feeds do not answer", [silent("A"), silent("B")], false],
    ["one of many answers", [silent("A"), silent("B"), silent("C"), source], false],
  ])("%s → our own network is blamed once, or not at all", ([, sources, isOutage]) => {
    const { subject, text, html } = buildReportMail({ ...report, sources }, to);
    expect(subject.endsWith(", our own network was down")).toBe(isOutage);
    for (const body of [text, html]) {
      expect(/Our own network was probably down: none of \d sources could be reached/.test(body)).toBe(
        isOutage,
      );
      expect(body.match(/ENOTFOUND/g)).toHaveLength(
        isOutage ? 1 : sources.filter(({ state }) => state === "failed").length,
      );
    }
  });

  it("states what was delivered, and the reason of everything else, in text and HTML alike", () => {
    const { subject, text, html } = buildReportMail(report, to);
    expect(subject).toBe("Ingather 2026-11-20: 1 record delivered, 1 refused");
    for (const body of [text, html]) {
      expect(body).toMatch(
        /13 listed, 2 delivered before, 1 still waiting as online-first, 3 ignored by an operator, 4 delivered elsewhere, 2 converted, 1 dropped, 1 refused, 1 delivered/,
      );
      expect(body).toMatch(/On Twine.*245 is missing/);
      expect(body).toMatch(/entry 4.*it has no address/);
      expect(body).toMatch(/Late Letters.*never delivered, expected every 60 days/);
    }
    expect(html).toContain("Knots &amp; &lt;Nets&gt;");
    expect(html).not.toContain("<Nets>");
  });

  it("641 journals with every kind of problem → all are reported, in a mail that SES takes", () => {
    const many = {
      count: 5000,
      first: Array.from({ length: 100 }, (_, at) => ({
        what: `${at} ${"very ".repeat(200)}long title`,
        url: `https://k.example/${"x".repeat(4000)}`,
        reason: "because ".repeat(500),
      })),
    };
    const sources = Array.from({ length: 641 }, (_, at) => ({
      ...source,
      title: `Journal ${at}`,
      delinquent: many,
      unusable: many,
      unreachable: many,
      warnings: many,
    }));
    const { text, html } = buildReportMail({ ...report, sources }, to);
    expect(text.length + html.length).toBeLessThan(4_000_000);
    for (const body of [text, html]) {
      expect(body).toContain("Journal 640");
      expect(body).toMatch(/… and 4999 more/);
    }
  });

  it("titles and reasons with line breaks, or cut within a character → a line each, of whole characters", () => {
    const miss = { what: "On\nSOURCES", url: "", reason: `${"x".repeat(298)}😀😀` };
    const failed = { ...source, title: "Nets\r\n", state: "failed" as const, reason: "no\n  answer" };
    const { text } = buildReportMail(
      { ...report, sources: [failed, { ...source, unusable: misses(miss) }] },
      to,
    );
    expect(text).toContain("  Nets : FAILED: no   answer\n");
    expect(text).toMatch(/- On SOURCES: x{200}…x+(😀)*\n/);
  });

  it("files of all kinds → each with its link and what it holds", () => {
    const file = (kind: FileKind, fileName: string) => ({
      kind,
      groupId: "G",
      fileName,
      key: `g/${fileName}`,
      documents: { keys: [], count: 2 },
      deliveredAt: "2026-11-20T20:00:00.000Z",
    });
    const moved = { ...file("valid", "G_2.xml"), remarks: ["x.tmp may be left"] };
    const files = [file("valid", "G_1.xml"), moved, file("delinquent", "G_1_errors.xml")];
    const { kind, groupId, key, documents } = file("valid", "G_3.xml");
    const waitingFiles = [{ kind, groupId, key, documents, fileName: "G_3.xml" }];
    const { text, html } = buildReportMail({ ...report, files, waitingFiles }, to);
    expect(text).toMatch(/g\/G_1\.xml: 2 records\n {4}https:\/\/f\.example\/g\/G_1\.xml\n/);
    expect(html).toContain('<a href="https://f.example/g/G_1_errors.xml.log">');
    for (const body of [text, html]) {
      expect(body).toContain("2 records. Note: x.tmp may be left");
      expect(body).toContain("https://f.example/g/G_1_errors.xml.log");
      expect(body).toContain("g/G_3.xml: 2 records, not delivered yet");
    }
    expect(html).toContain(
      '<a href="https://f.example/g/G_1_errors.xml">g/G_1_errors.xml</a>: 2 records, refused',
    );
  });

  it("the same run and state → the same id; another state, another failure → another", () => {
    const failedAt = (at: string) => {
      const failure = { stage: "upload", reason: "the bucket is full", at };
      return { ...report, run: { ...report.run, state: "failed" as const, failure } };
    };
    const times = ["2026-11-20T20:00:00.000Z", "2026-11-21T20:00:00.000Z"];
    expect([report, ...times.map(failedAt)].map((each) => buildReportMail(each, to).id)).toEqual([
      "live-20261120T190000Z.finished",
      "live-20261120T190000Z.failed.upload.20261120T200000000Z",
      "live-20261120T190000Z.failed.upload.20261121T200000000Z",
    ]);
  });

  it("a duplicate → the reason names the key of the other record", () => {
    const duplicates = misses({
      what: "On Rope",
      url: "",
      reason: "the archive has doi:10.5555/a for another",
    });
    const { text, html } = buildReportMail({ ...report, sources: [{ ...source, duplicates }] }, to);
    for (const body of [text, html]) expect(body).toMatch(/On Rope: the archive has doi:10\.5555\/a/);
  });

  it("overdue sources not checked yet → says so, and not that there are none", () => {
    const { overdue: _none, ...unchecked } = report;
    for (const body of [buildReportMail(unchecked, to).text, buildReportMail(unchecked, to).html])
      expect(body).toMatch(/overdue.*Not checked yet/is);
  });

  it("an overdue source that the run has read → named by the title that the run gives it", () => {
    const overdue = [{ sourceId: source.sourceId, title: "https://k.example/feed", windowDays: 60 }];
    const { text } = buildReportMail({ ...report, overdue }, to);
    expect(text).toContain("Knots & <Nets>: never delivered");
    expect(text).not.toContain("https://k.example/feed");
  });

  it("failed sources are in the subject and in both bodies", () => {
    const failed = { ...source, state: "failed" as const, reason: "the feed answered 500" };
    const { subject, text, html } = buildReportMail({ ...report, sources: [failed, source] }, to);
    expect(subject).toBe("Ingather 2026-11-20: 1 record delivered, 1 refused, 1 source failed");
    for (const body of [text, html]) expect(body).toMatch(/failed.*the feed answered 500/i);
  });

  it("a pipeline that stopped → the subject says where, the bodies why", () => {
    const failure = { stage: "upload", reason: "the bucket is full", at: "2026-11-20T20:00:00.000Z" };
    const { subject, text, html } = buildReportMail(
      { ...report, run: { ...report.run, state: "failed", failure } },
      to,
    );
    expect(subject).toBe("Ingather 2026-11-20: delivery FAILED at upload");
    for (const body of [text, html]) expect(body).toMatch(/the bucket is full/);
  });
});

describe("countDocument", () => {
  it("known when it was read → counted with the known entries of its list, by reason", () => {
    const counted = newSourceReport({ ...source, known: { delivered: 1, waiting: 1 } });
    const document = { state: "known", requestId: "r", sourceId: "s", url: "https://k.example/1" } as const;
    for (const as of ["waiting", "ignored"] as const) countDocument(counted, { ...document, as });
    expect(counted.knownToArchive).toEqual({ delivered: 1, waiting: 2, ignored: 1 });
  });
});
