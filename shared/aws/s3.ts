import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

export const s3 = new S3Client({ forcePathStyle: true });

export async function getObject(Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}

export async function putObject(
  Bucket: string,
  Key: string,
  { content, contentType }: { content: Uint8Array; contentType: string },
): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: content, ContentType: contentType }));
}
