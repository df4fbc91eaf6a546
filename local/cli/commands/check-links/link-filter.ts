import { InputError } from "../../../../shared/core/errors.ts";
import { compilePattern, type Pattern } from "../../../../shared/core/pattern.ts";

/**
 * Returns a filter that decides which links are checked. A link must match an `include` pattern, if there are
 * any, and no `exclude` pattern. A pattern may match anywhere in the URL.
 * @throws InputError for a pattern that does not compile
 */
export function createLinkFilter({
  include,
  exclude,
}: {
  include: readonly string[];
  exclude: readonly string[];
}): (url: string) => boolean {
  const included = compileAll("--include", include);
  const excluded = compileAll("--exclude", exclude);
  const matchesAny = (patterns: Pattern[], url: string) => patterns.some((pattern) => pattern.test(url));
  return (url) => (included.length === 0 || matchesAny(included, url)) && !matchesAny(excluded, url);
}

function compileAll(field: string, texts: readonly string[]): Pattern[] {
  return texts.map((text) => {
    try {
      return compilePattern(text);
    } catch (error) {
      throw new InputError(field, text, error instanceof Error ? error.message : String(error));
    }
  });
}
