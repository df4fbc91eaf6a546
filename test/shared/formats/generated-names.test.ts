import { expect, it } from "vitest";
import { seededRandom } from "../../../local/cloud/seeded-random.ts";
import { parseCreators } from "../../../shared/formats/creator-names.ts";

type Name = { creatorType: string } & ({ name: string } | { firstName: string; lastName: string });

const forenames = ["Karl", "Anna", "Jean Paul", "María José", "Søren", "Käthe", "Zoë", "Jean-Luc", "Ngozi"];
const surnames = ["Müller", "Schmidt", "Malrieu", "O’Brien", "Smith-Jones", "Łukasz", "Weiß", "Okafor"];
const compounds = ["van der Berg", "de la Cruz", "Puig i Cadafalch", "Ó Néill", "García Márquez"];
const titles = ["Prof. Dr.", "Dr.", "Prof.", "Rev."];
const places = ["Tübingen", "Paris", "Oxford"];
const bodies = [
  "Rat der EKD",
  "Deutsche Bischofskonferenz",
  "Church of England",
  "Evangelische Kirche in Deutschland",
  "Conférence des évêques de France",
  "World Bank",
  "Google Research",
  "Dartmouth College",
  "World Health Organization",
];
const sovereigns = ["Johannes Paul II.", "Benedikt XVI.", "Charles III", "Elizabeth II"];

type Random = () => number;
const pick = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value;
const author = { creatorType: "author" };

/** Writes one name in a form that pages use, with what it is. */
const forms: ((random: Random) => [string, Name])[] = [
  (random) => person(random, ({ first, last }) => `${first} ${last}`),
  (random) => person(random, ({ first, last }) => `${last}, ${first}`),
  (random) => person(random, ({ first, last }) => `${pick(titles, random)} ${first} ${last}`),
  (random) => person(random, ({ first, last }) => `${first} ${last} (${pick(places, random)})`),
  (random) => person(random, ({ first, last }) => `${first} ${last},*`),
  (random) => person(random, ({ first, last }) => `${first} ${last}*,‡`),
  (random) => person(random, ({ first, last }) => `${last}, ${first}`, compounds),
  (random) => {
    const last = pick(surnames, random);
    return [`${last} J`, { ...author, firstName: "J", lastName: last }];
  },
  (random) => {
    const last = pick(surnames, random);
    return [`${last}, K.`, { ...author, firstName: "K.", lastName: last }];
  },
  (random) => whole(pick(bodies, random)),
  (random) => whole(pick(sovereigns, random)),
];

function person(
  random: Random,
  write: (name: { first: string; last: string }) => string,
  lasts: readonly string[] = surnames,
): [string, Name] {
  const name = { first: pick(forenames, random), last: pick(lasts, random) };
  return [write(name), { ...author, firstName: name.first, lastName: name.last }];
}

function whole(name: string): [string, Name] {
  return [name, { ...author, name }];
}

it("8000 lists of persons, bodies and sovereigns, one value each → each name as its writer meant it", () => {
  const random = seededRandom(110);
  for (let run = 0; run < 8000; run += 1) {
    const written = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(forms, random)(random));
    const values = written.map(([text]) => text);
    expect(parseCreators(values), values.join(" | ")).toEqual(written.map(([, name]) => name));
  }
});

it('4000 lists in one value, at semicolons, "and" or "&" → the same names', () => {
  const random = seededRandom(720);
  for (let run = 0; run < 4000; run += 1) {
    const separator = pick(["; ", " and ", " & ", " und "], random);
    const isPlain = separator !== "; ";
    const names = Array.from({ length: isPlain ? 2 : 3 }, () =>
      isPlain
        ? person(random, ({ first, last }) =>
            separator === " & " ? `${last}, ${first.charAt(0)}.` : `${first} ${last}`,
          )
        : pick(forms, random)(random),
    );
    const expected = names.map(([, name]) =>
      separator === " & " && "firstName" in name
        ? { ...name, firstName: `${name.firstName.charAt(0)}.` }
        : name,
    );
    const value = names.map(([text]) => text).join(separator);
    expect(parseCreators([value]), value).toEqual(expected);
  }
});
