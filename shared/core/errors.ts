import { textWithoutCredentials } from "./url-credentials.ts";

/**
 * The five kinds of error that may be thrown. Everything that can be expected of the outside world (a dead link, an
 * invalid record, a refused address) is a value instead. Only `shared/runtime` catches these.
 */

/** What came in does not have the agreed shape: answered 400, or put aside in the dead-letter queue. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, problem: string) {
    super(`${field}: ${problem} (got ${formatValue(value)})`);
    this.field = field;
    this.value = value;
  }
}

/** A system that is not ours answered in a way that makes going on impossible. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** The work may go on, but not before `retryAt`: somebody else is at it. */
export class ThrottledError extends Error {
  override readonly name = "ThrottledError";
  readonly retryAt: Date;

  constructor(message: string, retryAt: Date) {
    super(message);
    this.retryAt = retryAt;
  }
}

/** Our own network or AWS fails: nothing may be concluded about anybody else. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
}

/** The deployment or what operators have configured is wrong: a missing variable, an unreadable setting, an invalid item. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** A value as it is shown in an error: one line of JSON, at most 120 characters, no URL with its password. */
export function formatValue(value: unknown): string {
  const text = textWithoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
