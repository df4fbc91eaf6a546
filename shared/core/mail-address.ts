/**
 * What two spellings of an address have in common: its letters, whatever their case. Of the part before the @ a host may tell
 * cases apart, and none does.
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-2.4
 */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** Each address once, as it is spelled first, in the order given. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}
