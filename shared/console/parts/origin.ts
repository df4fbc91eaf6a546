import { html } from "hono/html";
import type { OriginFinding } from "../../records/origin/origin-finding.ts";
import { listedWitnesses, type OriginSummary } from "../../records/origin/origin-summary.ts";
import { provenanceFields } from "../../records/origin/provenance.ts";
import { originRules } from "../../records/rule-ids.ts";
import type { Html, PageRequest } from "../page.ts";
import { type Choice, selectOf } from "./table.ts";

/** The parameters of a page that select records by their origin. */
const names = ["finding", "witness", "field"] as const;

/** Returns the selection in the address of a page. Empty choices are left out. */
export function originOf(url: URL): Partial<Record<(typeof names)[number], string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = url.searchParams.get(name) ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
}

/** Renders the choices of a form that selects records by their origin. */
export function originSelects({ texts, url }: PageRequest): Html {
  const { origins: words, provenance, ruleNames } = texts;
  const optionsOf = <Value extends string>(values: readonly Value[], textOf: (value: Value) => string) =>
    Object.fromEntries([["", words.any], ...values.map((value) => [value, textOf(value)])]);
  const choices: Choice[] = [
    {
      name: "finding",
      label: words.finding,
      options: optionsOf(originRules, (rule) => ruleNames[rule] ?? rule),
    },
    {
      name: "witness",
      label: words.witness,
      options: optionsOf(listedWitnesses, (witness) => provenance.witnesses[witness]),
    },
    {
      name: "field",
      label: words.field,
      options: optionsOf(provenanceFields, (field) => provenance.fields[field]),
    },
  ];
  return html`${choices.map((choice) => selectOf(choice, url))}`;
}

/** Describes the origin of a record: its findings, and the fields that were not taken from the page. */
export function originText(
  {
    origin,
    originFindings = [],
  }: { origin?: OriginSummary | undefined; originFindings?: OriginFinding[] | undefined },
  { texts: { provenance, ruleNames } }: PageRequest,
): string {
  const findings = originFindings.map(({ ruleId, reason }) => `${ruleNames[ruleId] ?? ruleId}: ${reason}`);
  const taken = provenanceFields.flatMap((field) => {
    const witness = origin?.witnesses[field];
    return witness === undefined ? [] : [`${provenance.fields[field]}: ${provenance.witnesses[witness]}`];
  });
  return [...findings, ...(taken.length > 0 ? [taken.join(", ")] : [])].join("; ");
}
