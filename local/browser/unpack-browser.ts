import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { ConfigError } from "../../shared/core/errors.ts";
import { isAlive } from "../cloud/lock.ts";
import { packageFolder } from "../installation.ts";

/** An unpacked browser. */
interface UnpackedBrowser {
  /** The absolute path of the browser. */
  readonly executable: string;
  /**
   * The environment variables with which the browser finds its fonts and, if the system lacks them, its
   * libraries.
   */
  readonly environment: Readonly<Record<string, string>>;
}

const name = "@sparticuz/chromium";

/**
 * A script that unpacks the package. The package writes to the temporary folder of its process, and does not
 * unpack files that already exist.
 */
const unpackAll = `import chromium from "${name}"; await chromium.executablePath()`;

/** The prefix of the names of incomplete folders. The process id follows. */
const unfinished = "new-";

/**
 * In this environment, the package also unpacks its libraries, which machines without a desktop lack (such as
 * NSS).
 */
const asOnLambda = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };

/**
 * Unpacks Chromium with its fonts and libraries from the installed packages, once per version. The folder is
 * created atomically, even if several processes unpack it at the same time.
 * @param cacheDir contains a folder for each version
 * @throws ConfigError if the packages have no browser for this machine
 * @throws ConfigError if another user owns the unpacked files or may write to them, because they would be
 *   executed
 */
export async function unpackBrowser(
  cacheDir: string = join(packageFolder, ".ingather/browser"),
): Promise<UnpackedBrowser> {
  const problem = missingBrowser();
  if (problem !== undefined) throw new ConfigError(problem);
  const folder = join(cacheDir, versionOfPackage());
  if (!existsSync(folder)) await unpackTo(folder, cacheDir);
  const executable = join(folder, "chromium");
  for (const path of [folder, executable]) refuseForeign(path);
  return { executable, environment: await environmentOf(folder, executable) };
}

/** Returns why the packages have no browser for this machine; undefined if they have one. */
export function missingBrowser({
  platform,
  arch,
}: Pick<NodeJS.Process, "platform" | "arch"> = process): string | undefined {
  if (platform === "linux" && arch === "x64") return undefined;
  return `the packed browser runs only on Linux on x64 (this is ${platform} on ${arch})`;
}

function versionOfPackage(): string {
  const description = findPackageJSON(name, import.meta.url);
  if (description === undefined) throw new ConfigError(`the package ${name} is not installed: run npm ci`);
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(description, "utf8"))).version;
}

async function unpackTo(folder: string, cacheDir: string): Promise<void> {
  mkdirSync(cacheDir, { recursive: true });
  removeAbandoned(cacheDir, basename(folder));
  const own = mkdtempSync(join(cacheDir, `${unfinished}${process.pid}-`));
  try {
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", unpackAll], {
      cwd: packageFolder,
      env: { ...process.env, ...asOnLambda, TMPDIR: own },
    });
    writeFileSync(join(own, "fonts.conf"), fontConfiguration(folder));
    moveUnlessThere(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * Removes other versions, which take 200 MB each, and the incomplete folders of killed processes.
 * @param current the version to keep, because another process may have unpacked it just now
 */
export function removeAbandoned(cacheDir: string, current: string): void {
  for (const entry of readdirSync(cacheDir)) {
    if (entry === current) continue;
    const pid = entry.startsWith(unfinished)
      ? Number.parseInt(entry.slice(unfinished.length), 10)
      : undefined;
    if (pid === undefined || !isAlive(pid)) rmSync(join(cacheDir, entry), { recursive: true, force: true });
  }
}

/** Moves a folder, unless another process has unpacked the same version meanwhile. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/**
 * Returns a configuration of the package's fonts and those of the system, if it has any. The cache stays in
 * the folder.
 */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <cachedir>${join(folder, "font-cache")}</cachedir>
  <dir>${join(folder, "fonts")}</dir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
}

function refuseForeign(path: string): void {
  const { uid, mode } = lstatSync(path);
  const others = 0o022;
  if (uid === process.getuid?.() && (mode & others) === 0) return;
  throw new ConfigError(
    `${path} belongs to another user, or others may write it: delete it to unpack it again`,
  );
}

/**
 * Returns the environment. The system's libraries are preferred, because those of the package need glibc
 * 2.34.
 */
async function environmentOf(folder: string, executable: string): Promise<Record<string, string>> {
  const fonts = { FONTCONFIG_FILE: join(folder, "fonts.conf") };
  const libraries = { LD_LIBRARY_PATH: join(folder, "al2023/lib") };
  return (await loads(executable)) ? fonts : { ...fonts, ...libraries };
}

/** Returns whether the system has the libraries of the browser. */
async function loads(executable: string): Promise<boolean> {
  try {
    await promisify(execFile)(executable, ["--version"]);
    return true;
  } catch {
    return false;
  }
}
