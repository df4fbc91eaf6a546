import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** Mails become files. */
export function mailCases(small: SmallCloud): void {
  describe("mail", () => {
    const raw = (from: string) =>
      new Uint8Array(Buffer.from(`From: ${from}\r\nX-Ingather-Mail-Id: daily-1\r\nSubject: x\r\n\r\nText`));

    test("sent twice under one X-Ingather-Mail-Id → one file", async () => {
      const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
      for (const _ of [1, 2]) await sendRaw(encoded);
      expect(readdirSync(join(small.stateDir, "mail"))).toEqual(["daily-1.eml"]);
    });

    test("whom a mail goes to, also when it is sent again to others → in the header X-Envelope-To", async () => {
      const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
      for (const addresses of [["a@b.example", "Cé <c@d.example>"], ["a@b.example"], ["e@f.example"]]) {
        await sendRaw(encoded, { Destination: { BccAddresses: addresses } });
      }
      const text = readFileSync(join(small.stateDir, "mail", "daily-1.eml"), "utf8");
      expect(text).toBe(
        `X-Envelope-To: a@b.example,\r\n c@d.example,\r\n e@f.example\r\n${Buffer.from(encoded, "base64")}`,
      );
    });

    test("a sender that is not an identity → MessageRejected", async () => {
      const encoded = Buffer.from(raw("other@library.example")).toString("base64");
      expect(await sendRaw(encoded)).toEqual({
        message:
          "Email address is not verified. The following identities failed the check: other@library.example",
      });
    });

    test.each<[string, string[], string | undefined]>([
      ["50 recipients → taken", Array(50).fill("a@b.example"), undefined],
      ["51 → refused", Array(51).fill("a@b.example"), "Recipient count exceeds 50."],
      ["one that is not an address → refused for all", ["a@b.example", "nobody"], "Missing final '@domain'"],
    ])("%s", async (_title, BccAddresses, message) => {
      const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
      const answer = await sendRaw(encoded, { Destination: { BccAddresses } });
      expect(answer).toEqual(message === undefined ? { MessageId: expect.any(String) } : { message });
    });

    test("a simple mail → a MIME message", async () => {
      const sent = await small.call("ses", "SendEmailCommand", {
        FromEmailAddress: "Small <small@library.example>",
        Destination: { ToAddresses: ["to@library.example"] },
        Content: { Simple: { Subject: { Data: "Täglich" }, Body: { Text: { Data: "Grüße" } } } },
      });
      const text = readFileSync(join(small.stateDir, "mail", `${sent.MessageId}.eml`), "utf8");
      expect(text).toMatch(/^To: to@library\.example\r$/m);
      expect(text).toContain("Subject: =?UTF-8?Q?T=C3=A4glich?=");
    });

    async function sendRaw(Data: string, more: object = {}): Promise<unknown> {
      const answer = await fetch(`${small.cloud.gatewayUrl}/v2/email/outbound-emails`, {
        method: "POST",
        headers: {
          authorization: small.adminAuthorization("ses"),
        },
        body: JSON.stringify({ Content: { Raw: { Data } }, ...more }),
      });
      return answer.json();
    }
  });
}
