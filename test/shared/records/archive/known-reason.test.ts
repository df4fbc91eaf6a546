import { describe, expect, it } from "vitest";
import {
  countKnownReasons,
  findKnownReason,
  type KnownCounts,
  type KnownReason,
  sumKnownCounts,
} from "../../../../shared/records/archive/known-reason.ts";

describe("what the archive knows", () => {
  it.each<[string, [string, KnownReason][], KnownReason | undefined]>([
    ["nothing of the keys → unknown", [["other", "delivered"]], undefined],
    ["one key → that", [["url", "waiting"]], "waiting"],
    [
      "online-first under one key, delivered under another → delivered",
      [
        ["doi", "waiting"],
        ["url", "delivered"],
      ],
      "delivered",
    ],
    [
      "an operator's word under any key → that",
      [
        ["doi", "delivered"],
        ["url", "ignored"],
      ],
      "ignored",
    ],
  ])("%s", (_title, known, reason) => {
    expect(findKnownReason(["doi", "url"], new Map(known))).toBe(reason);
  });

  it.each<[string, (KnownReason | undefined)[], KnownCounts]>([
    ["none", [], {}],
    ["unknown ones", [undefined, undefined], {}],
    [
      "several",
      ["waiting", undefined, "delivered", "waiting", "elsewhere", "ignored"],
      { waiting: 2, delivered: 1, elsewhere: 1, ignored: 1 },
    ],
  ])("%s → counted by reason", (_title, reasons, counts) => {
    expect(countKnownReasons(reasons)).toEqual(counts);
    expect(sumKnownCounts([counts, {}, counts])).toEqual(countKnownReasons([...reasons, ...reasons]));
  });
});
