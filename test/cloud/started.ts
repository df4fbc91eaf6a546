import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MARCXML } from "@natlibfi/marc-record-serializers";
import { expect } from "vitest";
import type { StartedProcess } from "./start-process.ts";

/**
 * What the demo delivers: fourteen articles but one without a title, one that is not there, one that is refused, and one that
 * waits for its issue.
 */
export const demoRecords = 10;

/** Titles of the records in all delivered files, as an independent reader finds them. */
export async function deliveredTitles(stateDir: string): Promise<string[]> {
  const files = globSync("deliveries/**/*.xml", { cwd: stateDir })
    .filter((file) => !/_(errors|online_first)\.xml$/.test(file))
    .map((file) => readFileSync(join(stateDir, file), "utf8"));
  const records = await Promise.all(
    files
      .flatMap((text) => text.match(/<record>.*?<\/record>/gs) ?? [])
      .map((record) => MARCXML.from(record)),
  );
  const titles = records.map(
    ({ fields }) => fields.find(({ tag }) => tag === "245")?.subfields?.[0]?.value ?? "",
  );
  return titles.sort();
}

export function mailsIn(stateDir: string): string[] {
  return globSync("mail/*.eml", { cwd: stateDir }).map((file) =>
    readFileSync(join(stateDir, file), "utf8").replaceAll(/=\r?\n/g, ""),
  );
}

export function expectSuccess(started: StartedProcess, code: number | null): void {
  expect(code, started.lines.join("\n")).toBe(0);
}
