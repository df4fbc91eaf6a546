import { describe, expect, it } from "vitest";
import { serveJournal, site, source } from "./journal-site.ts";
import { runCommand } from "./run-command.ts";

serveJournal();

describe("preview", () => {
  it("→ the newest records field by field, and the counts; nothing else is requested", async () => {
    const { code, stdout } = await runCommand(["preview", ...source("zotero_url = /feed"), "--items", "1"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`online-first: Two <${site.origin}/two>\n`);
    expect(stdout).toContain("  245 00 $a Two\n");
    expect(stdout).toContain("3 listed, 1 requested: 0 valid, 1 online-first, 0 refused, 0 not converted\n");
    expect(site.requested.filter((one) => /one|gone/.test(one))).toEqual([]);
  });

  it("--json → one object with records, findings and what was missed", async () => {
    const args = [...source("zotero_url = /feed", "remove_marc_field_245a = One"), "--json"];
    const { code, stdout } = await runCommand(["preview", ...args]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      state: "finished",
      source: { entries: 3, requested: 3 },
      records: expect.arrayContaining([
        expect.objectContaining({ outcome: "online_first", findings: [], title: "Two" }),
        expect.objectContaining({ outcome: "delinquent", findings: [expect.stringContaining("245")] }),
      ]),
      missed: [{ url: `${site.origin}/gone`, state: "failed" }],
    });
  });
});
