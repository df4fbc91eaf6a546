/**
 * Removes the user name and password from a URL, or from text that was meant as a URL. Credentials are never sent, and
 * must not be stored, mailed or printed either. A URL without credentials is unchanged.
 */
export function withoutCredentials(text: string): string {
  if (!text.includes("@")) return text;
  const url = URL.parse(text);
  // Text that is not a valid URL may still contain a password.
  if (url === null) return text.replace(/^([^/\\?#@:]*:[/\\]*)[^/\\?#]*@/, "$1");
  if (url.username === "" && url.password === "") return text;
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * Removes the user names and passwords from the URLs in a text, because an error message may quote any URL and anybody
 * may read it. A scheme is recognised up to 30 characters, so that the search takes linear time.
 */
export function textWithoutCredentials(text: string): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,29}:[/\\]{2})[^\s/\\?#"'<>]*@/gi, "$1");
}
