/**
 * The same key for all spellings of an address in upper and lower case. The standard lets a host distinguish case
 * before the @; no host does.
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-2.4
 */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** Each address once, in its first spelling and in the order given. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}
