import { parseJson } from "../../core/parse-json.ts";
import { visitElements } from "../../xml/visit-elements.ts";

/** The variable of Virtuoso's response to ASK, if it has no boolean format: 1 or 0, or no row. */
const virtuosoVariable = "__ASK_RETVAL";

/**
 * Reads the result of an ASK query, whatever the media type: JSON, XML, or just the word.
 * @returns undefined for any other response
 * @see https://www.w3.org/TR/sparql11-results-json/#ask-result-form
 * @see https://www.w3.org/TR/rdf-sparql-XMLres/#boolean-results
 * @see https://github.com/openlink/virtuoso-opensource/issues/464
 */
export function readAskResult(answer: string): boolean | undefined {
  const text = answer.replace(/^\ufeff/, "").trim();
  if (text.startsWith("{")) return readJson(text);
  if (text.startsWith("<")) return readXml(text);
  return booleanOf(text);
}

function readJson(text: string): boolean | undefined {
  const answer = parseJson(text) as
    | {
        boolean?: unknown;
        head?: { vars?: unknown };
        results?: { bindings?: { [virtuosoVariable]?: { value?: unknown } }[] };
      }
    | undefined;
  if (typeof answer?.boolean === "boolean") return answer.boolean;
  const variables = answer?.head?.vars;
  if (!Array.isArray(variables) || !variables.includes(virtuosoVariable)) return undefined;
  const [row] = answer?.results?.bindings ?? [];
  return row === undefined ? false : booleanOf(String(row[virtuosoVariable]?.value));
}

function readXml(text: string): boolean | undefined {
  let found: boolean | undefined;
  let isRetval = false;
  const problem = visitElements(text, {
    open({ name, attributes, path }) {
      if (attributes.name === virtuosoVariable) {
        // The head names the variable; a row would have its value.
        found ??= false;
        isRetval = name !== "variable";
      }
      return path[0] === "sparql" && (name === "boolean" || (name === "literal" && isRetval));
    },
    text(value) {
      found = booleanOf(value);
    },
  });
  return problem === undefined ? found : undefined;
}

function booleanOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === "true" || word === "1") return true;
  return word === "false" || word === "0" ? false : undefined;
}
