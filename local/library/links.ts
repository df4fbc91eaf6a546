/** `ingather/links`: the links of documents, rules that decide which links are broken, and the verdicts of these rules. */
export { InputError } from "../../shared/core/errors.ts";
export type {
  FoundLink,
  LinkPlace,
  LinkReader,
  LinkReaderOptions,
  LinkReading,
} from "../../shared/links/extract/found-link.ts";
export {
  detectLinkFormat,
  type LinkFormatName,
  linkFormatNames,
  linkReaderOf,
} from "../../shared/links/extract/link-formats.ts";
export {
  type CompiledRule,
  compileRule,
  type LinkRule,
  type NewLinkRule,
  readRule,
} from "../../shared/links/rule/rule.ts";
export type { ChainOutcome } from "../../shared/links/verdict/chain-outcome.ts";
export {
  type Judgement,
  judgeLink,
  type NotCounted,
  type Verdict,
} from "../../shared/links/verdict/verdict.ts";
export type { Hop } from "../../shared/web/exchange/exchange.ts";
