import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { variable } from "../shared/adapters/aws/environment.ts";
import { putObject } from "../shared/adapters/aws/s3.ts";
import { pluralize } from "../shared/core/pluralize.ts";

const pollIntervalMs = 2000;

/** What was written to so lately may still be: half a mail in the bucket would be read as a whole one. */
const minFileAgeMs = 1000;

/** Takes what is put into the folder from now on, until the signal, and tells of it. */
export async function watchMailFolder(
  folder: string,
  { print, signal }: { print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const printed = new Set<string>();
  while (!signal.aborted) {
    const { received, problems } = await receiveMail(folder);
    if (received > 0) print(`${pluralize(received, "received mail")} taken: the next run reads them.`);
    for (const reason of problems.filter((one) => !printed.has(one))) {
      printed.add(reason);
      print(reason);
    }
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Puts the messages (RFC 5322) of a folder into the bucket of received mails, as SES does, and moves them to its folder
 * `taken`. Files stay that may still be written: those that were a second ago, or whose names begin with a dot. May be done
 * again after a crash: the same content is the same message.
 * @returns how many there were, and why others are still there that should have been taken
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
      problems.push(`${path} cannot be taken: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { received, problems };
}

/** A time to come, as a copy from another clock may have, says nothing. */
function isRecentlyWritten(path: string, nowMs: number): boolean {
  const agoMs = nowMs - statSync(path).mtimeMs;
  return agoMs >= 0 && agoMs < minFileAgeMs;
}
