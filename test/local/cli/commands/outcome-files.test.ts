import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OutcomeFiles } from "../../../../local/cli/commands/outcome-files.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

it("a folder with the files of an earlier run → its files replaced, other files unchanged", () => {
  const folder = temporaryFolder();
  const own = ["delinquent.log", "delinquent.xml", "online_first.xml", "report.txt", "valid.xml"];
  for (const name of [...own, "notes.txt"]) writeFileSync(join(folder, name), "of yesterday\n".repeat(1000));
  const files = new OutcomeFiles(folder);
  files.addText("report.txt", "of today\n");
  files.end();
  const isOld = (name: string) => readFileSync(join(folder, name), "utf8").includes("of yesterday");
  expect(readdirSync(folder).filter(isOld)).toEqual(["notes.txt"]);
});

it("an id or a reason of several lines, or that turns the direction of writing → one line each, in the order of writing", () => {
  const folder = temporaryFolder();
  const files = new OutcomeFiles(folder);
  files.addReasons("a\nb: forged\u202e", ["245 is\u2028missing", "and more"]);
  files.addReasons("", ["record 1:\rno leader"]);
  files.end();
  expect(readFileSync(join(folder, "delinquent.log"), "utf8")).toBe(
    "a b: forged: 245 is missing\na b: forged: and more\nrecord 1: no leader\n",
  );
});
