import { expect, it } from "vitest";
import type { HarvestJob } from "../../../../shared/snapshots/definitions/job.ts";
import type { KeptElsewhere } from "../../../../shared/snapshots/wacz/kept-elsewhere.ts";
import { packCapture } from "../../../../shared/snapshots/wacz/pack-capture.ts";

const files: Record<string, string> = {
  "1/index.cdxj": `com,a)/1.png 20260101000000 {"url":"http://a.com/1.png","mime":"image/png","status":"200","digest":"sha1:A","length":"3","offset":"100","filename":"INGATHER-1-20260101000000-00000.warc.gz"}\n`,
  "1/INGATHER-1-20260101000000-00000.warc.gz": "one",
  "2/index.cdxj": `com,a)/1.png 20270101000000 {"url":"http://a.com/1.png","mime":"warc/revisit","status":"200","digest":"sha1:A","length":"3","offset":"0","filename":"INGATHER-2-20270101000000-00000.warc.gz"}\n`,
  "2/INGATHER-2-20270101000000-00000.warc.gz": "two",
};
const logLine = (url: string, annotation: string) =>
  `2027-01-01T00:00:00.000Z   200         10 ${url} E http://a.com/ image/png #001 20270101000000000+1 sha1:A - ${annotation}`;
files["2/crawl.log"] = [
  logLine("http://a.com/1.png", 'duplicate:"INGATHER-1-20260101000000-00000.warc.gz,100,20260101000000000"'),
  logLine("http://a.com/2.png", 'duplicate:"NAS-7.arc.gz,42,20240203040506000"'),
  logLine("http://a.com/3.png", 'duplicate:"NAS-8.arc.gz,43"'),
  logLine("http://a.com/4.png", 'duplicate:"INGATHER-9-20260101000000-00000.warc.gz,1,20260101000000000"'),
  logLine("http://a.com/5.png", "-"),
].join("\n");

it("revisits whose originals are not in captures of ours → listed with file, offset and date, before the package is there", async () => {
  const order: string[] = [];
  let elsewhere: KeptElsewhere[] = [];
  const job = {
    id: 2,
    files: ["INGATHER-2-20270101000000-00000.warc.gz"],
  } as Partial<HarvestJob> as HarvestJob;
  await packCapture(
    { jobId: 2 },
    {
      snapshots: { job: async () => job },
      files: {
        text: async (jobId, name) => files[`${jobId}/${name}`],
        size: async (jobId, name) => files[`${jobId}/${name}`]?.length,
        async *content(jobId, name) {
          yield Buffer.from(files[`${jobId}/${name}`] ?? "");
        },
      },
      packages: {
        has: async () => false,
        elsewhere: async () => elsewhere,
        async writeElsewhere(_jobId, found) {
          order.push("elsewhere");
          elsewhere = found;
        },
        async write(_jobId, content) {
          for await (const _chunk of content);
          order.push("package");
        },
      },
      clock: { now: () => new Date(0), sleep: async () => {} },
    },
  );
  expect(order).toEqual(["elsewhere", "package"]);
  expect(elsewhere).toEqual([
    { url: "http://a.com/2.png", file: "NAS-7.arc.gz", offset: "42", capturedAt: "2024-02-03T04:05:06Z" },
    { url: "http://a.com/3.png", file: "NAS-8.arc.gz", offset: "43" },
    {
      url: "http://a.com/4.png",
      file: "INGATHER-9-20260101000000-00000.warc.gz",
      offset: "1",
      capturedAt: "2026-01-01T00:00:00Z",
    },
  ]);
});
