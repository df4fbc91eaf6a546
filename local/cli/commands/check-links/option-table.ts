import { exampleOf } from "../../../../shared/core/field-table.ts";
import { linkFormatNames } from "../../../../shared/links/extract/link-formats.ts";
import { linkRuleFields } from "../../../../shared/links/rule/rule-fields.ts";
import { outputFormatNames } from "./formats/output-formats.ts";

interface OptionBase {
  /** The name of the value in `--help`. */
  placeholder?: string;
  /** The description in `--help`, one string per line. */
  help: readonly string[];
}

export type OptionSpec = OptionBase &
  (
    | { kind: "flag" }
    | { kind: "text" }
    /** Strings; the option may be repeated. */
    | { kind: "texts" }
    | { kind: "number"; min: number; max: number; default: number }
    | { kind: "choice"; choices: readonly string[]; default: string }
  );

/**
 * All options of `check-links`. The parser, `--help`, the keys of the configuration file and the shell
 * completion are derived from this table.
 */
export const checkLinksOptions = {
  rules: {
    kind: "text",
    placeholder: "FILE",
    help: ["a collection rule as JSON, such as", JSON.stringify(exampleOf(linkRuleFields))],
  },
  input: {
    kind: "choice",
    placeholder: "FORMAT",
    choices: ["auto", ...linkFormatNames],
    default: "auto",
    help: ["the format of the files, instead of detecting it:", "FORMATS"],
  },
  base: {
    kind: "text",
    placeholder: "URL",
    help: ["the base URL of relative links in HTML and Markdown files"],
  },
  recursive: {
    kind: "flag",
    help: ["read the pages and sitemaps at the URLs, check their links, and follow links to the same site"],
  },
  depth: {
    kind: "number",
    placeholder: "N",
    min: 0,
    max: 100,
    default: 3,
    help: ["with --recursive: read pages up to N links away; 0: read only the URLs themselves"],
  },
  include: {
    kind: "texts",
    placeholder: "REGEX",
    help: ["check only links that this pattern matches anywhere (repeatable)"],
  },
  exclude: {
    kind: "texts",
    placeholder: "REGEX",
    help: ["skip links that this pattern matches anywhere (repeatable)"],
  },
  fragments: {
    kind: "flag",
    help: ["also check that the page has the element that the link's fragment names"],
  },
  delay: {
    kind: "number",
    placeholder: "MS",
    min: 0,
    max: 3_600_000,
    default: 1000,
    help: ["wait after each request to a host; the rule's throttle applies if it is longer"],
  },
  concurrency: {
    kind: "number",
    placeholder: "N",
    min: 1,
    max: 1000,
    default: 64,
    help: ["hosts that are requested in parallel; each host gets one request at a time"],
  },
  threads: {
    kind: "number",
    placeholder: "N",
    min: 0,
    max: 64,
    default: 0,
    help: ["threads that share the hosts; 0: automatic (one, or more for long lists without delay)"],
  },
  timeout: {
    kind: "number",
    placeholder: "SECONDS",
    min: 1,
    max: 300,
    default: 20,
    help: ["maximum time until a host responds; the whole page may take three times as long"],
  },
  retries: {
    kind: "number",
    placeholder: "N",
    min: 0,
    max: 10,
    default: 1,
    help: ["retries after a timeout, a broken connection, or status 408, 421, 425, 429 or 5xx"],
  },
  "max-time": {
    kind: "number",
    placeholder: "SECONDS",
    min: 0,
    max: 604_800,
    default: 0,
    help: ["end the run after this time; unchecked links are inconclusive; 0: no limit"],
  },
  header: {
    kind: "texts",
    placeholder: "[HOST ]NAME:VALUE",
    help: [
      "send this header; with HOST, only to this host (repeatable);",
      "Authorization, Cookie and similar headers must name their host",
    ],
  },
  "user-agent": {
    kind: "text",
    placeholder: "TEXT",
    help: ["the User-Agent header; include a URL with a contact"],
  },
  "allow-private": {
    kind: "flag",
    help: ["also request private hosts, on any port, if a file or argument names them"],
  },
  insecure: {
    kind: "texts",
    placeholder: "HOST",
    help: ["accept any TLS certificate of this host (name, or name:port; repeatable)"],
  },
  cache: {
    kind: "text",
    placeholder: "FILE",
    help: ["store results in this file; alive links are not requested again, or only conditionally"],
  },
  "cache-age": {
    kind: "number",
    placeholder: "HOURS",
    min: 0,
    max: 8760,
    default: 24,
    help: ["with --cache: how long a stored result is used without a request"],
  },
  output: {
    kind: "choice",
    placeholder: "FORMAT",
    choices: outputFormatNames,
    default: "text",
    help: ["for all formats but text, the summary goes to standard error:", "FORMATS"],
  },
  json: { kind: "flag", help: ["the same as --output json: one object per line"] },
  config: {
    kind: "text",
    placeholder: "FILE",
    help: ["read options from this TOML file (default: ingather-links.toml, if this folder has one)"],
  },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof checkLinksOptions;

type ValueOf<Spec> = Spec extends { kind: "flag" }
  ? boolean
  : Spec extends { kind: "number" }
    ? number
    : Spec extends { kind: "texts" }
      ? string[]
      : Spec extends { kind: "choice"; choices: readonly (infer Choice)[] }
        ? Choice
        : string | undefined;

/** The values of all options. Options that were not given have their defaults. */
export type OptionValues = { [Name in OptionName]: ValueOf<(typeof checkLinksOptions)[Name]> };
