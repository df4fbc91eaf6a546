import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inputOf, jsonResponse, restError, type Service } from "../service.ts";
import { bareAddress, identityOf } from "./identity.ts";

interface SendEmailInput {
  readonly FromEmailAddress?: string;
  readonly Destination?: {
    readonly ToAddresses?: string[];
    readonly CcAddresses?: string[];
    readonly BccAddresses?: string[];
  };
  readonly ReplyToAddresses?: string[];
  readonly Content: {
    readonly Raw?: { readonly Data: string };
    readonly Simple?: {
      readonly Subject: { readonly Data: string };
      readonly Body: { readonly Text?: { readonly Data: string }; readonly Html?: { readonly Data: string } };
      readonly Headers?: readonly { readonly Name: string; readonly Value: string }[];
    };
  };
}

/**
 * Creates SES's SendEmail, which writes every mail to a file that mail programs can open.
 * Mails with the same `X-Ingather-Mail-Id` share a file. SES replaces any Message-ID. The header
 * `X-Envelope-To` of the file names the recipients of all sendings, because the message itself need not name
 * them. In the sandbox, in which each new account starts, recipients must also be verified.
 *
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
export function createSes(
  mailDir: string,
  { identities, isSandbox }: { identities: readonly string[]; isSandbox: boolean },
): Service {
  mkdirSync(mailDir, { recursive: true });
  return async (request) => {
    const input = inputOf<SendEmailInput>(request);
    const message = await messageOf(input);
    if (message === undefined)
      return restError(400, "BadRequestException", "Content must be Raw or Simple in the local cloud.");
    const sender = bareAddress(input.FromEmailAddress ?? headerOf(message, "From") ?? "");
    if (identityOf(sender, identities) === undefined) {
      return restError(400, "MessageRejected", notVerified([sender]));
    }
    const recipients = recipientsOf(input);
    const refused = recipientProblem(recipients);
    if (refused !== undefined) return restError(400, "BadRequestException", refused);
    const unverified = isSandbox
      ? recipients.map(bareAddress).filter((address) => identityOf(address, identities) === undefined)
      : [];
    if (unverified.length > 0) return restError(400, "MessageRejected", notVerified(unverified));
    const messageId = randomUUID();
    const name = headerOf(message, "X-Ingather-Mail-Id") ?? messageId;
    const file = join(mailDir, `${name.replaceAll(/[^\w.@-]/g, "_").replace(/^\.+/, "")}.eml`);
    writeFileSync(file, withEnvelope(message, [...sentTo(file), ...recipients.map(bareAddress)]));
    return jsonResponse(200, { MessageId: messageId });
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html */
function notVerified(addresses: readonly string[]): string {
  return `Email address is not verified. The following identities failed the check: ${addresses.join(", ")}`;
}

/** @see https://docs.aws.amazon.com/ses/latest/dg/quotas.html#quotas-message */
const maxRecipients = 50;

/** Returns why recipients are refused. SES accepts a message for all of its recipients or for none. */
function recipientProblem(all: readonly string[]): string | undefined {
  if (all.length > maxRecipients) return `Recipient count exceeds ${maxRecipients}.`;
  const isBad = (address: string) => !/^[^@\s]+@[^@\s]+$/.test(bareAddress(address));
  return all.some(isBad) ? "Missing final '@domain'" : undefined;
}

function recipientsOf({ Destination = {} }: SendEmailInput): string[] {
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = Destination;
  return [...ToAddresses, ...CcAddresses, ...BccAddresses];
}

function withEnvelope(message: Buffer, recipients: readonly string[]): Buffer {
  if (recipients.length === 0) return message;
  const addresses = [...new Set(recipients)].join(",\r\n ");
  return Buffer.concat([Buffer.from(`X-Envelope-To: ${addresses}\r\n`), message]);
}

/** Returns the recipients of a mail file. */
function sentTo(file: string): string[] {
  const envelope = existsSync(file) ? headerOf(readFileSync(file), "X-Envelope-To") : undefined;
  return envelope?.split(/, */).filter(Boolean) ?? [];
}

async function messageOf(input: SendEmailInput): Promise<Buffer | undefined> {
  const { Raw, Simple } = input.Content;
  if (Raw !== undefined) return Buffer.from(Raw.Data, "base64");
  if (Simple === undefined) return undefined;
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { Text, Html } = Simple.Body;
  const composer = new MailComposer({
    from: input.FromEmailAddress ?? "",
    to: input.Destination?.ToAddresses ?? [],
    cc: input.Destination?.CcAddresses ?? [],
    replyTo: input.ReplyToAddresses ?? [],
    subject: Simple.Subject.Data,
    headers: (Simple.Headers ?? []).map(({ Name, Value }) => ({ key: Name, value: Value })),
    ...(Text !== undefined && { text: Text.Data }),
    ...(Html !== undefined && { html: Html.Data }),
  });
  return composer.compile().build();
}

/** Returns the value of a header, unfolded; undefined if the message does not have the header. */
function headerOf(message: Buffer, name: string): string | undefined {
  const head = message.toString("latin1").split(/\r?\n\r?\n/, 1)[0] ?? "";
  const unfolded = head.replaceAll(/\r?\n[ \t]+/g, " ");
  return new RegExp(`^${name}:(.*)$`, "im").exec(unfolded)?.[1]?.trim();
}
