import { expect, test } from "vitest";
import { parseCreators } from "../../../shared/formats/creator-names.ts";

const person = (firstName: string, lastName: string) => ({ creatorType: "author", firstName, lastName });
const whole = (name: string) => ({ creatorType: "author", name });

test.each<[string, string[], object[]]>([
  ["Last, First → split at the comma", ["Doe, Jane"], [person("Jane", "Doe")]],
  ["First Last → split before the last word", ["Jane Mary Doe"], [person("Jane Mary", "Doe")]],
  ["a suffix → stays with the first name", ["Doe, John, Jr."], [person("John Jr.", "Doe")]],
  ["a Japanese name → the surname first", ["山田 太郎"], [person("太郎", "山田")]],
  ["an ideographic blank → as any other", ["佐々木　はな子"], [person("はな子", "佐々木")]],
  ["Hangul, each syllable apart → the surname is the first", ["김 철 수"], [person("철 수", "김")]],
  ["East Asian names at commas → a list", ["山田 太郎, 李 明"], [person("太郎", "山田"), person("明", "李")]],
  [
    "Katakana alone → a foreign name in its own order",
    ["マックス ウェーバー"],
    [person("マックス", "ウェーバー")],
  ],
  ["another script beside → before the last word", ["太郎 Yamada"], [person("太郎", "Yamada")]],
  ["an East Asian name with a comma → split there", ["山田, 太郎"], [person("太郎", "山田")]],
  ["a body → whole", ["World Health Organization"], [whole("World Health Organization")]],
  [
    "a body in the order of a person → its own order",
    ["Organization, World Health"],
    [whole("World Health Organization")],
  ],
  [
    "a body with a comma, one value of several → whole",
    ["Ministry of Health, Labour and Welfare", "Doe, Jane"],
    [whole("Ministry of Health, Labour and Welfare"), person("Jane", "Doe")],
  ],
  ["one word → whole", ["Plato"], [whole("Plato")]],
  ["a comma and nothing behind → whole", ["Plato,"], [whole("Plato")]],
  [
    "initials without dots → dotted",
    ["Smith JA, X", "Smith, JA"],
    [person("X.", "Smith JA"), person("J. A.", "Smith")],
  ],
  ["a dotted initial → keeps its dot", ["Smith, John A."], [person("John A.", "Smith")]],
  ["capitals → case of names", ["O'BRIEN, MARY-ANN"], [person("Mary-Ann", "O'Brien")]],
  ["small letters → case of names", ["jane doe"], [person("Jane", "Doe")]],
  ["semicolons → a list", ["Doe, Jane; Roe, Richard;"], [person("Jane", "Doe"), person("Richard", "Roe")]],
  [
    "full names at commas → a list",
    ["Jane Doe, Richard Roe"],
    [person("Jane", "Doe"), person("Richard", "Roe")],
  ],
  [
    "a particle before the comma → one name",
    ["de la Cruz, Maria Elena"],
    [person("Maria Elena", "de la Cruz")],
  ],
  [
    "words on both sides of the comma in one value of several → one name each",
    ["Vargas Llosa, Mario Pedro", "Doe, Jane"],
    [person("Mario Pedro", "Vargas Llosa"), person("Jane", "Doe")],
  ],
  [
    "entities encoded twice → decoded before the list is split",
    ["M&uuml;ller, Eva"],
    [person("Eva", "Müller")],
  ],
  ["markup → stripped", ["<b>Jane</b> Doe"], [person("Jane", "Doe")]],
  ["punctuation, URLs, mail addresses → no names", [" , ", "https://x.example/jane", "jane@x.example"], []],
  ["a sentence → no name", [`Doe, ${"very ".repeat(50)}long`], []],
])("%s", (_title, values, creators) => {
  expect(parseCreators(values)).toEqual(creators);
});
