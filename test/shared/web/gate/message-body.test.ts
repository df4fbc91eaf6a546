import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  bodyInMessage,
  bodyOfKey,
  objectKeyOf,
  withStoredBody,
} from "../../../../shared/web/gate/message-body.ts";
import { inboundResponse } from "../../../../shared/web/request/response.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a body in a message", () => {
  it.each([
    ["a page", bytes("<p>é</p>".repeat(2000))],
    ["nothing", new Uint8Array()],
    ["bytes that are not text", new Uint8Array([0, 255, 128])],
  ])("comes back as it was: %s", (_, body) => {
    const key = bodyInMessage(body) ?? "";
    expect(key).toMatch(/^data:application\/gzip;base64,/);
    expect(Buffer.from(bodyOfKey(key) ?? []).equals(body)).toBe(true);
  });

  it("is none when it does not become small, or is long", () => {
    expect(bodyInMessage(randomBytes(40_000))).toBeUndefined();
    expect(bodyInMessage(bytes("a".repeat(600_000)))).toBeUndefined();
    expect(bodyOfKey("bodies/one-0")).toBeUndefined();
  });

  it("is stored when it must outlast the message", async () => {
    const stored = new Map<string, Uint8Array>();
    const store = async (name: string, body: Uint8Array) => {
      stored.set(name, body);
      return `bodies/${name}`;
    };
    const response = inboundResponse.parse({
      request: { id: "one", kind: "article", url: "https://a.example/" },
      outcome: {
        type: "answered",
        status: 200,
        url: "https://a.example/",
        hops: [],
        headers: {},
        elapsedMs: 1,
        bodyKey: bodyInMessage(bytes("page")),
      },
    });
    expect(await withStoredBody(response, { store })).toMatchObject({
      outcome: { bodyKey: "bodies/one-read" },
    });
    expect(Buffer.from(stored.get("one-read") ?? []).toString()).toBe("page");
    expect(await objectKeyOf("bodies/two", "two-read", { store })).toBe("bodies/two");
    expect(stored.size).toBe(1);
  });
});
