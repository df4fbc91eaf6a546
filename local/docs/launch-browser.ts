import { createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import packed from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** What the package sets for Lambda: a browser that guards nothing, or ends with its first window. */
const unwanted =
  /^--(single-process|no-zygote|disable-web-security|disable-site-isolation-trials|allow-running-insecure-content)$/;

/** A real browser out of the packages alone. Processes unpack it side by side, so that it appears whole or not at all. */
export async function launchBrowser(): Promise<Browser> {
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
    args: packed.args.filter((arg) => !unwanted.test(arg)),
    headless: true,
  });
}
