import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { loadAssembly } from "../../local/assembly.ts";
import { type LocalCloud, startCloud } from "../../local/cloud/cloud.ts";
import type { FunctionLog } from "../../local/cloud/lambda/function-log.ts";
import { localGroup } from "../../local/local-group.ts";
import { functionNames } from "../../shared/names.ts";
import type { NewSource } from "../../shared/records/sources/source.ts";
import { root } from "../infra/templates.ts";
import { list, oai, record, relation, startRepository } from "../shared/check-set/repository.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

const listPages = 60;
const crawlDepth = 40;
const checkedPages = 100;
const captureDepth = 19;

let site: Awaited<ReturnType<typeof startRepository>>;
beforeAll(async () => {
  site = await startRepository();
  site.answer = (url) => {
    const [, page] = /^\/pages\/(\d+)$/.exec(url.pathname) ?? [];
    if (page !== undefined) return html(Number(page));
    if (url.pathname.startsWith("/articles/")) return { status: 404, body: "" };
    const pages = url.pathname === "/checked" ? checkedPages : listPages;
    return url.searchParams.get("verb") === "Identify"
      ? { body: identify() }
      : { body: listPage(url, pages) };
  };
});
afterAll(() => site.close());

/** A page that links to the next one; the last one to an article. */
function html(page: number) {
  const next = page < crawlDepth ? `/pages/${page + 1}` : "/articles/1";
  return {
    body: `<html><body><a href="${next}">further</a></body></html>`,
    headers: { "content-type": "text/html" },
  };
}

function listPage(url: URL, pages: number): string {
  const page = Number(url.searchParams.get("resumptionToken") ?? 1);
  return list(record(page, relation(`ark:/80444/xv${page}`)), page < pages ? String(page + 1) : undefined);
}

function identify(): string {
  return oai(
    `<Identify><repositoryName>R</repositoryName><baseURL>${site.origin}/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>`,
  );
}

const requested = (path: RegExp) => site.requests.filter((each) => path.test(each)).length;
const dropped = (logs: FunctionLog[]) =>
  logs.filter(({ metric }) => metric === "RecursiveInvocationsDropped").map((line) => line.functionName);
const checkPath = () =>
  `/admin/check?set=${encodeURIComponent(`${site.origin}/checked?verb=ListRecords&metadataPrefix=oai_dc&set=long`)}`;

describe("the functions as they are deployed, counted by Lambda as on AWS", () => {
  const logs: FunctionLog[] = [];
  let cloud: LocalCloud;
  let operator: Operator;
  beforeAll(async () => {
    cloud = await testCloud(stateFolder(), {
      allowedPrivateHosts: [new URL(site.origin).host],
      onLog: (line) => void logs.push(line),
    });
    operator = new Operator(cloud);
  });

  async function harvest(source: Partial<NewSource>): Promise<void> {
    const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
    const common = { title: "T", groupId: localGroup.groupId, deliveryMode: "LIVE", throttleMs: 0 } as const;
    await storeConfiguration([{ ...common, ...source } as NewSource]);
    await operator.ask("POST", "/runs", { mode: "LIVE", sourceIds: [source.sourceId] });
    await cloud.waitUntilIdle();
  }

  it(`a list of ${listPages} pages → all are read`, async () => {
    await harvest({ sourceId: "list", type: "OAI-PMH", url: `${site.origin}/oai` });
    const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
    const { documents } = await documentStore().list("list", { limit: 100 });
    expect(documents).toHaveLength(listPages);
    expect(dropped(logs)).toEqual([]);
  });

  it(`a crawl ${crawlDepth} pages deep → the article of the last one is requested`, async () => {
    const crawl = { maxDepth: crawlDepth + 1, extractionRegex: "/articles/" };
    await harvest({ sourceId: "crawl", type: "CRAWL", url: `${site.origin}/pages/1`, crawl });
    expect([requested(/^\/pages\//), requested(/^\/articles\/1$/)]).toEqual([crawlDepth, 1]);
    expect(dropped(logs)).toEqual([]);
  });

  it(`a capture ${captureDepth} links deep → each page is captured`, async () => {
    site.requests.splice(0);
    const { body } = await operator.ask<{ id: string }>("POST", "/snapshots", {
      title: "T",
      type: "snapshot",
      seeds: [`${site.origin}/pages/1`],
      limits: { maxDepth: captureDepth },
    });
    await operator.ask("POST", `/snapshots/${body.id}/activate`);
    await cloud.waitUntilIdle();
    await cloud.invoke(functionNames.generateJobs, {});
    await cloud.waitUntilIdle();
    expect(requested(/^\/pages\//)).toBe(captureDepth + 1);
    expect(dropped(logs)).toEqual([]);
  });

  it(`a check of a set of ${checkedPages} pages → its count`, async () => {
    await operator.askText(checkPath());
    await cloud.waitUntilIdle();
    expect(await operator.askText(checkPath())).toContain(`<count>${checkedPages}</count>`);
    expect(dropped(logs)).toEqual([]);
  });
});

describe("the same functions, if none had decided", () => {
  it("loop-stopped → the check of a set stops after 16 pages, and the metric names the function; decided and deployed, it continues", async () => {
    site.requests.splice(0);
    const logs: FunctionLog[] = [];
    const stateDir = stateFolder();
    const start = async (assemblyDir: string) => {
      const cloud = await startCloud({
        assemblyDir,
        stateDir,
        schedules: "none",
        parameters: { AllowedPrivateHosts: new URL(site.origin).host, DefaultDelayMs: "0" },
        onLog: (line) => void logs.push(line),
      });
      onTestFinished(() => cloud.stop());
      const token = await cloud.issueToken({ sub: "operator@localhost" });
      const check = async () => {
        const headers = { authorization: `Bearer ${token}`, prefer: "respond-async" };
        return (await fetch(cloud.apiUrl + checkPath(), { headers })).text();
      };
      return { cloud, check };
    };
    const undecided = await start(await undecidedAssembly());
    await undecided.check();
    await expect.poll(() => dropped(logs)).toEqual(["ingather-send-requests"]);
    expect(requested(/^\/checked/)).toBe(16);
    await undecided.cloud.stop();
    const { outdir } = await loadAssembly(join(root, ".ingather/build"));
    const decided = await start(outdir);
    await decided.cloud.waitUntilIdle();
    expect(await decided.check()).toContain(`<count>${checkedPages}</count>`);
  });

  /** The assembly whose functions have Lambda's default. */
  async function undecidedAssembly(): Promise<string> {
    const { outdir } = await loadAssembly(join(root, ".ingather/build"));
    const folder = temporaryFolder();
    for (const name of readdirSync(outdir)) {
      if (name.startsWith("asset.")) symlinkSync(join(outdir, name), join(folder, name));
      else if (!name.endsWith(".template.json"))
        cpSync(join(outdir, name), join(folder, name), { recursive: true });
      else {
        const template = readFileSync(join(outdir, name), "utf8");
        writeFileSync(join(folder, name), template.replaceAll(/"RecursiveLoop": "\w+",?/g, ""));
      }
    }
    return folder;
  }
});
