import { expect, it, vi } from "vitest";
import { awsEndpoint } from "./endpoint.ts";

interface SentEmail {
  Destination: { ToAddresses?: string[]; BccAddresses: string[] };
  Content: { Raw: { Data: string } };
}

const asked = await awsEndpoint(({ path }) => (path === "/" ? {} : { MessageId: "of SES" }));
vi.stubEnv("MAIL_FROM", "Ingather <ingather@library.example>");
vi.stubEnv("SENT_MAILS_TABLE", "sent-mails");
vi.stubEnv("LEASES_TABLE", "leases");
vi.stubEnv("RECORDS_BUCKET", "records");
const { mailer } = await import("../../../../shared/adapters/aws/mailer.ts");

it("51 recipients → two messages of at most 50, none of whom sees another; each says which mail it is", async () => {
  const to = Array.from({ length: 51 }, (_, at) => `reader-${at}@library.example`);
  await mailer().send({ id: "run.finished", to, subject: "Subject", text: "Text", html: "<p>Text</p>" });
  const sent = asked
    .filter(({ path }) => path.startsWith("/v2/email/"))
    .map(({ body }) => JSON.parse(body) as SentEmail);
  expect(sent.map(({ Destination }) => Destination)).toEqual([
    { BccAddresses: to.slice(0, 50) },
    { BccAddresses: to.slice(50) },
  ]);
  for (const { Content } of sent) {
    const message = Buffer.from(Content.Raw.Data, "base64").toString();
    expect(message).toMatch(/^X-Ingather-Mail-Id: run\.finished\r$/im);
    expect(message).not.toContain("reader-");
  }
});

it("a deployment without a sender → the mail is kept as not sent, and SES is not asked", async () => {
  vi.stubEnv("MAIL_FROM", "");
  const before = asked.length;
  await mailer().send({
    id: "run.kept",
    to: ["a@b.example"],
    subject: "S",
    text: "Text",
    html: "<p>Text</p>",
  });
  const calls = asked.slice(before);
  expect(calls.filter(({ path }) => path.startsWith("/v2/email/"))).toEqual([]);
  const text = calls.find(({ path }) => path.includes("/mails/"))?.body;
  expect(text).toContain('"text":"Text"');
  const note = JSON.parse(calls.find(({ body }) => body.includes("sentTo"))?.body ?? "{}");
  const [, isSent = ""] = /#isSent = (:\w+)/.exec(note.UpdateExpression) ?? [];
  expect(note.ExpressionAttributeValues[isSent]).toEqual({ BOOL: false });
  expect(Object.values(note.ExpressionAttributeValues)).toContainEqual({ SS: ["a@b.example"] });
});
