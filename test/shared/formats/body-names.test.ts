import { expect, it } from "vitest";
import { isBodyName, joinBodyName } from "../../../shared/formats/body-names.ts";

it.each([
  "World Health Organization",
  "WHO Study Group",
  "Universität Tübingen",
  "Max-Planck-Institut für Mooskunde",
  "Deutsche Forschungsgesellschaft",
  "Conseil de l’Europe",
  "Le Comité des Sages",
  "Moss Press GmbH",
  "Freunde des Mooses e.V.",
  "U.S. Department of Energy",
  "Research Council of Norway",
  "The ATLAS Collaboration",
])("%s → a body", (name) => {
  expect(isBodyName(name)).toBe(true);
});

it.each([
  "Jane Doe",
  "Society",
  "James R. Council",
  "James Council",
  "François Conseil",
  "Anna Institoris",
  "Bea Centerwall",
  "Gabrielle Union",
])("%s → perhaps a person", (name) => {
  expect(isBodyName(name)).toBe(false);
});

it.each([
  ["World Health", "Organization", "World Health Organization"],
  ["Labour and Welfare", "Ministry of Health", "Ministry of Health, Labour and Welfare"],
  ["", "Ministry of Health", "Ministry of Health"],
  ["Jane", "Doe", undefined],
])("%s | %s → %s", (firstName, lastName, name) => {
  expect(joinBodyName({ firstName, lastName })).toBe(name);
});
