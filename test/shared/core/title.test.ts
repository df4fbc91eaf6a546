import { describe, expect, it } from "vitest";
import { titleSchema } from "../../../shared/core/title.ts";

const control = "must not have line breaks or other control characters";
const blank = "must have a character that can be seen";

describe("a title", () => {
  it.each([
    ["A"],
    ["Papers Past"],
    ["図書館"],
    ["מגילות \u200f(א)"],
    ["מ\u200eC++"],
    ["e\u0301tudes"],
    ["👩\u200d🔬"],
    ["§"],
    ["1984"],
    ["1234567890"],
  ])("%j → taken as it is", (title) => {
    expect(titleSchema(10 + title.length).parse(title)).toBe(title);
  });

  it.each([
    ["nothing", "", blank],
    ["blanks", "   ", blank],
    ["a no-break space", "\u00a0", blank],
    ["an ideographic space", "\u3000", blank],
    ["spaces without a width", "\u200b\ufeff\u2060", blank],
    ["a mark of direction", "\u200f", blank],
    ["a filler", "\u3164", blank],
    ["Braille without dots", "\u2800", blank],
    ["a line break", "A\nB", control],
    ["a paragraph separator", "A\u2029B", control],
    ["a null", "A\0", control],
    ["an override of direction", "A\u202egpj.exe", control],
    ["an embedding", "A\u202bB\u202c", control],
    ["an isolate", "A\u2067B\u2069", control],
    ["half a character", "A\ud800", control],
    ["more than the most", "A".repeat(11), "Too big: expected string to have <=10 characters"],
  ])("%s → refused", (_title, title, problem) => {
    expect(titleSchema(10).safeParse(title).error?.issues[0]?.message).toBe(problem);
  });
});
