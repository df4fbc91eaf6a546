import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile, type Plugin, transform } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Node modules that can open connections, or start processes that can. */
const connecting = /^(node:)?(net|tls|http|https|http2|dgram|child_process|cluster)(\/|$)/;

/** Node modules that run code or load modules without the bundler seeing it. */
const loading = /^(node:)?(module|worker_threads|vm|inspector|repl)(\/|$)/;

/**
 * The files that may use such modules, through any package: the only client of content providers, and one
 * adapter for each service that Ingather uses.
 */
const mayConnect: [file: RegExp, by: RegExp][] = [
  [/^shared\/web\/exchange\//, /./],
  // Both check whether a host is an address (isIP).
  [/^shared\/web\/(address\/admit-url|chain\/cookie)\.ts$/, /^node:net$/],
  [/^shared\/adapters\/sftp\//, /^ssh2-sftp-client\//],
  // The console requests the API and the issuer of tokens.
  [/^shared\/console\/sign-in\/cognito-issuer\.ts$/, /^aws-jwt-verify\//],
  [/^shared\/adapters\/aws\//, /^(@aws-sdk|@smithy)\//],
  // The durable executions of the package load an AWS client; Ingather does not use them.
  [/^shared\/runtime\//, /^@middy\//],
  // The package's mail composer shares a file with its transports.
  [/^(shared\/adapters\/aws\/ses|local\/cloud\/ses\/ses)\.ts$/, /^nodemailer\//],
  // It checks whether a host is an address (isIP).
  [/^local\/private-host\.ts$/, /^node:net$/],
  // These files listen on the loopback interface: the demo's sites, the API, and the gateway for AWS calls.
  [
    /^local\/(demo\/(loopback-server|sparql-endpoint)|cloud\/(api-gateway\/http-api|gateway\/gateway(-client)?|cognito\/token-issuer)|cli\/snapshots\/replay\/(replay-server|replayed-links))\.ts$/,
    /^node:http$/,
  ],
  // The emulators run in this process, without a port.
  [/^local\/cloud\/dynamodb\/dynamodb\.ts$/, /^(dynalite\/|node:module$)/],
  [/^local\/cloud\/fauxqs\.ts$/, /^(fauxqs\/|node:module$)/],
  // It reads queues of the local cloud for benchmarks.
  [/^local\/cloud\/sqs\/take-messages\.ts$/, /^(@aws-sdk|@smithy)\//],
  // These files load no other code: they cache compiled code, find the package, and read source maps.
  [/^local\/(compile-cache\.js|installation\.ts)$/, /^node:module$/],
  [/^shared\/runtime\/source-position\.ts$/, /^node:module$/],
  // It finds the files of the package that shows captures in the reader's browser.
  [/^local\/cli\/snapshots\/replay\/replay-component\.ts$/, /^node:module$/],
  // Tools for developers: they pack the command line and the library, and take pictures of the demo.
  [/^local\/package\.ts$/, /^esbuild\/$/],
  [/^local\/package\/declarations\.ts$/, /^node:child_process$/],
  [/^local\/docs\/take-pictures\.ts$/, /^node:child_process$/],
  [/^local\/browser\/launch-browser\.ts$/, /^(playwright-core\/|@sparticuz\/chromium\/)/],
  // It reads the package's version, lets the package unpack itself, and asks the browser for its version.
  [/^local\/browser\/unpack-browser\.ts$/, /^node:(module|child_process)$/],
  // Functions run in separate threads, from the bundles that would be deployed.
  [/^local\/cloud\/lambda\/worker(-main)?\.ts$/, /^node:worker_threads$/],
  // Threads are used to check links, parse pages, capture sites and build indexes.
  [
    /^local\/cli\/(links\/judge-workers?|commands\/check-links\/threads\/(link-thread|waiting-threads)|snapshots\/(index\/build-(threads|worker)|capture\/(capture-threads|serve-captures)))\.ts$/,
    /^node:worker_threads$/,
  ],
];

/** Clients that request any given URL, with the files that may use them. */
const clients: Record<string, { name: string; mayHave: RegExp }> = {
  "shared/web/exchange/http-client.ts": {
    name: "createHttpClient",
    // The gate's client, the command line's client, and those that request a server of Ingather.
    mayHave:
      /^(functions\/requests\/(send-requests|probe-network)|local\/cli\/(harvest\/in-process-gate|commands\/check-links\/link-client)|shared\/(adapters\/(tika\/tika-detector|sparql\/sparql-endpoint)|web\/translation\/translation-server))\.ts$/,
  },
  "shared/web/translation/translation-server.ts": {
    name: "createTranslationServer",
    mayHave: /^(shared\/adapters\/gate\/transport|local\/cli\/harvest\/in-process-gate)\.ts$/,
  },
};

/**
 * Files that import modules whose names are known only at run time: the functions, and parts of an emulator.
 */
const mayImportByName = /^local\/cloud\/(lambda\/worker-main|fauxqs)\.ts$/;

/**
 * Files that may contain such a word once: the emulator of tables adapts the modules of its package; faults
 * shift the clock of a thread.
 */
const maySay: Record<string, RegExp> = {
  // The console requests the API and the issuer of tokens. undici is not used, because it takes 15 ms to
  // load.
  "shared/adapters/sign-in/own-http.ts": /\bfetch\b/g,
  // The script runs in the reader's browser, and requests only pages of its own origin.
  "shared/console/static/script.ts": /\bfetch\b/g,
  // The example of a generated client, in the text of a document.
  "local/docs/api-page.ts": /\bopenapi-fetch\b/g,
  // The verifier of tokens sends its requests through the adapter's client.
  "shared/console/sign-in/cognito-issuer.ts": /\bfetch:/g,
  // The policy of its pages, because the component compiles WebAssembly.
  "local/cli/snapshots/replay/replay-server.ts": /'wasm-unsafe-eval'/g,
  "local/cli/snapshots/replay/replay-component.ts": /\bcreateRequire\b/g,
  "local/cloud/dynamodb/dynamodb.ts": /\b(createRequire|require)\b/g,
  "local/cloud/lambda/shift-clock.ts": /\bglobalThis\.Date\b/g,
  "local/cloud/lambda/worker-main.ts": /\bglobalThis,\s*\{\s*awslambda\b/g,
};

/** Matches code that connects, or loads code that does, without an import that the bundler sees. */
const hidden =
  /\bfetch\b(?!-|\.ts")|\b(WebSocket|EventSource|XMLHttpRequest|createRequire|getBuiltinModule|globalThis|require|eval|binding|_linkedBinding|dlopen|_load)\b|(?<!::)\bFunction\b(?! |\.ResponseSizeTooLarge")/;
/** Matches calls and definitions of Ingather's own methods with such names. */
const ownMethods = /\b(gate|lease|turns|reader)\.(fetch|require)\b|\b(fetch|require)\([^()]*\)(?=\{)/g;
/** Matches what remains of such names in a file of the gate that calls its own work a fetch. */
const calledFetch = /\bfetch\(/;
const importOfVariable = /\bimport\s*\(\s*(?!"[^"]*"\s*[,)])/;

/**
 * Finds the files of functions, domain and local machine that could open a connection without the gate, and
 * says how. Considers the imports that the bundler finds for deployed code, through all packages, but not
 * types.
 * @param planted code to append to files, by path, to test that it is found
 */
export async function findConnections(planted: Record<string, string> = {}): Promise<string[]> {
  const files = globSync("{functions,shared,local}/**/*.ts", { cwd: root, exclude: ["**/*.d.ts"] });
  const codeOf = (file: string) => `${readFileSync(join(root, file), "utf8")}\n${planted[file] ?? ""}`;
  const { inputs } = await importsOf(files, codeOf);
  const found = await Promise.all(
    files.map(async (file) => [
      ...pathsToConnections(file, inputs).map((way) => `${file} reaches ${way}`),
      ...(await hiddenConnections(file, codeOf(file))).map((way) => `${file} says ${way}`),
    ]),
  );
  return found.flat();
}

async function importsOf(files: string[], codeOf: (file: string) => string): Promise<Metafile> {
  const sources: Plugin = {
    name: "sources",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = path.slice(root.length + 1);
        return files.includes(file) ? { contents: codeOf(file), loader: "ts" } : undefined;
      }),
  };
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `import "./${file}";`).join("\n"), resolveDir: root },
    bundle: true,
    metafile: true,
    write: false,
    treeShaking: false,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    // The templates are written before anything runs.
    external: ["*.node", "../infra/*"],
    plugins: [sources],
    logLevel: "error",
  });
  return metafile;
}

/**
 * Returns the paths by which a file reaches a module that connects, or a client, other than through files of
 * Ingather.
 */
function pathsToConnections(file: string, inputs: Metafile["inputs"]): string[] {
  const targets = (inputs[file]?.imports ?? []).map(({ path }) => path);
  const found = targets.flatMap((target) => {
    const client = clients[target];
    if (client !== undefined) return client.mayHave.test(file) ? [] : [client.name];
    if (connecting.test(target) || loading.test(target)) return mayReach(file, target) ? [] : [target];
    const name = /node_modules\/((@[^/]+\/)?[^/]+\/)/.exec(target)?.[1];
    if (name === undefined || mayReach(file, name)) return [];
    return connects(target, inputs) ? [name.slice(0, -1)] : [];
  });
  return [...new Set(found)];
}

function mayReach(file: string, target: string): boolean {
  return mayConnect.some(([files, by]) => files.test(file) && by.test(target));
}

/** Returns whether a file of a package reaches a module that connects, through any other packages. */
function connects(start: string, inputs: Metafile["inputs"]): boolean {
  const seen = new Set([start]);
  for (const file of seen) {
    for (const { path } of inputs[file]?.imports ?? []) {
      if (connecting.test(path)) return true;
      seen.add(path);
    }
  }
  return false;
}

async function hiddenConnections(file: string, code: string): Promise<string[]> {
  // Without comments and types, and with uniform spelling.
  const { code: transformed } = await transform(code, {
    loader: "ts",
    minifyWhitespace: true,
    legalComments: "none",
  });
  const plain = transformed.replaceAll(ownMethods, "").replaceAll(maySay[file] ?? /(?!)/g, "");
  const isOfRobots = /^shared\/web\/(robots\/|gate\/robots-)/.test(file) && !calledFetch.test(plain);
  const name = hidden.exec(isOfRobots ? plain.replaceAll(/\bfetch\b/g, "") : plain)?.[0];
  const importsByName = importOfVariable.test(plain) && !mayImportByName.test(file);
  return [...(name === undefined ? [] : [name]), ...(importsByName ? ["import(…)"] : [])];
}
