import type { PageRequest } from "../page.ts";

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  /** The stored value. A value that was typed takes precedence. */
  value?: string | undefined;
  hint?: string;
  kind?: "text" | "url" | "email" | "number" | "date" | "textarea" | "checkbox";
  /** The choices: texts by value. */
  options?: Readonly<Record<string, string>>;
  isRequired?: boolean;
  /** Folded, together with the other fields that are rarely changed. */
  isMore?: boolean;
  rows?: number;
}

/**
 * Returns the current value of a field. A value that was typed in this form takes precedence. A check box is sent as
 * `yes` or `no`.
 */
export function typedValue({ name, value = "", kind }: Field, { form: sent }: Pick<PageRequest, "form">) {
  if (kind === "checkbox" && name in sent) return sent[name] === "yes" ? "yes" : "";
  // Browsers separate the lines of a text with CR LF.
  return (sent[name] ?? value).replaceAll("\r\n", "\n");
}
