import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Rules: tried before they are saved, changed, taken back. */
export function ruleCases(open: () => Visitor): void {
  describe("Rules", () => {
    const rulesOf = async ({ ask }: Visitor) =>
      ((await ask("GET", "/validation-rules")).body as { rules: unknown[] }).rules;

    it("a rule is tried on the last records, then saved, and undone", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/rules");
      await visitor.follow(page.getByRole("link", { name: "Add a rule" }));
      await page.getByLabel("Tag").fill("245");
      await page.getByLabel("Subfield").fill("a");
      await page.getByLabel("Contents").fill("^Q");
      await visitor.follow(page.getByRole("button", { name: /^Try on the last/ }));
      await page.getByRole("heading", { name: /^Tried on/ }).waitFor();
      expect(await page.locator("main").innerText()).toMatch(/\d outcomes change:/);
      expect(await page.getByLabel("Contents").inputValue()).toBe("^Q");
      expect(await rulesOf(visitor)).toEqual([]);
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("status").innerText()).toContain("The rule for 245 $a is saved");
      expect(await rulesOf(visitor)).toMatchObject([{ tag: "245", regex: "^Q" }]);
      await visitor.follow(page.getByRole("button", { name: "Undo" }));
      await page.getByRole("status").waitFor();
      expect(await rulesOf(visitor)).toEqual([]);
    });

    it("somebody else saves a rule meanwhile → both versions are shown; mine is kept, or the stored one taken", async () => {
      const visitor = open();
      const { ask, page } = visitor;
      const rule = { tag: "246", subfield: "a", presence: "sometimes" };
      const edit = "/console/rules/edit?recordType=regular&tag=246&subfield=a";
      await visitor.visit(edit);
      await page.getByLabel("Contents").fill("^Mine");
      await ask("PUT", "/validation-rules", { ...rule, regex: "^Theirs" });
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      const alert = page.getByRole("alert");
      expect(await alert.innerText()).toMatch(/Contents\s+\^Mine\s+\^Theirs/);
      expect(await rulesOf(visitor)).toMatchObject([{ tag: "246", regex: "^Theirs" }]);
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByRole("status").waitFor();
      expect(await rulesOf(visitor)).toMatchObject([{ tag: "246", regex: "^Mine" }]);

      await visitor.visit(edit);
      await ask("PUT", "/validation-rules", { ...rule, regex: "^Other" });
      await visitor.follow(page.getByRole("button", { name: "Delete" }));
      expect(await alert.innerText()).toContain("Nothing was changed");
      await visitor.follow(page.getByRole("link", { name: "Take the stored version" }));
      expect(await page.getByLabel("Contents").inputValue()).toBe("^Other");
      await visitor.follow(page.getByRole("button", { name: "Delete" }));
      await page.getByRole("status").waitFor();
      expect(await rulesOf(visitor)).toEqual([]);
    });

    it("by the keyboard alone: an expression that is none → the error is at its field, and what was typed stays", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/rules/edit");
      await visitor.tabTo(/^tag$/);
      await page.keyboard.type("245");
      await visitor.tabTo(/^subfield$/);
      await page.keyboard.type("a");
      await visitor.tabTo(/^regex$/);
      await page.keyboard.type("(");
      await visitor.press("Enter");
      await page.getByRole("alert").waitFor();
      await visitor.tabTo(/^Contents/);
      await visitor.press("Enter");
      expect(await page.evaluate("document.activeElement.name")).toBe("regex");
      expect(await page.getByLabel("Contents").inputValue()).toBe("(");
    });

    it("by the keyboard alone: a rule is saved, and taken back from its notice", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/rules/edit");
      await visitor.tabTo(/^tag$/);
      await page.keyboard.type("773");
      await visitor.tabTo(/^subfield$/);
      await page.keyboard.type("t");
      await visitor.tabTo("Save");
      await visitor.press("Enter");
      await page.getByRole("status").waitFor();
      expect(await rulesOf(visitor)).toMatchObject([{ tag: "773", subfield: "t" }]);
      await visitor.tabTo("Undo");
      await visitor.press("Enter");
      await expect.poll(() => rulesOf(visitor)).toEqual([]);
    });

    it("rules of a source → shown with the general ones that they replace", async () => {
      const visitor = open();
      const { ask, page } = visitor;
      const rule = { tag: "936", subfield: "d", presence: "sometimes" };
      await ask("PUT", "/validation-rules", rule);
      await ask("PUT", "/validation-rules", { ...rule, source: "demo-journal", presence: "ignore" });
      await visitor.visit("/console/rules");
      await page.getByRole("textbox", { name: "Source" }).fill("demo-journal");
      await visitor.follow(page.getByRole("button", { name: "Show" }));
      const rows = await page.locator("tbody tr").allInnerTexts();
      expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
        expect.stringMatching(/^936 \$d article allowed, unchecked demo-journal$/),
        expect.stringMatching(/^936 \$d article allowed all sources \(replaced by a rule of the source\)$/),
      ]);
      await expectFit(visitor, "/console/rules?source=demo-journal");
      for (const source of ["", "&source=demo-journal"])
        await ask("DELETE", `/validation-rules?tag=936&subfield=d${source}`);
    });

    it.each(["/console/rules", "/console/rules/edit"])("%s is fit for people", (path) =>
      expectFit(open(), path),
    );
  });
}
