import { expect, it } from "vitest";
import { parseJson } from "../../../shared/core/parse-json.ts";

it.each<[string, string | Uint8Array, unknown]>([
  ["a text", '{"a":[1,"ü"]}', { a: [1, "ü"] }],
  ["bytes", new TextEncoder().encode('"ü"'), "ü"],
  ["null", "null", null],
  ["half a text", '{"a":', undefined],
  ["nothing", "", undefined],
  ["bytes that are not text", new Uint8Array([0x7b, 0xff]), undefined],
])("%s → its value, or undefined", (_what, json, value) => {
  expect(parseJson(json)).toEqual(value);
});
