/**
 * Decides whether an address is that of an organisation in the Research Organization Registry.
 * @see https://ror.readme.io/docs/identifier
 */
export function isRorId(address: string): boolean {
  return /^https?:\/\/ror\.org\/0[a-z0-9]{6}\d\d$/i.test(address.trim());
}
