type ObjectName = { Bucket: string; Key: string };

/** The validity of a URL with which an object is uploaded, in seconds. */
export const uploadSeconds = 3600;
const downloadSeconds = 300;

/** The module takes 20 ms to load, so it is loaded when a URL is needed. */
const load = () => import("./sign-url.ts");

/**
 * Returns a URL with which anybody can upload one object, with the permission of the function that signs the URL.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */
export async function uploadUrl(object: ObjectName): Promise<string> {
  return (await load()).signPut(object, uploadSeconds);
}

/** Returns a URL with which anybody can download one object. @param seconds the validity of the URL */
export async function objectUrl(object: ObjectName, seconds: number): Promise<string> {
  return (await load()).signGet(object, seconds);
}

/** Returns a URL whose file browsers save instead of displaying it. @param fileName by default, the end of the key */
export async function downloadUrl(object: ObjectName, fileName?: string): Promise<string> {
  const name = fileName === undefined ? "" : `; filename="${fileName}"`;
  const { signGet } = await load();
  return signGet({ ...object, ResponseContentDisposition: `attachment${name}` }, downloadSeconds);
}
