/**
 * A URL, or what was meant as one, without user name and password: they are never sent, and must not be stored, mailed or
 * printed either. What has none stays as it is spelled.
 */
export function withoutCredentials(text: string): string {
  if (!text.includes("@")) return text;
  const url = URL.parse(text);
  // What cannot be read as a URL may still hold a password.
  if (url === null) return text.replace(/^([^/\\?#@:]*:[/\\]*)[^/\\?#]*@/, "$1");
  if (url.username === "" && url.password === "") return text;
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * Running text without the user names and passwords of the URLs in it: what is told of an error, and by whom it may be read
 * is not known. A scheme is taken to be 30 characters long at most, so that no text takes long.
 */
export function textWithoutCredentials(text: string): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,29}:[/\\]{2})[^\s/\\?#"'<>]*@/gi, "$1");
}
