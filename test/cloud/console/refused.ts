import { beforeAll, describe, expect, it } from "vitest";
import { deliver } from "../deliver-records.ts";
import { expectFit, type Visitor } from "./visitor.ts";

/** Refused records: looked at by reason, released after asking once, noted, ignored. */
export function refusedCases(open: () => Visitor): void {
  describe("Refused", () => {
    beforeAll(async () => {
      const { ask } = open();
      const rule = { tag: "245", subfield: "a", presence: "always", regex: "^[A-Z]" };
      await ask("PUT", "/validation-rules", rule);
      await ask("PUT", "/validation-rules", { tag: "936", subfield: "d", presence: "sometimes" });
      const titles = { "ref-1": "lower case", "ref-2": "<b>bold</b>", "ref-3": "third", "ref-4": "fourth" };
      expect(await deliver("live-20261101T190000Z", titles)).toBe(0);
      await ask("DELETE", "/validation-rules?tag=245&subfield=a");
      await ask("DELETE", "/validation-rules?tag=936&subfield=d");
    });

    const stateOf = async ({ ask }: Visitor, id: string) => (await ask("GET", `/refused-records/${id}`)).body;

    it("one record is released from Today in five clicks, after the page has said what will happen", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console");
      await visitor.follow(page.getByRole("link", { name: /^Open ?: 4 records were refused: 245 \$a/ }));
      expect(await page.locator("main h1").innerText()).toBe("245 $a: contents do not match the rule");
      // What a journal calls its articles stays text.
      expect(await page.getByRole("link", { name: "<b>bold</b>" }).count()).toBe(1);
      await page.getByLabel("Mark lower case").check();
      await visitor.follow(page.getByRole("button", { name: "Release" }));
      expect(await page.locator("main").innerText()).toMatch(
        /The next delivery \(.* 20:00\) includes released records once/,
      );
      await page.getByLabel("Reason").fill("the publisher writes so");
      await visitor.follow(page.getByRole("button", { name: "Release" }));
      expect(await page.getByRole("status").innerText()).toContain("Release, 1 record: 1 released");
      expect(await stateOf(visitor, "ref-1")).toMatchObject({
        released: { by: "operator" },
        note: { text: "the publisher writes so", by: expect.stringContaining("anna") },
      });
    });

    it("all of a reason are noted by the keyboard alone, and nothing else changes", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/refused");
      await visitor.press("ArrowDown", "Enter");
      await page.waitForURL(/reason=contents-mismatch/);
      await visitor.tabTo(/^which$/);
      await visitor.press("ArrowDown");
      await visitor.tabTo(/^note$/);
      await page.keyboard.type("publisher was mailed");
      await visitor.tabTo("Save the note");
      await visitor.press("Enter");
      await page.getByRole("status").waitFor();
      for (const id of ["ref-2", "ref-3", "ref-4"])
        expect(await stateOf(visitor, id)).toMatchObject({ note: { text: "publisher was mailed" } });
      expect(await stateOf(visitor, "ref-3")).not.toHaveProperty("released");
    });

    it("a rule corrected → those that are valid now are released by “Validate again”", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/refused?reason=contents-mismatch:245a&source=demo-journal");
      await page.getByLabel("Mark third").check();
      await visitor.follow(page.getByRole("button", { name: "Validate again" }));
      expect(await page.getByRole("status").innerText()).toContain("1 valid now");
    });

    it("nothing marked → says so, and changes nothing", async () => {
      const visitor = open();
      await visitor.visit("/console/refused?reason=contents-mismatch:245a");
      await visitor.follow(visitor.page.getByRole("button", { name: "Ignore" }));
      expect(await visitor.page.getByRole("alert").innerText()).toContain("No record is marked");
    });

    it("CSV → the records of the list, with all their reasons", async () => {
      const { page, cloud } = open();
      const path = "/console/refused?reason=contents-mismatch:245a&format=csv";
      const lines = (await (await page.request.get(cloud.apiUrl + path)).text()).trim().split("\r\n");
      expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(["<b>bold</b>", "fourth"]);
    });

    it.each(["/console/refused", "/console/refused?reason=contents-mismatch:245a"])(
      "%s is fit for people",
      (path) => expectFit(open(), path),
    );
  });
}
