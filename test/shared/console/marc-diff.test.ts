import { expect, it } from "vitest";
import type { MarcRecord } from "../../../shared/console/parts/marc.ts";
import { marcDiff } from "../../../shared/console/parts/marc-diff.ts";

const record = (title: string, more: MarcRecord["fields"] = []): MarcRecord => ({
  leader: "00000nab a22000002  4500",
  control: [["001", "x1"]],
  fields: [["245", "10", [["a", title]]], ["264", " 1", [["c", "2026"]]], ...more],
});

const shown = async (before: MarcRecord, after: MarcRecord) =>
  [...String(await marcDiff(before, after, "Versions 1")).matchAll(/<(del|ins)>(.*?)<\/\1>/g)].map(
    ([, kind, line]) => `${kind} ${line}`,
  );

it.each([
  ["the same", record("A"), record("A"), []],
  ["another title", record("A"), record("B <b>"), ["del 245 10 $a A", "ins 245 10 $a B &lt;b&gt;"]],
  ["a field more", record("A"), record("A", [["650", " 4", [["a", "Wax"]]]]), ["ins 650 _4 $a Wax"]],
  ["a field less", record("A", [["650", " 4", [["a", "Wax"]]]]), record("A"), ["del 650 _4 $a Wax"]],
])("%s", async (_what, before, after, lines) => {
  expect(await shown(before, after)).toEqual(lines);
});
