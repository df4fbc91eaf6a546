import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { variable } from "../../shared/adapters/aws/environment.ts";
import { putObject } from "../../shared/adapters/aws/s3.ts";
import { pluralize } from "../../shared/core/pluralize.ts";

const pollIntervalMs = 2000;

/** The minimum age of a file. A younger file may be incomplete, but would be read as a complete mail. */
const minFileAgeMs = 1000;

/** Receives new files of the folder until the signal is aborted, and prints their number. */
export async function watchMailFolder(
  folder: string,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const printed = new Set<string>();
  while (!signal.aborted) {
    const { received, problems } = await receiveMail(folder);
    if (received > 0) print(`${pluralize(received, "received mail")} received; the next run reads them.`);
    for (const reason of problems.filter((one) => !printed.has(one))) {
      printed.add(reason);
      print(reason);
    }
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Puts the messages (RFC 5322) of a folder into the bucket of received mails, as SES does, and moves the
 * files to the subfolder `taken`. Files that may be incomplete are skipped: those younger than a second, and
 * those whose names begin with a dot. It may be repeated after a crash, because files with equal content are
 * the same message.
 * @returns the number of received messages, and a problem for each file that could not be received
 */
export async function receiveMail(
  folder: string,
  nowMs = Date.now(),
): Promise<{ received: number; problems: string[] }> {
  mkdirSync(join(folder, "taken"), { recursive: true });
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("."),
  );
  let received = 0;
  const problems: string[] = [];
  for (const { name } of files) {
    const path = join(folder, name);
    try {
      if (isRecentlyWritten(path, nowMs)) continue;
      const content = readFileSync(path);
      const key = createHash("sha256").update(content).digest("hex");
      await putObject(variable("receivedMailBucket"), key, { content, contentType: "message/rfc822" });
      renameSync(path, join(folder, "taken", name));
      received += 1;
    } catch (error) {
      problems.push(`${path} cannot be received: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { received, problems };
}

/**
 * Returns whether a file was written recently. A time in the future does not count as recent: the file may
 * come from another machine.
 */
function isRecentlyWritten(path: string, nowMs: number): boolean {
  const agoMs = nowMs - statSync(path).mtimeMs;
  return agoMs >= 0 && agoMs < minFileAgeMs;
}
