import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  CaptureFolder,
  type CommittedExchange,
} from "../../../../../local/cli/snapshots/capture/capture-folder.ts";
import { InputError } from "../../../../../shared/core/errors.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

const plan = { seeds: ["https://a.example/"], maxDepth: 1 };

function exchange(number: number): CommittedExchange {
  const url = `https://a.example/${number}/ü`;
  return {
    entry: { url, found: [{ url: `${url}/next`, hops: "L", via: url }], bytes: number },
    log: `200 ${url}`,
    cdxj: `example,a)/${9 - number} 20260101000000 {}`,
  };
}

const entries = (folder: CaptureFolder) => [...folder.earlier()].map(({ url }) => url);
const text = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

it("a capture that was killed in the middle of its lists → what was entered, and the next entries after it", () => {
  const path = temporaryFolder();
  const first = new CaptureFolder(path, plan);
  first.commit([exchange(1), exchange(2)]);
  const { log, cdxj } = { log: text(path, "crawl.log"), cdxj: text(path, "index.cdxj.open") };
  for (const name of ["crawl.log", "index.cdxj.open"]) appendFileSync(join(path, name), "200 not finis");
  appendFileSync(join(path, "capture.jsonl"), '{"url":"https://a.example/3","fou');

  const second = new CaptureFolder(path, plan);
  expect(entries(second)).toEqual([1, 2].map((number) => exchange(number).entry.url));
  expect(text(path, "crawl.log")).toBe(log);
  expect(text(path, "index.cdxj.open")).toBe(cdxj);
  second.commit([exchange(3)]);
  second.close();
  expect(
    text(path, "index.cdxj")
      .split("\n")
      .map((line) => line.slice(0, 12)),
  ).toEqual(["example,a)/6", "example,a)/7", "example,a)/8", ""]);

  const third = new CaptureFolder(path, plan);
  expect([...third.earlier()]).toMatchObject([1, 2, 3].map((number) => exchange(number).entry));
  third.close();
  expect(text(path, "index.cdxj").split("\n")).toHaveLength(4);
});

it("killed before the first entry → begins", () => {
  const path = temporaryFolder();
  appendFileSync(join(path, "capture.jsonl"), '{"seeds":["https');
  const folder = new CaptureFolder(path, plan);
  expect(entries(folder)).toEqual([]);
  folder.commit([exchange(1)]);
  folder.close();
  expect(entries(new CaptureFolder(path, plan))).toHaveLength(1);
});

it("other settings → refused, naming the seeds", () => {
  const path = temporaryFolder();
  new CaptureFolder(path, plan).close();
  const other = () => new CaptureFolder(path, { ...plan, maxDepth: 2 });
  expect(other).toThrow(InputError);
  expect(other).toThrow("holds a capture of https://a.example/ with other settings");
});
