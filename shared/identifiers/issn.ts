const form = /^\d{4}-\d{3}[\dX]$/i;

/**
 * What is wrong with an ISSN; undefined when nothing is.
 * @see https://www.issn.org/understanding-the-issn/assignment-rules/issn-manual/ the check digit: modulus 11, weights 8 to 2
 */
export function issnProblem(text: string): "form" | "check digit" | undefined {
  if (!form.test(text)) return "form";
  const digits = text.replace("-", "").toUpperCase();
  const total = [...digits.slice(0, 7)].reduce((sum, digit, at) => sum + Number(digit) * (8 - at), 0);
  const check = (11 - (total % 11)) % 11;
  return digits.endsWith(check === 10 ? "X" : String(check)) ? undefined : "check digit";
}
