import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingBrowser } from "../../local/browser/unpack-browser.ts";
import { openReplayBeside, type ReplayBeside } from "../../local/cli/snapshots/replay/replay-beside.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { collectionCases } from "./console/collections.ts";
import { deliveryCases } from "./console/deliveries.ts";
import { eventCases } from "./console/events.ts";
import { firstRecordCases } from "./console/first-record.ts";
import { lookCases } from "./console/looks.ts";
import { openVisitor } from "./console/open-visitor.ts";
import { recipeCases } from "./console/recipes.ts";
import { recordCases } from "./console/records.ts";
import { refusedCases } from "./console/refused.ts";
import { ruleCases } from "./console/rules.ts";
import { snapshotCases } from "./console/snapshots.ts";
import { sourceCases } from "./console/sources.ts";
import { takingBackCases } from "./console/taking-back.ts";
import { todayCases } from "./console/today.ts";
import type { Visitor } from "./console/visitor.ts";

let site: DemoSite;
let browser: Browser;
let visitor: Visitor;
let link: string;
let replay: ReplayBeside | undefined;
beforeAll(async () => {
  site = await startDemoSite();
  replay = await openReplayBeside();
  ({ visitor, browser, link } = await openVisitor(site, replay?.origin));
  replay?.readFrom(visitor.cloud.gatewayUrl);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await replay?.close();
});

const missing = missingBrowser();

describe.skipIf(missing !== undefined)(`the console${missing ? ` (skipped: ${missing})` : ""}`, () => {
  describe("the one-time link", () => {
    it("signs in, and is used up", async () => {
      expect(await visitor.page.locator("main h1").innerText()).toContain("Today");
      const again = await browser.newContext();
      const answer = await (await again.newPage()).goto(link);
      expect(answer?.status()).toBe(403);
      await again.close();
    });

    it("signed in, and in another time zone since → the first page has it", async () => {
      const storageState = await visitor.page.context().storageState();
      const travelled = await browser.newContext({ storageState, timezoneId: "Pacific/Auckland" });
      const page = await travelled.newPage();
      await page.goto(`${visitor.cloud.apiUrl}/console`);
      await expect
        .poll(() => page.locator("main time").first().getAttribute("title"))
        .toMatch(/ Pacific\/Auckland$/);
      await travelled.close();
    });

    it("an operator signs nobody else in: another browser sees no page", async () => {
      const other = await browser.newContext();
      const answer = await (await other.newPage()).goto(`${visitor.cloud.apiUrl}/console/sources`);
      expect(answer?.status()).toBe(401);
      await other.close();
    });
  });

  firstRecordCases(() => visitor);
  todayCases(() => visitor);
  sourceCases(() => visitor);
  recordCases(() => visitor);
  refusedCases(() => visitor);
  ruleCases(() => visitor);
  recipeCases(() => visitor);
  deliveryCases(() => visitor);
  collectionCases(() => visitor);
  snapshotCases(() => visitor);
  lookCases(() => visitor);
  eventCases(() => visitor);
  takingBackCases(() => visitor);
});
