import { beforeEach, describe, expect, it } from "vitest";
import { RemoteError, ThrottledError } from "../../../../shared/core/errors.ts";
import type { Mail } from "../../../../shared/records/mail/mailer.ts";
import { type SendOncePorts, sendOnce } from "../../../../shared/records/mail/send-once.ts";
import { memoryLeases } from "../../memory/leases.ts";
import { memorySentMails } from "./memory-sent-mails.ts";

const readers = (count: number) => Array.from({ length: count }, (_, at) => `reader-${at}@library.example`);
const mailTo = (to: string[]): Mail => ({ id: "m", to, subject: "S", text: "T", html: "<p>T</p>" });

let nowMs: number;
let messages: string[][];
let refused: Set<string>;
let ports: SendOncePorts;
beforeEach(() => {
  nowMs = Date.UTC(2026, 10, 20);
  messages = [];
  refused = new Set();
  ports = {
    sent: memorySentMails(),
    leases: memoryLeases(),
    sendMessage: async (_mail, to) => {
      if (to.some((address) => refused.has(address))) return { refusal: "not verified" };
      messages.push(to);
      return undefined;
    },
    clock: { now: () => new Date(nowMs) },
  };
});

/** Another process begins to send the mail. */
const claimedByAnother = (forMs: number) =>
  ports.leases.claim({ key: "mail#m", holder: "another", untilMs: nowMs + forMs }, nowMs);

describe("a mail", () => {
  it.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [50, [50]],
    [51, [50, 1]],
    [101, [50, 50, 1]],
  ])("to %i → messages of at most 50", async (count, sizes) => {
    await sendOnce(mailTo(readers(count)), ports);
    expect(messages.map(({ length }) => length)).toEqual(sizes);
    expect(messages.flat()).toEqual(readers(count));
  });

  it("to nobody → not sent, and no other process is waited for", async () => {
    await claimedByAnother(60_000);
    await sendOnce(mailTo([]), ports);
    expect(messages).toEqual([]);
  });

  it("sent again → only new recipients get it", async () => {
    await sendOnce(mailTo(readers(2)), ports);
    await sendOnce(mailTo(readers(2)), ports);
    await sendOnce(mailTo(readers(3)), ports);
    expect(messages).toEqual([readers(2), ["reader-2@library.example"]]);
  });

  it("sent → kept as it is, once per sending; to nobody new → not kept again", async () => {
    const kept: Mail[] = [];
    ports = { ...ports, sent: memorySentMails(kept) };
    await sendOnce(mailTo(readers(51)), ports);
    await sendOnce(mailTo(readers(51)), ports);
    expect(kept).toEqual([mailTo(readers(51))]);
  });

  it("another mail to the same recipients → sent", async () => {
    await sendOnce(mailTo(readers(1)), ports);
    await sendOnce({ ...mailTo(readers(1)), id: "another" }, ports);
    expect(messages).toHaveLength(2);
  });

  it("an address twice, also in another case → one mail, in the first spelling", async () => {
    await sendOnce(mailTo(["A@b.example", "A@b.example", "A@B.Example", "a@b.example"]), ports);
    await sendOnce(mailTo(["a@b.example", "c@b.example"]), ports);
    expect(messages).toEqual([["A@b.example"], ["c@b.example"]]);
  });

  it("one address is refused → all others get it, once; the error names it and why", async () => {
    const to = readers(60);
    refused.add("reader-7@library.example");
    const names = "the mail m is refused for 1 of its recipients: reader-7@library.example (not verified)";
    for (let times = 0; times < 2; times += 1) {
      const failing = sendOnce(mailTo(to), ports);
      await expect(failing).rejects.toThrow(RemoteError);
      await expect(failing).rejects.toThrow(names);
    }
    expect(messages.flat().sort()).toEqual(to.filter((address) => !refused.has(address)).sort());
    refused.clear();
    await sendOnce(mailTo(to), ports);
    expect(messages.at(-1)).toEqual(["reader-7@library.example"]);
  });

  it("the service fails in between → a repeat continues with the rest", async () => {
    const { sendMessage } = ports;
    let posts = 0;
    ports.sendMessage = async (mail, to) => {
      posts += 1;
      if (posts === 2) throw new Error("no answer");
      return sendMessage(mail, to);
    };
    await expect(sendOnce(mailTo(readers(51)), ports)).rejects.toThrow("no answer");
    await sendOnce(mailTo(readers(51)), ports);
    expect(messages).toEqual([readers(50), ["reader-50@library.example"]]);
  });

  it("requested twice at once → sent once, the other request is retried later", async () => {
    const both = await Promise.allSettled([
      sendOnce(mailTo(readers(1)), ports),
      sendOnce(mailTo(readers(1)), ports),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(both[1]).toMatchObject({ reason: expect.any(ThrottledError) });
    expect(messages).toHaveLength(1);
  });

  it("sent so slowly that another process has claimed it → the other keeps its lease", async () => {
    const { sendMessage } = ports;
    ports.sendMessage = async () => {
      nowMs += 120_000;
      await claimedByAnother(60_000);
      throw new Error("no answer");
    };
    await expect(sendOnce(mailTo(readers(1)), ports)).rejects.toThrow("no answer");
    ports.sendMessage = sendMessage;
    await expect(sendOnce(mailTo(readers(1)), ports)).rejects.toThrow(
      "another process is sending the mail m",
    );
  });

  it("its lease runs out between two messages, and another claims it → no further message", async () => {
    const { sendMessage } = ports;
    ports.sendMessage = async (mail, to) => {
      const refusal = await sendMessage(mail, to);
      nowMs += 120_000;
      await claimedByAnother(60_000);
      return refusal;
    };
    await expect(sendOnce(mailTo(readers(51)), ports)).rejects.toThrow(ThrottledError);
    expect(messages).toEqual([readers(50)]);
    expect(await ports.sent.recipients("m")).toEqual(new Set(readers(50)));
  });

  it("its sender was killed → sent after two minutes", async () => {
    await claimedByAnother(120_000);
    await expect(sendOnce(mailTo(readers(1)), ports)).rejects.toThrow(
      "another process is sending the mail m",
    );
    nowMs += 120_000;
    await sendOnce(mailTo(readers(1)), ports);
    expect(messages).toHaveLength(1);
  });
});
