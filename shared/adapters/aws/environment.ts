import { ConfigError, formatValue } from "../../core/errors.ts";
import { variables } from "../../names.ts";

export type Variable = keyof typeof variables;

/**
 * Returns an environment variable that the template sets.
 * @throws ConfigError when the variable is missing, which means that the function lacks a grant
 */
export function variable(name: Variable): string {
  const value = process.env[variables[name]];
  if (value === undefined || value === "")
    throw new ConfigError(`the environment variable ${variables[name]} is missing`);
  return value;
}

/** Returns an environment variable that a deployment may leave empty. */
export function optionalVariable(name: Variable): string | undefined {
  const value = process.env[variables[name]];
  return value === "" ? undefined : value;
}

/** @throws ConfigError when the variable is missing, or is not a whole number of at least 0 */
export function numberVariable(name: Variable): number {
  const text = variable(name);
  if (!/^\d+$/.test(text)) throw new ConfigError(`${variables[name]} must be a whole number, not "${text}"`);
  return Number(text);
}

/** Returns a comma-separated list; empty when the variable is empty. */
export function listVariable(name: Variable): string[] {
  return (optionalVariable(name) ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Returns a URL that a deployment may omit.
 * @throws ConfigError when the value is not an http or https URL
 */
export function optionalUrlVariable(name: Variable): URL | undefined {
  const text = optionalVariable(name);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new ConfigError(`${variables[name]} must be an http or https URL, not ${formatValue(text)}`);
}
