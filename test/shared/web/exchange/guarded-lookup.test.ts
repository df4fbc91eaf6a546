import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { isForbiddenAddress } from "../../../../shared/web/address/forbidden-address.ts";
import { guardedLookup } from "../../../../shared/web/exchange/guarded-lookup.ts";
import type { Resolve } from "../../../../shared/web/exchange/resolve.ts";

const publicOne: LookupAddress = { address: "93.184.216.34", family: 4 };
const publicTwo: LookupAddress = { address: "2606:4700::1111", family: 6 };
const loopback: LookupAddress = { address: "127.0.0.1", family: 4 };
const metadata: LookupAddress = { address: "169.254.169.254", family: 4 };

function ask(resolve: Resolve, all: boolean): Promise<unknown> {
  return new Promise((settle) => {
    const lookUp = guardedLookup(resolve, isForbiddenAddress, 50);
    lookUp("host.example", { all }, (error, address, family) =>
      settle(error ?? (all ? address : [address, family])),
    );
  });
}

describe("guardedLookup", () => {
  test.each([
    ["public addresses → all of them, in order", [publicTwo, publicOne], [publicTwo, publicOne]],
    ["a private one among them → dropped", [loopback, publicOne, metadata], [publicOne]],
  ])("%s", async (_title, found, expected) => {
    expect(await ask(async () => found, true)).toEqual(expected);
  });

  test("a connection that wants one address → the first allowed", async () => {
    expect(await ask(async () => [loopback, publicTwo, publicOne], false)).toEqual(["2606:4700::1111", 6]);
  });

  test.each([
    [
      "only forbidden ones → refused, naming them",
      [loopback, metadata],
      "address",
      /127\.0\.0\.1, 169\.254\.169\.254/,
    ],
    ["none at all → a failure of DNS", [], "dns", /no address/],
  ])("%s", async (_title, found, reason, message) => {
    expect(await ask(async () => found, true)).toMatchObject({
      reason,
      message: expect.stringMatching(message),
    });
  });

  test("a resolver that fails → a failure of DNS with its message", async () => {
    const resolve = async (): Promise<never> => {
      throw new Error("getaddrinfo ENOTFOUND host.example");
    };
    expect(await ask(resolve, true)).toMatchObject({
      reason: "dns",
      message: expect.stringContaining("ENOTFOUND"),
    });
  });

  test("a name that is public first and private the next time (rebinding) → each response judged again", async () => {
    const answers = [[publicOne], [loopback]];
    const resolve = async (): Promise<LookupAddress[]> => answers.shift() ?? [];
    expect(await ask(resolve, true)).toEqual([publicOne]);
    expect(await ask(resolve, true)).toMatchObject({ reason: "address" });
  });

  test("a resolver that never ends → a failure of DNS, and the resolver is cancelled", async () => {
    let signal: AbortSignal | undefined;
    const resolve: Resolve = (_hostname, given) => {
      signal = given;
      return new Promise(() => {});
    };
    expect(await ask(resolve, true)).toMatchObject({
      reason: "dns",
      message: "the name host.example could not be resolved within 0.05 s",
    });
    expect(signal?.aborted).toBe(true);
  });
});
