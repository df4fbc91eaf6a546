import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { LocalCloud } from "../../../local/cloud/cloud.ts";
import type { DemoSite } from "../../../local/demo/site.ts";

/** A signed-in person in front of the console, beside the site of the demo journal. */
export interface Visitor {
  readonly cloud: LocalCloud;
  readonly site: DemoSite;
  readonly page: Page;
  /** Opens an address of the console. */
  visit(path: string): Promise<void>;
  /** Clicks on a link or button, and waits for the page that it leads to. */
  follow(target: Locator): Promise<void>;
  /** Presses keys one after another. */
  press(...keys: string[]): Promise<void>;
  /** Presses Tab until what has this name has the focus. @throws when nothing has */
  tabTo(name: string | RegExp): Promise<void>;
  /** Asks the API as an admin. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

export function createVisitor(parts: { cloud: LocalCloud; site: DemoSite; page: Page }): Visitor {
  const { cloud, page } = parts;
  return {
    ...parts,
    visit: async (path) => {
      const visited = page.goto(cloud.apiUrl + path);
      // On a slow machine, the page that the last press leads to may still be on its way.
      await visited.catch(async (error: Error) => {
        if (!error.message.includes("interrupted by another navigation")) throw error;
        await page.waitForLoadState();
        await page.goto(cloud.apiUrl + path);
      });
    },
    follow: async (target) => {
      const loaded = page.waitForEvent("domcontentloaded");
      await target.click();
      await loaded;
    },
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    tabTo: async (name) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(
          "[document.activeElement.getAttribute('aria-label'), document.activeElement.name, document.activeElement.innerText].filter(Boolean).join(' ')",
        );
        if (typeof name === "string" ? String(focused).includes(name) : name.test(String(focused))) return;
      }
      throw new Error(`Tab does not lead to ${name}`);
    },
    ask: async (method, path, body) => {
      const token = await cloud.issueToken({ sub: "admin" });
      const answer = await fetch(cloud.apiUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe looks for in the dark and on a phone, where only colours and room differ. */
const looks = [
  { colorScheme: "light", width: 1280, options: "{}" },
  { colorScheme: "dark", width: 320, options: '{ runOnly: ["color-contrast"] }' },
] as const;

/** A page is fit for people: no violation that axe finds, nothing wider than a phone, at most 100 KB. */
export async function expectFit({ cloud, page }: Visitor, path: string): Promise<void> {
  const answer = await page.goto(cloud.apiUrl + path);
  expect(answer?.status(), path).toBe(200);
  expect((await answer?.body())?.length, path).toBeLessThan(100_000);
  await page.evaluate(axe);
  for (const { colorScheme, width, options } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const found = (await page.evaluate(
      `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    )) as string[];
    expect(found, `${path} in ${colorScheme}`).toEqual([]);
    const widest = await page.evaluate("document.documentElement.scrollWidth");
    expect(widest, `${path} at ${width} px`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
