import { textWithoutCredentials } from "./url-credentials.ts";

/**
 * The five kinds of error that may be thrown. Expected outcomes (a dead link, an invalid record, a refused address) are
 * values instead. Only `shared/runtime` catches these errors.
 */

/** The input has an invalid format. The response has status 400, or the message goes to the dead-letter queue. */
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

/** The response of a remote system makes the work impossible. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** Another worker is doing the same work. The work may be retried from `retryAt`. */
export class ThrottledError extends Error {
  override readonly name = "ThrottledError";
  readonly retryAt: Date;

  constructor(message: string, retryAt: Date) {
    super(message);
    this.retryAt = retryAt;
  }
}

/** Ingather's own network or AWS fails, so the error allows no conclusion about a remote system. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
}

/** The deployment or its configuration is faulty: a missing variable, an unreadable setting or an invalid item. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Decides whether an error is an outage (AWS or a remote system fails), which says nothing about the work that it ended.
 * Requests that AWS rejects as invalid are faults of Ingather instead.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof PlatformError || error instanceof RemoteError) return true;
  if (!(error instanceof Error) || !("$metadata" in error)) return false;
  // S3 reports a missing object as "AccessDenied". The other services use "…Exception" for denied access.
  const isOurs = "$fault" in error && error.$fault === "client";
  return !isOurs || /Throttl|TooMany|Exceeded|Conflict|Timeout|AccessDeniedException/.test(error.name);
}

/** Formats a value for an error message: one line of JSON, at most 120 characters, without passwords in URLs. */
export function formatValue(value: unknown): string {
  const text = textWithoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** Returns a value for a problem: the value itself if it is short, otherwise its text as in an error message. */
export function shownValue(value: unknown): unknown {
  const whole = JSON.stringify(value) ?? String(value);
  const text = formatValue(value);
  if (text === whole) return value;
  return typeof value === "string" && text.startsWith('"') ? text.replace(/^"|"$/g, "") : text;
}
