import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { stateFolder, testCloud } from "./local-cloud.ts";

const state = stateFolder();
const folder = join(state, "received");

beforeAll(async () => {
  await testCloud(state, { polling: false });
});

it("messages in the folder → unread mails of every source, once; hidden ones and folders stay", async () => {
  const { takeMail } = await import("../../local/take-mail.ts");
  const { receivedMail } = await import("../../shared/aws/harvest/received-mail.ts");
  expect(await takeMail(folder)).toEqual({ taken: 0, left: [] });
  writeFileSync(join(folder, "a.eml"), "Subject: a\r\n\r\nx");
  writeFileSync(join(folder, "same.eml"), "Subject: a\r\n\r\nx");
  writeFileSync(join(folder, ".b.eml"), "Subj");
  expect(await takeMail(folder)).toEqual({ taken: 2, left: [] });
  expect(await takeMail(folder)).toEqual({ taken: 0, left: [] });
  expect(readdirSync(join(folder, "taken")).toSorted()).toEqual(["a.eml", "same.eml"]);
  expect(existsSync(join(folder, ".b.eml"))).toBe(true);

  const mails = receivedMail();
  const [message, ...more] = await mails.unread("a-source");
  expect(more).toEqual([]);
  expect(Buffer.from(await mails.message(message?.key ?? "")).toString()).toBe("Subject: a\r\n\r\nx");
});

it("a file that cannot be moved → said which; the others are taken", async () => {
  const { takeMail } = await import("../../local/take-mail.ts");
  writeFileSync(join(folder, "1.eml"), "1");
  mkdirSync(join(folder, "taken", "1.eml"));
  writeFileSync(join(folder, "2.eml"), "2");
  const left = [expect.stringMatching(/1\.eml cannot be taken: /)];
  expect(await takeMail(folder)).toEqual({ taken: 1, left });
});
