import { describe, expect, it } from "vitest";
import type { RunReport } from "../../../shared/delivery/report.ts";
import { reportMail } from "../../../shared/delivery/report-mail.ts";
import type { Miss, SourceReport } from "../../../shared/delivery/source-report.ts";

const misses = (...first: Miss[]) => ({ count: first.length, first });

const source: SourceReport = {
  sourceId: "s",
  title: "Knots & <Nets>",
  state: "read",
  entries: 4,
  known: 1,
  requested: 3,
  dropped: [],
  converted: 2,
  delivered: 1,
  read: 3,
  alreadyDelivered: 1,
  duplicates: 0,
  onlineFirst: 0,
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
  overdue: [{ sourceId: "o", title: "Late Letters", windowDays: 60 }],
  totals: {
    entries: 4,
    converted: 2,
    delivered: 1,
    alreadyDelivered: 1,
    onlineFirst: 0,
    delinquent: 1,
    unusable: 1,
    unreachable: 0,
  },
};
const to = {
  to: ["a@b.example"],
  domain: "b.example",
  timeZone: "Europe/Berlin",
  filesUrl: "https://f.example/",
};

describe("reportMail", () => {
  it("tells what was delivered, and of all else the reason, in text and html alike", () => {
    const { subject, text, html } = reportMail(report, to);
    expect(subject).toBe("Ingather 2026-11-20: 1 record delivered");
    for (const body of [text, html]) {
      expect(body).toMatch(
        /4 listed, 1 already delivered, 2 converted, 1 dropped, 1 delinquent, 1 delivered/,
      );
      expect(body).toMatch(/On Twine.*245 is missing/);
      expect(body).toMatch(/entry 4.*it has no address/);
      expect(body).toMatch(/Late Letters.*never delivered, expected every 60 days/);
    }
    expect(html).toContain("Knots &amp; &lt;Nets&gt;");
    expect(html).not.toContain("<Nets>");
  });

  it("the same run and state → the same Message-ID; another state → another", () => {
    const { messageId } = reportMail(report, to);
    expect(messageId).toBe("<live-20261120T190000Z.finished@b.example>");
    const failed = { ...report, run: { ...report.run, state: "failed" as const } };
    expect(reportMail(failed, to).messageId).not.toBe(messageId);
  });

  it("failed sources are in the subject and in both bodies", () => {
    const failed = { ...source, state: "failed" as const, reason: "the feed answered 500" };
    const { subject, text, html } = reportMail({ ...report, sources: [failed, source] }, to);
    expect(subject).toBe("Ingather 2026-11-20: 1 record delivered, 1 source failed");
    for (const body of [text, html]) expect(body).toMatch(/failed.*the feed answered 500/i);
  });

  it("a pipeline that stopped → the subject says where, the bodies why", () => {
    const failure = { stage: "upload", reason: "the bucket is full" };
    const { subject, text, html } = reportMail(
      { ...report, run: { ...report.run, state: "failed", failure } },
      to,
    );
    expect(subject).toBe("Ingather 2026-11-20: delivery FAILED at upload");
    for (const body of [text, html]) expect(body).toMatch(/the bucket is full/);
  });
});
