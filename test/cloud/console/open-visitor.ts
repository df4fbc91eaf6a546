import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../local/browser/launch-browser.ts";
import type { DemoSite } from "../../../local/demo/site.ts";
import { waitMs } from "../../time-limits.ts";
import { stateFolder, testCloud } from "../local-cloud.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

interface OpenVisitor {
  readonly visitor: Visitor;
  readonly browser: Browser;
  /** The one-time link by which the visitor has signed in. */
  readonly link: string;
}

/** Starts a cloud and a browser; signs Anna, an operator, in to the console. The cloud stops after the file's tests. */
export async function openVisitor(site: DemoSite, replayOrigin?: string): Promise<OpenVisitor> {
  const browser = await launchBrowser();
  const cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [new URL(site.origin).host],
    ...(replayOrigin !== undefined && { replayOrigin }),
  });
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const link = cloud.signInLink({ email: "anna@library.example", groups: ["operator"] });
  await page.goto(link);
  await page.waitForURL(`${cloud.apiUrl}/console`);
  return { visitor: createVisitor({ cloud, site, page }), browser, link };
}
