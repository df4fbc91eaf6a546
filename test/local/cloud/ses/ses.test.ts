import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSes } from "../../../../local/cloud/ses/ses.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const identities = ["ingather@library.example", "verified.example"];

async function send(to: string[], { isSandbox = true, from = "ingather@library.example" } = {}) {
  const mailDir = temporaryFolder();
  const raw = Buffer.from(`From: ${from}\r\nSubject: S\r\n\r\nText\r\n`).toString("base64");
  const body = { FromEmailAddress: from, Destination: { BccAddresses: to }, Content: { Raw: { Data: raw } } };
  const request = {
    method: "POST",
    path: "/v2/email/outbound-emails",
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
  };
  const answer = await createSes(mailDir, { identities, isSandbox })(request as never);
  return { status: answer.status, text: String(answer.body), mails: readdirSync(mailDir).length };
}

describe("SES in the sandbox", () => {
  it.each([
    ["an address that is verified", ["ingather@library.example"], 200],
    ["an address of a verified domain", ["anna@verified.example"], 200],
    ["one of two that is not", ["anna@verified.example", "bob@other.example"], 400],
  ])("a mail to %s → %s %i", async (_to, to, status) => {
    const answer = await send(to);
    expect(answer.status).toBe(status);
    expect(answer.mails).toBe(status === 200 ? 1 : 0);
  });

  it("names those that are not verified", async () => {
    expect((await send(["bob@other.example"])).text).toContain("failed the check: bob@other.example");
  });
});

it("SES outside of it sends to anybody, but from a verified sender only", async () => {
  expect((await send(["bob@other.example"], { isSandbox: false })).status).toBe(200);
  const refused = await send(["bob@other.example"], { isSandbox: false, from: "mallory@other.example" });
  expect([refused.status, refused.mails]).toEqual([400, 0]);
});
