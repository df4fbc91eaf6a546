import { expect, it } from "vitest";
import { authorityLookupName, normaliseName } from "../../../../shared/harvest/convert/person-names.ts";

const blacklist = ["and", "Editor", "Interviewer:"];

it.for([
  ["John F.|Smith Jr.", [], "John F.|Smith|Jr.|"],
  ["Peter S.J.|Miller", [], "Peter|Miller|S.J.|"],
  ["Henry|Jones III", [], "Henry|Jones||III"],
  ["Henry III|Jones", [], "Henry III|Jones||"],
  ["|Max Weber", [], "Max|Weber||"],
  ["Max Weber|", [], "Max|Weber||"],
  ["|Plato", [], "Plato|||"],
  ["Ann EDITOR|Lee", [], "Ann|Lee||"],
  ["Ferdinand|Brand", [], "Ferdinand|Brand||"],
  ["Interviewer: Ann|Lee", [], "Interviewer: Ann|Lee||"],
  ["Juan Carlos|Pérez", ["spa"], "Juan|Carlos Pérez||"],
  ["Juan Carlos|Pérez", ["eng"], "Juan Carlos|Pérez||"],
  ["Ana|López", ["spa"], "Ana|López||"],
  ["José Ortega y|Gasset", ["spa"], "José|Ortega y Gasset||"],
  ["María de la|Cruz", ["spa"], "María de la|Cruz||"],
  ["Luis del|Valle", ["spa"], "Luis del|Valle||"],
  ["Juan C.|Soto", ["spa"], "Juan C.|Soto||"],
  ["Rosa María|García Lorca", ["spa"], "Rosa María|García Lorca||"],
] as const)("%s in %j → %s", ([name, languages, expected]) => {
  const [firstName = "", lastName = ""] = name.split("|");
  const found = normaliseName({ firstName, lastName }, languages, blacklist);
  expect([found.firstName, found.lastName, found.title, found.affix].join("|")).toBe(expected);
});

it.for([
  ["Max|Weber", "Weber, Max"],
  ["|Weber", "Weber"],
  ["Max|", undefined],
  ["Max|W. Weber", undefined],
] as const)("%s → looked up as %s", ([name, expected]) => {
  const [firstName = "", lastName = ""] = name.split("|");
  expect(authorityLookupName({ firstName, lastName, title: "", affix: "" })).toBe(expected);
});
