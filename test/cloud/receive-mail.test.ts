import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { stateFolder, testCloud } from "./local-cloud.ts";

const state = stateFolder();
const folder = join(state, "received");
const nowMs = Date.parse("2026-11-20T10:00:00Z");

/** A file that was written so many seconds ago. */
function write(name: string, content: string, agoSeconds = 1): void {
  const path = join(folder, name);
  writeFileSync(path, content);
  utimesSync(path, nowMs / 1000, nowMs / 1000 - agoSeconds);
}

beforeAll(async () => {
  await testCloud(state, { polling: false });
});

it("messages in the folder → unread mails of every source, once; hidden ones and folders stay", async () => {
  const { receiveMail } = await import("../../local/start/receive-mail.ts");
  const { receivedMail } = await import("../../shared/harvest/stores/received-mail.ts");
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 0, problems: [] });
  write("a.eml", "Subject: a\r\n\r\nx");
  write("same.eml", "Subject: a\r\n\r\nx");
  write(".b.eml", "Subj");
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 2, problems: [] });
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 0, problems: [] });
  expect(readdirSync(join(folder, "taken")).toSorted()).toEqual(["a.eml", "same.eml"]);
  expect(existsSync(join(folder, ".b.eml"))).toBe(true);

  const mails = receivedMail();
  const [message, ...more] = await mails.unread("a-source");
  expect(more).toEqual([]);
  expect(Buffer.from(await mails.message(message?.key ?? "")).toString()).toBe("Subject: a\r\n\r\nx");
});

it("a file that cannot be moved → said which; the others are taken", async () => {
  const { receiveMail } = await import("../../local/start/receive-mail.ts");
  write("1.eml", "1");
  mkdirSync(join(folder, "taken", "1.eml"));
  write("2.eml", "2");
  const problems = [expect.stringMatching(/1\.eml cannot be received: /)];
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 1, problems });
});

it("a file that may still be written → left without a word, and taken at a later look", async () => {
  const { receiveMail } = await import("../../local/start/receive-mail.ts");
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  write("now.eml", "half a ma", 0.5);
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 0, problems: [] });
  expect(await receiveMail(folder, nowMs + 600)).toEqual({ received: 1, problems: [] });
});

it("a file of a time to come → taken", async () => {
  const { receiveMail } = await import("../../local/start/receive-mail.ts");
  write("copied.eml", "from another clock", -60);
  expect(await receiveMail(folder, nowMs)).toEqual({ received: 1, problems: [] });
});
