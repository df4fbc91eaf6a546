import { textWithoutCredentials } from "./url-credentials.ts";

/**
 * The five kinds of error that may be thrown. Expected outcomes (a dead link, an invalid record, a refused address) are
 * values instead. Only `shared/runtime` catches these errors.
 */

/** The input does not have the agreed shape: status 400, or the dead-letter queue. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, problem: string) {
    super(value === undefined ? `${field}: ${problem}` : `${field}: ${problem} (got ${formatValue(value)})`);
    this.field = field;
    this.value = value;
  }
}

/** A remote system answered in a way that prevents the work. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** Another worker is doing the same work: it may be retried from `retryAt` on. */
export class ThrottledError extends Error {
  override readonly name = "ThrottledError";
  readonly retryAt: Date;

  constructor(message: string, retryAt: Date) {
    super(message);
    this.retryAt = retryAt;
  }
}

/** Our own network or AWS fails: no conclusion about a remote system is allowed. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
}

/** The deployment or its configuration is wrong: a missing variable, an unreadable setting, an invalid item. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Whether an error says nothing about the work that it ended: AWS or a remote system fails. What AWS calls invalid is a fault of Ingather. */
export function isOutage(error: unknown): boolean {
  if (error instanceof PlatformError || error instanceof RemoteError) return true;
  if (!(error instanceof Error) || !("$metadata" in error)) return false;
  // S3 calls an object that is not there "AccessDenied"; the other services say "…Exception".
  const isOurs = "$fault" in error && error.$fault === "client";
  return !isOurs || /Throttl|TooMany|Exceeded|Conflict|Timeout|AccessDeniedException/.test(error.name);
}

/** A value for an error message: one line of JSON, at most 120 characters, without passwords in URLs. */
export function formatValue(value: unknown): string {
  const text = textWithoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** A value for a problem: as it is when short, otherwise its text as in an error message. */
export function shownValue(value: unknown): unknown {
  const whole = JSON.stringify(value) ?? String(value);
  const text = formatValue(value);
  if (text === whole) return value;
  return typeof value === "string" && text.startsWith('"') ? text.replace(/^"|"$/g, "") : text;
}
