/** Returns the bucket and the decoded key of a path-style path. The key is "" for the bucket itself. */
export function objectOf(path: string): { bucket: string; key: string } {
  const [bucket = "", ...key] = path.slice(1).split("/");
  return { bucket, key: decodeURIComponent(key.join("/")) };
}
