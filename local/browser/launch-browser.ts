import packed from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { unpackBrowser } from "./unpack-browser.ts";

/**
 * Matches options that the package sets for Lambda, and that would disable security or end the browser with
 * its first window.
 */
const unwanted =
  /^--(single-process|no-zygote|disable-web-security|disable-site-isolation-trials|allow-running-insecure-content)$/;

/**
 * Starts a real browser from the installed packages alone.
 * @throws ConfigError if the packages have no browser for this machine, or if its files cannot be trusted
 */
export async function launchBrowser(): Promise<Browser> {
  const { executable, environment } = await unpackBrowser();
  return chromium.launch({
    executablePath: executable,
    env: { ...definedVariables(), ...environment },
    args: packed.args.filter((arg) => !unwanted.test(arg)),
    headless: true,
  });
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((each): each is [string, string] => each[1] !== undefined),
  );
}
