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
  "Rat der EKD",
  "Deutsche Bischofskonferenz",
  "Church of England",
  "Evangelische Kirche in Deutschland",
  "Conférence des évêques de France",
  "World Bank",
  "Google Research",
  "Dartmouth College",
  "Diocese of Rome",
  "Ordre des Prêcheurs",
  "Society of Jesus",
  "Federal Office of Public Health",
  "World Economic Forum",
  "Lambeth Conference",
  "Ministry of Health",
  "Heilige Synode der Orthodoxen",
  "Human Rights Watch",
  "Procter & Gamble",
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
  "Charlotte Church",
  "Tyra Banks",
  "Anna Verlagsson",
  "Bea Office",
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
