import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { variable } from "../shared/aws/environment.ts";
import { putObject } from "../shared/aws/s3.ts";
import { counted } from "../shared/core/counted.ts";

const lookEveryMs = 2000;

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
 * `taken`. Files whose names begin with a dot stay: so may one that is being written. May be done again after a crash:
 * the same content is the same message.
 * @returns how many there were, and why others are still there
 */
export async function takeMail(folder: string): Promise<{ taken: number; left: string[] }> {
  mkdirSync(join(folder, "taken"), { recursive: true });
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("."),
  );
  const left: string[] = [];
  for (const { name } of files) {
    try {
      const content = readFileSync(join(folder, name));
      const key = createHash("sha256").update(content).digest("hex");
      await putObject(variable("receivedMailBucket"), key, { content, contentType: "message/rfc822" });
      renameSync(join(folder, name), join(folder, "taken", name));
    } catch (error) {
      left.push(`${join(folder, name)} cannot be taken: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { taken: files.length - left.length, left };
}
