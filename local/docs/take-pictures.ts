/**
 * Takes the pictures of the README: pages of the console of the demo, after its first run.
 *
 *     npm run pictures
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launchBrowser } from "../browser/launch-browser.ts";

const root = join(import.meta.dirname, "../..");
/** The pictures: the file, an address, and the link on that page that leads to the pictured page. */
const pictures = [
  { name: "console-today.png", path: "/console", link: undefined, width: 1024, height: 640 },
  {
    name: "console-record.png",
    path: "/console/refused?source=demo-supplement",
    link: "main tbody a",
    width: 1280,
    height: 960,
  },
];

const stateDir = mkdtempSync(join(tmpdir(), "ingather-pictures-"));
const args = [
  "--disable-warning=ExperimentalWarning",
  "local/start.ts",
  "--state",
  stateDir,
  "--port",
  "0",
  "--demo-port",
  "0",
];
const demo = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
try {
  const signIn = await signInLinkAfterRun();
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(signIn);
  await page.waitForURL(/\/console$/);
  const { origin } = new URL(page.url());
  for (const { name, path, link, ...size } of pictures) {
    await page.setViewportSize(size);
    await page.goto(origin + path);
    if (link !== undefined) {
      await page.locator(link).first().click();
      await page.waitForURL((url) => !url.href.endsWith(path));
    }
    await page.screenshot({ path: join(root, "docs", name) });
    console.log(`wrote docs/${name}`);
  }
  await browser.close();
} finally {
  demo.kill("SIGTERM");
  await once(demo, "close");
  rmSync(stateDir, { recursive: true, force: true });
}

/**
 * Returns the sign-in link after the first run. @throws Error if the demo ends before its first run has ended
 */
async function signInLinkAfterRun(): Promise<string> {
  let link = "";
  for await (const line of createInterface({ input: demo.stdout })) {
    link ||= /^The console: (\S+)/.exec(line)?.[1] ?? "";
    if (line.startsWith("Delivered ")) return link;
  }
  throw new Error("the demo ended before its first run had ended");
}
