import type { Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/**
 * Everything from an empty Ingather to a delivered record, by the console alone. The other cases continuefrom there.
 */
export function firstRecordCases(open: () => Visitor): void {
  describe("an empty Ingather", () => {
    it("a journal's home page → added, looked at, switched on, harvested, delivered", async () => {
      const visitor = open();
      const { page, site } = visitor;
      await visitor.visit("/console");
      await visitor.follow(page.getByRole("link", { name: "Add a source" }));
      await page.getByLabel("Address").fill(`${site.origin}/`);
      await visitor.follow(page.getByRole("button", { name: "Detect" }));
      await page.getByLabel("Id", { exact: true }).fill("demo-journal");
      await page.getByLabel("Title", { exact: true }).fill("Lantern & Lathe: Journal of Imaginary Crafts");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("status").innerText()).toContain("saved with the mode “preview”");

      await visitor.follow(page.getByRole("button", { name: "Preview" }));
      await page.getByText("finished").first().waitFor();
      expect(await page.locator("table.marc").first().innerText()).toMatch(/245\s+\S+\s+\$a/);
      await expectPageBeside(visitor);

      await visitor.follow(page.getByRole("link", { name: "To the source" }));
      await page.getByLabel("Mode").selectOption("LIVE");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.locator("summary", { hasText: "Harvest now" }).click();
      await visitor.follow(page.getByRole("button", { name: "Harvest now" }));
      expect(await page.getByRole("status").innerText()).toContain("The run has started");
      await page
        .getByRole("row", { name: /delivered/ })
        .first()
        .waitFor();
      const { body } = await visitor.ask("GET", "/deliveries");
      expect(body).toMatchObject({ deliveries: [{ records: 10 }] });
    });
  });
}

/** Beside the record is what its page says, as text: nothing of it is loaded or run. */
async function expectPageBeside(visitor: Visitor): Promise<void> {
  const { cloud, page, tabTo, press } = visitor;
  const title = await page.locator("main article h2").first().innerText();
  expect(await page.locator("blockquote").first().innerText()).toContain(title);
  const asked: string[] = [];
  const note = (request: Request) => void asked.push(new URL(request.url()).origin);
  page.on("request", note);
  await tabTo("Full text as read");
  await press("Enter");
  // Which article is the first one, and so which vocabulary its page has, is a matter of who answered first.
  await page.waitForURL(/[?&]article=/);
  const values = await page.locator("main section.read").allInnerTexts();
  expect(values.join("\n").split(title).length).toBeGreaterThan(1);
  expect(await page.locator("main").locator("iframe, img, script, link, object, style").count()).toBe(0);
  page.off("request", note);
  expect([...new Set(asked)]).toEqual([new URL(cloud.apiUrl).origin]);
  const { pathname, search } = new URL(page.url());
  await expectFit(visitor, pathname + search);
  await visitor.follow(page.getByRole("link", { name: "All articles of the preview" }));
}
