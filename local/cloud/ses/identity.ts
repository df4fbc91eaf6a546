/** Returns the verified identity that covers an address: the address itself, otherwise its domain. */
export function identityOf(address: string, identities: readonly string[]): string | undefined {
  const domain = address.split("@").at(-1)?.toLowerCase();
  return identities.find((entry) => entry === address) ?? identities.find((entry) => entry === domain);
}

/** Removes the display name: `Ingather <reports@example.org>` → `reports@example.org`. */
export function bareAddress(from: string): string {
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
}
