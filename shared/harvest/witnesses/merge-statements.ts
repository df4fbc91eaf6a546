// Input: what each witness says about an article. Output: one item with the origin of its fields. Called by
// parse-article-content.ts and convert-article.ts.

import { chooseDate, isReadableDate } from "../../formats/article-dates.ts";
import type { MetadataCreator } from "../../formats/article-metadata.ts";
import { fullName } from "../../formats/creator-names.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import {
  type FieldProvenance,
  type Provenance,
  provenanceFields,
  shortenStatement,
  type Witness,
} from "../../records/origin/provenance.ts";
import { findShapeProblem } from "../convert/item-shape.ts";
import { fieldTable, ruleOf, textOf, yearsOf } from "./field-table.ts";
import { mergeNotes } from "./merge-notes.ts";
import type { Statement } from "./statement.ts";

interface MergedStatements {
  item: ZoteroItem;
  provenance: Provenance;
}

/** One witness's value of one field. */
interface Candidate {
  witness: Witness;
  item: ZoteroItem;
  /** The value as text, for comparison and display. */
  text: string;
  isWeak: boolean;
  /** The recipe that read the value, with the value that the page has without it. */
  recipe?: { id: string; without?: unknown } | undefined;
}

/** Merges statements by the table of fields. Malformed items are ignored, unless nothing else is known. */
export function mergeStatements(given: readonly [Statement, ...Statement[]]): MergedStatements {
  const statements = given.filter(({ item }) => findShapeProblem(item) === undefined);
  if (statements.length === 0) return { item: given[0].item, provenance: [] };
  const fields = new Set(statements.flatMap(({ item }) => Object.keys(item)));
  const item: ZoteroItem = { itemType: "webpage" };
  const provenance: FieldProvenance[] = [];
  for (const field of fields) {
    if (field === "notes") continue;
    const candidates = rankCandidates(statements, field);
    const chosen = chooseCandidate(candidates, field);
    if (chosen === undefined) continue;
    item[field] = field === "date" ? refineDate(chosen, candidates) : chosen.item[field];
    const { keptAs } = ruleOf(field);
    if (keptAs !== undefined) provenance.push(describeOrigin(keptAs, field, { chosen, candidates }));
  }
  item.notes = mergeNotes(statements, item.creators);
  const creators: MetadataCreator[] | undefined = item.creators;
  if (creators !== undefined) item.creators = creators.map(({ orcid: _orcid, ...creator }) => creator);
  const position = ({ field }: FieldProvenance) => provenanceFields.indexOf(field);
  return { item, provenance: provenance.sort((one, other) => position(one) - position(other)) };
}

/** Returns the values of a field, the most trusted first: those of witnesses with evidence, then the others. */
function rankCandidates(statements: readonly Statement[], field: string): Candidate[] {
  const { order, lastResort, isPlaceholder = () => false } = ruleOf(field);
  const all = [...order, ...(lastResort === undefined ? [] : [lastResort])].flatMap((witness) =>
    statements
      .filter((statement) => statement.witness === witness && hasValue(statement.item, field))
      .map(({ item, weak, recipes }) => {
        const text = textOf(item, field) ?? "";
        const isNamedWeak = weak === "all" ? field !== "url" : weak?.has(field) === true;
        return { witness, item, text, isWeak: isNamedWeak || isPlaceholder(text), recipe: recipes?.[field] };
      }),
  );
  const isLast = ({ witness }: Candidate) => witness === lastResort;
  return [
    ...all.filter((each) => !each.isWeak && !isLast(each)),
    ...all.filter((each) => each.isWeak && !isLast(each)),
    ...all.filter(isLast),
  ];
}

/** Decides whether an item has a value that the conversion can read. */
function hasValue(item: ZoteroItem, field: string): boolean {
  const value = item[field];
  if (Array.isArray(value)) return value.length > 0;
  return (
    textOf(item, field) !== undefined ||
    (typeof value === "object" && value !== null && !(field in fieldTable))
  );
}

/** The witnesses that are not independent of each other: what one of them says twice is said once. */
const voices: Readonly<Partial<Record<Witness, string>>> = { page: "site", "linked-record": "site" };

/** Chooses the first value, unless two independent witnesses agree on another and nobody confirms the first one. */
function chooseCandidate(candidates: readonly Candidate[], field: string): Candidate | undefined {
  const { agree, lastResort } = ruleOf(field);
  const [first] = candidates;
  if (first === undefined || agree === undefined || first.isWeak) return first;
  const voters = candidates.filter(
    ({ witness, isWeak }) => !isWeak && witness !== "translation-server" && witness !== lastResort,
  );
  const supportersOf = ({ text }: Candidate) =>
    new Set(
      voters.filter((voter) => agree(voter.text, text)).map(({ witness }) => voices[witness] ?? witness),
    );
  if (supportersOf(first).size >= 2) return first;
  return voters.find((voter) => !agree(voter.text, first.text) && supportersOf(voter).size >= 2) ?? first;
}

/** Returns the chosen date or, if it is only a year, a more precise date in the same year. */
function refineDate({ item, text }: Candidate, candidates: readonly Candidate[]): unknown {
  if (!isReadableDate(text)) return item.date;
  return chooseDate([text, ...candidates.map((other) => other.text)].map((date) => ({ date }))).date;
}

function describeOrigin(
  keptAs: FieldProvenance["field"],
  field: string,
  { chosen, candidates }: { chosen: Candidate; candidates: readonly Candidate[] },
): FieldProvenance {
  const { agree, isFinding } = ruleOf(field);
  const shown = ({ item, text }: Candidate) => shortenStatement(describeValue(item, keptAs, text));
  // Most witnesses say nothing about the type, which then is that of any web page.
  const others = candidates.filter((other) => other !== chosen && !(keptAs === "type" && other.isWeak));
  const replaced = replacedValue(chosen, field);
  const disagrees =
    isFinding &&
    agree !== undefined &&
    others.some((other) => !other.isWeak && !agree(other.text, chosen.text));
  return {
    field: keptAs,
    value: shown(chosen),
    witness: chosen.witness,
    ...(chosen.recipe !== undefined && { recipe: chosen.recipe.id }),
    others: [...(replaced === undefined ? [] : [replaced]), ...others].map((other) => ({
      witness: other.witness,
      value: shown(other),
    })),
    ...(disagrees && { disagrees }),
  };
}

/** Returns the value that the witness would have had if a recipe had not replaced it. */
function replacedValue(
  { witness, item, recipe, text: chosenText }: Candidate,
  field: string,
): Candidate | undefined {
  if (recipe?.without === undefined) return undefined;
  const without = { ...item, [field]: recipe.without };
  const text = textOf(without, field);
  const isSaid = text !== undefined && text !== chosenText && !ruleOf(field).isPlaceholder?.(text);
  return isSaid ? { witness, item: without, text, isWeak: true } : undefined;
}

function describeValue(item: ZoteroItem, keptAs: FieldProvenance["field"], text: string): string {
  if (keptAs === "year") return yearsOf(text).join("/") || text;
  if (keptAs === "licence" && typeof item.licenceFrom === "string")
    return `${text} (from ${item.licenceFrom})`;
  if (keptAs === "creators") return (item.creators ?? []).map((creator) => fullName(creator)).join("; ");
  return text;
}
