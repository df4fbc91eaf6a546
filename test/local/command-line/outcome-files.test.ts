import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OutcomeFiles } from "../../../local/command-line/outcome-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a folder with the files of an earlier run → replaced whole, what else is in it left alone", () => {
  const folder = temporaryFolder();
  const own = ["delinquent.log", "delinquent.xml", "online_first.xml", "report.txt", "valid.xml"];
  for (const name of [...own, "notes.txt"]) writeFileSync(join(folder, name), "of yesterday\n".repeat(1000));
  const files = new OutcomeFiles(folder);
  files.addText("report.txt", "of today\n");
  files.end();
  const isOld = (name: string) => readFileSync(join(folder, name), "utf8").includes("of yesterday");
  expect(readdirSync(folder).filter(isOld)).toEqual(["notes.txt"]);
});
