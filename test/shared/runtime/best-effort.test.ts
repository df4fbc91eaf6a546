import { afterEach, expect, it, vi } from "vitest";
import { PlatformError } from "../../../shared/core/errors.ts";
import { bestEffort } from "../../../shared/runtime/best-effort.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["works → nothing is logged", async () => 1, []],
  [
    "fails → logged with what is lost, and no error",
    async () => {
      throw new PlatformError("no table");
    },
    [{ level: "error", message: "the statistics of a.example are lost", detail: "no table" }],
  ],
])("work that %s", async (_title, work, expected) => {
  const lines: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  await bestEffort("the statistics of a.example are lost", work);
  expect(lines).toMatchObject(expected);
  expect(lines).toHaveLength(expected.length);
});
