import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { variable } from "../shared/aws/environment.ts";
import { putObject } from "../shared/aws/s3.ts";
import { counted } from "../shared/core/counted.ts";

const lookEveryMs = 2000;

/** What was written to so lately may still be: half a mail in the bucket would be read as a whole one. */
const writtenMs = 1000;

/** Takes what is put into the folder from now on, until the signal, and tells of it. */
export async function watchMail(
  folder: string,
  { tell, signal }: { tell: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const told = new Set<string>();
  while (!signal.aborted) {
    const { taken, left } = await takeMail(folder);
    if (taken > 0) tell(`${counted(taken, "received mail")} taken: the next run reads them.`);
    for (const reason of left.filter((one) => !told.has(one))) {
      told.add(reason);
      tell(reason);
    }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Puts the messages (RFC 5322) of a folder into the bucket of received mails, as SES does, and moves them to its folder
 * `taken`. Files stay that may still be written: those that were a second ago, or whose names begin with a dot. May be done
 * again after a crash: the same content is the same message.
 * @returns how many there were, and why others are still there that should have been taken
 */
export async function takeMail(
  folder: string,
  nowMs = Date.now(),
): Promise<{ taken: number; left: string[] }> {
  mkdirSync(join(folder, "taken"), { recursive: true });
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("."),
  );
  let taken = 0;
  const left: string[] = [];
  for (const { name } of files) {
    const path = join(folder, name);
    try {
      if (wasJustWritten(path, nowMs)) continue;
      const content = readFileSync(path);
      const key = createHash("sha256").update(content).digest("hex");
      await putObject(variable("receivedMailBucket"), key, { content, contentType: "message/rfc822" });
      renameSync(path, join(folder, "taken", name));
      taken += 1;
    } catch (error) {
      left.push(`${path} cannot be taken: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { taken, left };
}

/** A time to come, as a copy from another clock may have, says nothing. */
function wasJustWritten(path: string, nowMs: number): boolean {
  const agoMs = nowMs - statSync(path).mtimeMs;
  return agoMs >= 0 && agoMs < writtenMs;
}
