type ObjectName = { Bucket: string; Key: string };

/** How long a URL works with which an object is put. */
export const uploadSeconds = 3600;
const downloadSeconds = 300;

/** Loaded when a URL is wanted: it takes 20 ms. */
const load = () => import("./sign-url.ts");

/**
 * A URL with which anybody puts one object, with the permission of the function that signs it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */
export async function uploadUrl(object: ObjectName): Promise<string> {
  return (await load()).signPut(object, uploadSeconds);
}

/** A URL with which anybody gets one object. @param seconds how long it works */
export async function objectUrl(object: ObjectName, seconds: number): Promise<string> {
  return (await load()).signGet(object, seconds);
}

/** A URL of a file that browsers save. @param fileName by default, the end of the key */
export async function downloadUrl(object: ObjectName, fileName?: string): Promise<string> {
  const name = fileName === undefined ? "" : `; filename="${fileName}"`;
  const { signGet } = await load();
  return signGet({ ...object, ResponseContentDisposition: `attachment${name}` }, downloadSeconds);
}
