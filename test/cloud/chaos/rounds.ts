/**
 * `npm run chaos`: runs the parts of this folder with many faults, several times with a seed each. Stops at the first round
 * that fails.
 *
 *     npm run chaos -- [--rounds N] [--seed N] [part ...]
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "1" }, seed: { type: "string" } },
  allowPositionals: true,
});
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(firstSeed) || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error("--rounds and --seed must be whole numbers");
  process.exit(2);
}
const parts = positionals.length === 0 ? [""] : positionals;

for (let round = 0; round < rounds; round += 1) {
  const seed = firstSeed + round;
  console.info(`Round ${round + 1} of ${rounds}, with the seed ${seed}`);
  const files = parts.map((part) => `test/cloud/chaos/${part}`);
  const { status } = spawnSync("npx", ["vitest", "run", ...files], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { ...process.env, CHAOS: "long", CHAOS_SEED: String(seed) },
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error(`The round has failed. To repeat it: npm run chaos -- --seed ${seed}`);
    process.exit(1);
  }
}
