import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packedFile, writeWacz } from "../../../../../local/cli/snapshots/wacz/write-wacz.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

const contents = { texts: [], created: new Date(0), software: "test" };

describe("writeWacz", () => {
  it.each([
    ["is not there", (folder: string) => join(folder, "none.warc.gz")],
    ["cannot be read", (folder: string) => folder],
  ])("a WARC file that %s → an error, no file, and the package before stays", async (_title, warc) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.wacz"), "before");
    const pack = async () =>
      writeWacz(join(folder, "a.wacz"), { ...contents, warcs: [packedFile(warc(folder))] });
    await expect(pack()).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["a.wacz"]);
  });
});
