import type { Resolver } from "../cloudformation/resolver.ts";
import type { Service } from "../service.ts";

/**
 * Creates missing buckets. Encryption, versioning, expiry and access blocks have no effect. A bucket that is removed from
 * the templates keeps its objects.
 */
export async function provisionBuckets(
  resolver: Resolver,
  { hasBucket, service }: { hasBucket(name: string): boolean; service: Service },
): Promise<void> {
  for (const { name } of resolver.resourcesOfType("AWS::S3::Bucket")) {
    if (hasBucket(name)) continue;
    const answer = await service({
      method: "PUT",
      path: `/${name}`,
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.alloc(0),
    });
    if (answer.status >= 400) throw new Error(`${name}: ${answer.body}`);
  }
}
