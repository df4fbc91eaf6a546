import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingBrowser } from "../../local/browser/unpack-browser.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { inParallel } from "../../shared/core/in-parallel.ts";
import type { RefusedRecord } from "../../shared/deliver/refused/refused-record.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { openVisitor } from "./console/open-visitor.ts";
import { expectFit, type Visitor } from "./console/visitor.ts";

let site: DemoSite;
let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  site = await startDemoSite();
  ({ visitor, browser } = await openVisitor(site));
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Lists so many records as refused for want of a 300 $a. */
async function refuse(count: number): Promise<void> {
  const { refusedStore } = await import("../../shared/deliver/stores/refused-store.ts");
  const [store, refusedAt] = [refusedStore(), new Date().toISOString()];
  const records = Array.from({ length: count }, (_, index): RefusedRecord => {
    const recordId = `many-${index}`;
    const url = `https://journal.example/${recordId}`;
    return {
      deliveryMode: "LIVE",
      document: {
        ...{
          state: "converted",
          requestId: recordId,
          recordId,
          sourceId: "demo-journal",
          groupId: "Ingather",
        },
        ...{ url, urls: [url], title: `Title ${index}`, hash: recordId, recordKey: recordId, warnings: [] },
        archiveKeys: [`url:${recordId}`],
      },
      findings: [
        { record: recordId, ruleId: "required-field", tag: "300", reason: "required 300-field is missing" },
      ],
      findingCount: 1,
      refusedAt,
      firstRefusedAt: refusedAt,
    };
  });
  await inParallel(records, 16, (record) => store.save(record));
}

const missing = missingBrowser();

describe.skipIf(missing !== undefined)(
  `the console at size${missing ? ` (skipped: ${missing})` : ""}`,
  () => {
    it("an action on more than a thousand → done in steps; the page says how far it is, and continues automatically", async () => {
      const { page } = visitor;
      await refuse(1005);
      await visitor.visit("/console/refused");
      await page.getByRole("link", { name: /^300/ }).click();
      await page.getByLabel("All 1\u202f005 records of this list").check();
      await page.getByRole("button", { name: "Ignore" }).click();
      await page.getByRole("button", { name: "Ignore" }).click();
      expect(await page.getByRole("status").innerText()).toContain("1\u202f000 of 1\u202f005");
      await page.waitForURL(/\/console\/refused\?/);
      expect(await page.getByRole("status").innerText()).toMatch(
        /1\u202f005 records: 1\u202f005 not delivered until their run has ended/,
      );
    });

    it("an import with many changes → applied afterwards; its page says how far it is, and the list leads to it", async () => {
      const { page, ask } = visitor;
      const sections = Array.from({ length: 600 }, (_, at) =>
        [`[Journal ${at}]`, ...journal].join("\n").replace("id = 4711", `id = ${10_000 + at}`),
      );
      await visitor.visit("/console/sources/import");
      await page.getByLabel("zotero_harvester.conf").fill([configuration(journal), ...sections].join("\n"));
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("button", { name: /^Import 60\d changes$/ }).click();
      await page.getByRole("heading", { name: "The configuration is imported" }).waitFor();
      const path = new URL(page.url()).pathname;
      expect(await page.locator("main").innerText()).toMatch(/(60\d) of \1 changes are applied/);
      expect((await ask("GET", "/sources/ixtheo-10599")).status).toBe(200);
      await page.getByRole("link", { name: "Earlier imports" }).click();
      await page.locator(`tbody a[href="${path}"]`).first().click();
      await page.waitForURL(`**${path}`);
      await expectFit(visitor, path);
    });
  },
);
