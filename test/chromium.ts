import { createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import packed from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** A real browser out of the packages alone. Test files unpack it side by side, so it appears whole or not at all. */
export async function launchChromium(): Promise<Browser> {
  const unpacked = join(tmpdir(), "chromium");
  if (!existsSync(unpacked)) {
    const archive = join(
      dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
      "../bin/chromium.br",
    );
    const own = `${unpacked}.${process.pid}`;
    await pipeline(
      createReadStream(archive),
      createBrotliDecompress(),
      createWriteStream(own, { mode: 0o700 }),
    );
    renameSync(own, unpacked);
  }
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox"],
    headless: true,
  });
}
