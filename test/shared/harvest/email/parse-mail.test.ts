import { expect, it } from "vitest";
import { type ParsedMail, parseMail } from "../../../../shared/harvest/email/parse-mail.ts";

async function parse(...lines: string[]): Promise<ParsedMail> {
  const message = await parseMail(new TextEncoder().encode(lines.join("\r\n")));
  if (typeof message === "string") throw new Error(message);
  return message;
}

it("both parts of a message → the links of either, each once", async () => {
  const message = await parse(
    "Subject: =?utf-8?Q?Neues_Heft_=C3=BCber?=",
    'Content-Type: multipart/alternative; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "See https://j.example/1 (or https://j.example/2).",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    '<a href=3D"https://j.example/3?a=3D1&amp;b=3D2">x</a><a href=3D"https://j.example/1">y</a>',
    "--b--",
  );
  expect(message.subject).toBe("Neues Heft über");
  expect(message.links.map(({ pathname }) => pathname).sort()).toEqual(["/1", "/2", "/3"]);
  expect(message.isSuspect).toBe(false);
});

it.each([
  ["X-SES-Spam-Verdict: FAIL", true],
  ["X-SES-Virus-Verdict: FAIL", true],
  ["X-SES-Spam-Verdict: PASS", false],
  ["X-Spam: FAIL", false],
])("%s → suspect: %s", async (header, isSuspect) => {
  expect((await parse(header, "Subject: x", "", "text")).isSuspect).toBe(isSuspect);
});

it.each([[""], ["no header at all"], ["\u0000\u0001"]])("%j → a message without links", async (text) => {
  expect((await parse(text)).links).toEqual([]);
});

it("parts nested without end → what is wrong", async () => {
  const parts = Array.from(
    { length: 500 },
    (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
  );
  expect(await parseMail(new TextEncoder().encode(parts.join("")))).toMatch(/nesting/i);
});
