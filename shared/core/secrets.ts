/** Reads passwords and keys. */
export interface Secrets {
  /** @throws ConfigError when there is no such secret */
  secret(name: string): Promise<string>;
}
