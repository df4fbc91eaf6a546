import { expect, it } from "vitest";
import { parseCreators } from "../../../../shared/formats/creator-names.ts";
import type { ZoteroCreator, ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { convertItems } from "../../../../shared/harvest/convert/convert.ts";
import { contextOf, item, today } from "./fixtures.ts";

const author = (creator: Partial<ZoteroCreator>): ZoteroCreator => ({ creatorType: "author", ...creator });

/** The name fields of an item, as `tag ii$a…` without $e. */
function namesOf(creators: ZoteroCreator[], authorities: Parameters<typeof convertItems>[2]["authorities"]) {
  const items: ZoteroItem[] = [{ ...item, creators }];
  const [converted] = convertItems(items, contextOf(), { today, ...(authorities && { authorities }) });
  if (converted?.type !== "converted") throw new Error("dropped");
  return converted.record.fields
    .filter(([tag]) => /^[17]\d\d$/.test(tag) && tag !== "773")
    .map(
      ([tag, indicators, subfields]) =>
        `${tag} ${indicators.replaceAll(" ", "_")}${subfields.map(([c, v]) => (c === "e" ? "" : `$${c}${v}`)).join("")}`,
    );
}

const body = (name: string) => `110 2_$4aut$a${name}`;
const person = (name: string, tag = "100") => `${tag} 1_$4aut$a${name}`;

/** A name as a page writes it. */
const written: [string, string[]][] = [
  ["Johannes Paul II.", ["100 0_$4aut$aJohannes Paul$bII."]],
  ["Benedikt XVI.", ["100 0_$4aut$aBenedikt$bXVI."]],
  ["Charles III", ["100 0_$4aut$aCharles$bIII."]],
  ["Henry Jones III", ["100 1_$4aut$aJones, Henry$bIII."]],
  ["JOHN SMITH III", ["100 1_$4aut$aSmith, John$bIII."]],
  ...[
    "Rat der EKD",
    "Deutsche Bischofskonferenz",
    "Church of England",
    "Evangelische Kirche in Deutschland",
    "Conférence des évêques de France",
    "World Bank",
    "Google Research",
    "Dartmouth College",
  ].map((name): [string, string[]] => [name, [body(name)]]),
  ["Jean Paul Malrieu,*,‡ and", [person("Malrieu, Jean Paul")]],
  ["Karl Müller and Anna Schmidt", [person("Müller, Karl"), person("Schmidt, Anna", "700")]],
  ["Müller, K. & Schmidt, A.", [person("Müller, K."), person("Schmidt, A.", "700")]],
  ["Karl Müller (Tübingen)", [person("Müller, Karl")]],
  ["Prof. Dr. Anna Schmidt", [person("Schmidt, Anna")]],
  ["Prof. Dr. theol. h. c. Anna Schmidt", [person("Schmidt, Anna")]],
  ["Smith J", [person("Smith, J")]],
  ["Müller K. H.", [person("Müller, K. H.")]],
  ["Josep Puig i Cadafalch", [person("Puig i Cadafalch, Josep")]],
  ["José Ortega y Gasset", [person("Ortega y Gasset, José")]],
  ["Artur da Costa e Silva", [person("Costa e Silva, Artur da")]],
  ["João dos Santos", [person("Santos, João dos")]],
  ["Antonio da Silva Filho", [person("Silva Filho, Antonio da")]],
  ["Anna Di Marco", [person("Di Marco, Anna")]],
];

it.each(written)("%s on a page → %j", (name, fields) => {
  expect(namesOf(parseCreators([name]), undefined)).toEqual(fields);
});

/** Capitals, and lists of inverted names, are left as another program has them. */
const splittable = written.filter(([name]) => !/&|SMITH/.test(name));

it.each(splittable)("%s, split before its last word by another program → the same", (name, fields) => {
  const space = name.lastIndexOf(" ");
  const split = author({ firstName: name.slice(0, space), lastName: name.slice(space + 1) });
  expect(namesOf([split], undefined)).toEqual(fields);
});

it("a pope in the authority file → its number and $c Papst; one that it lacks → neither", () => {
  const pope = parseCreators(["Johannes Paul II."]);
  const identified = { type: "identified", number: "118558064", title: "Papst" } as const;
  expect(namesOf(pope, new Map([["Johannes Paul II.", identified]]))).toEqual([
    "100 0_$0(DE-588)118558064$4aut$aJohannes Paul$bII.$cPapst",
  ]);
  expect(namesOf(pope, new Map([["Johannes Paul II.", { type: "unknown" }]]))).toEqual([
    "100 0_$4aut$aJohannes Paul$bII.",
  ]);
});

it("a person with the title of an author of another name in the authority file → no title", () => {
  const identified = { type: "identified", number: "1", title: "Papst" } as const;
  const creators = [author({ firstName: "Ada", lastName: "Miller" })];
  expect(namesOf(creators, new Map([["Miller, Ada", identified]]))).toEqual([
    "100 1_$0(DE-588)1$4aut$aMiller, Ada",
  ]);
});

it.each<[string, ZoteroCreator[], string[]]>([
  [
    "a body of whose name only the source knows",
    [author({ name: "Google", kind: "body" })],
    [body("Google")],
  ],
  [
    "a person whose name has a word of bodies",
    [author({ firstName: "Ann", lastName: "Church of", kind: "person" })],
    [person("Church of, Ann")],
  ],
  [
    "a body after a person",
    [author({ firstName: "Ada", lastName: "Miller" }), author({ name: "Rat der EKD" })],
    [person("Miller, Ada"), "710 2_$4aut$aRat der EKD"],
  ],
  [
    "a person after a body",
    [author({ name: "Rat der EKD" }), author({ firstName: "Ada", lastName: "Miller" })],
    [body("Rat der EKD"), person("Miller, Ada", "700")],
  ],
])("%s → its field", (_what, creators, fields) => {
  expect(namesOf(creators, undefined)).toEqual(fields);
});
