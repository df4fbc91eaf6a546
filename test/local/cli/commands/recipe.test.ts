import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const folder = temporaryFolder();

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const recipe = write(
  "bees.toml",
  'name = "Bees"\nhosts = ["bees.example"]\noverrides = ["volume"]\n[fields]\nvolume = { css = ".v" }\nissue = [{ css = ".no" }, { meta = "i" }]\ndate = { css = "time" }\n',
);
const page = write(
  "page.html",
  "<title>On Bees</title><meta name=citation_title content=Bees><meta name=citation_date content=2020><meta name=citation_volume content=3><meta name=i content=4><p class=v>Vol. 12<p><time>2019</time>",
);

describe("recipe try", () => {
  it("a recipe and a page → what is read, from where, and what the page says without it", async () => {
    const { code, stdout, stderr } = await runCommand(["recipe", "try", recipe, page]);
    expect(stderr).toBe("");
    expect(stdout).toBe(
      [
        "date: 2019",
        "  from css time",
        "  not used: the page states it elsewhere",
        "  without the recipe: 2020",
        "volume: 12",
        "  from css .v",
        "  without the recipe: 3",
        "issue: 4",
        "  from meta i",
        'problem: date "2019" is of another year than "2020" and was not used',
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  it("--json → the same as one object", async () => {
    const { code, stdout } = await runCommand(["recipe", "try", recipe, page, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      isForPage: false,
      fields: [
        { field: "date", values: ["2019"], from: "css time", isUsed: false, without: "2020" },
        { field: "volume", values: ["12"], from: "css .v", isUsed: true, without: "3" },
        { field: "issue", values: ["4"], from: "meta i", isUsed: true },
      ],
    });
    expect(code).toBe(0);
  });

  it.each([
    ["https://www.bees.example/1", false],
    ["https://wasps.example/1", true],
  ])("--url %s → told whether the recipe is for the page", async (url, isTold) => {
    const { stdout } = await runCommand(["recipe", "try", recipe, page, "--url", url]);
    expect(stdout.startsWith("The recipe is not for this page")).toBe(isTold);
  });

  it("a page with nothing to read → exit code 1", async () => {
    const empty = write("empty.html", "<title>Empty</title>");
    const { code, stdout } = await runCommand(["recipe", "try", recipe, empty]);
    expect(stdout).toContain("The recipe reads nothing from this page.\n");
    expect(code).toBe(1);
  });

  it.each([
    [[], "recipe:"],
    [["show", recipe, page], "recipe: must be followed by try"],
    [["try", recipe], "FILE PAGE: must name a recipe and a page"],
    [["try", recipe, "missing.html"], "PAGE: "],
    [["try", "missing.toml", page], "FILE: "],
    [["try", recipe, page, "--url", "bees"], "--url: must be an http or https URL"],
    [
      ["try", write("wrong.toml", "name = 'x'\nhosts = ['a.b']\n[fields]\nvolume = { css = 'p:x' }"), page],
      'wrong.toml: fields.volume.0.css: ":x" is not supported',
    ],
    [["try", write("broken.toml", "name ="), page], "broken.toml: line 1, column 7"],
  ])("%j → exit code 2: %s", async (args, message) => {
    const { code, stderr } = await runCommand(["recipe", ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
