/**
 * Returns a key that is the same for all spellings of an address in upper and lower case. The standard permits hosts to
 * distinguish case before the @, but no host does so.
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-2.4
 */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** Returns the distinct addresses, each in its first spelling, in the given order. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}
