import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile, type Plugin, transform } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Modules of Node by which connections can be opened, or processes that open them. */
const connecting = /^(node:)?(net|tls|http|https|http2|dgram|child_process|cluster)(\/|$)/;

/** Modules of Node that run code, or load modules, which the bundler does not see. */
const loading = /^(node:)?(module|worker_threads|vm|inspector|repl)(\/|$)/;

/** Who may reach them, by whatever packages: the only client of content providers, and one way each to services of ours. */
const mayConnect: [file: RegExp, by: RegExp][] = [
  [/^shared\/web\/exchange\//, /./],
  // Both look whether a host is an address (isIP).
  [/^shared\/web\/(address\/admit-url|chain\/cookie)\.ts$/, /^node:net$/],
  [/^shared\/adapters\/sftp\//, /^ssh2-sftp-client\//],
  // The console asks the API and the issuer of tokens.
  [/^shared\/console\/sign-in\/cognito-issuer\.ts$/, /^aws-jwt-verify\//],
  [/^shared\/adapters\/aws\//, /^(@aws-sdk|@smithy)\//],
  // Its durable executions, which are not used, load a client of AWS.
  [/^shared\/runtime\//, /^@middy\//],
  // Its composer of mails shares a file with its transports.
  [/^(shared\/adapters\/aws\/ses|local\/cloud\/ses\/ses)\.ts$/, /^nodemailer\//],
  // Looks whether a host is an address (isIP).
  [/^local\/private-host\.ts$/, /^node:net$/],
  // They listen on the loopback interface: the demo's sites, the API, and what takes the calls of AWS.
  [
    /^local\/(demo\/(loopback-server|sparql-endpoint)|cloud\/(api-gateway\/http-api|gateway\/gateway(-client)?|cognito\/token-issuer)|cli\/snapshots\/replay\/(replay-server|replayed-links))\.ts$/,
    /^node:http$/,
  ],
  // The emulators answer in this process, without a port.
  [/^local\/cloud\/dynamodb\/dynamodb\.ts$/, /^(dynalite\/|node:module$)/],
  [/^local\/cloud\/fauxqs\.ts$/, /^(fauxqs\/|node:module$)/],
  // It reads queues of the local cloud for benches.
  [/^local\/cloud\/sqs\/take-messages\.ts$/, /^(@aws-sdk|@smithy)\//],
  // They load nothing themselves: they cache compiled code, find the package, and read source maps.
  [/^local\/(compile-cache\.js|installation\.ts)$/, /^node:module$/],
  [/^shared\/runtime\/source-position\.ts$/, /^node:module$/],
  // It finds the files of the package that shows captures, for the reader's browser.
  [/^local\/cli\/snapshots\/replay\/replay-component\.ts$/, /^node:module$/],
  // Tools of developers: they pack the command line and the library, and take pictures of the demo.
  [/^local\/package\.ts$/, /^esbuild\/$/],
  [/^local\/package\/declarations\.ts$/, /^node:child_process$/],
  [/^local\/docs\/take-pictures\.ts$/, /^node:child_process$/],
  [/^local\/browser\/launch-browser\.ts$/, /^(playwright-core\/|@sparticuz\/chromium\/)/],
  // It finds the package's version, lets the package unpack itself, and asks the browser for its version.
  [/^local\/browser\/unpack-browser\.ts$/, /^node:(module|child_process)$/],
  // Functions run in threads of their own, from the bundles that would be deployed.
  [/^local\/cloud\/lambda\/worker(-main)?\.ts$/, /^node:worker_threads$/],
  // Links are checked, pages parsed, sites captured and indexes built on threads.
  [
    /^local\/cli\/(links\/judge-workers?|commands\/check-links\/threads\/(link-thread|waiting-threads)|snapshots\/(index\/build-(threads|worker)|capture\/(capture-threads|serve-captures)))\.ts$/,
    /^node:worker_threads$/,
  ],
];

/** What asks whatever it is told to, each with those who may have it. */
const clients: Record<string, { name: string; mayHave: RegExp }> = {
  "shared/web/exchange/http-client.ts": {
    name: "createHttpClient",
    // Those that ask for the gate and for the command line's, and those that ask a server of ours.
    mayHave:
      /^(functions\/requests\/(send-requests|probe-network)|local\/cli\/(harvest\/in-process-gate|commands\/check-links\/link-client)|shared\/(adapters\/(tika\/tika-detector|sparql\/sparql-endpoint)|web\/translation\/translation-server))\.ts$/,
  },
  "shared/web/translation/translation-server.ts": {
    name: "createTranslationServer",
    mayHave: /^(shared\/adapters\/gate\/transport|local\/cli\/harvest\/in-process-gate)\.ts$/,
  },
};

/** Whose modules have names that are known when they run only: the functions, and parts of an emulator. */
const mayImportByName = /^local\/cloud\/(lambda\/worker-main|fauxqs)\.ts$/;

/** What may say one such word: the emulator of tables adapts its package's modules; faults set a thread's clock wrong. */
const maySay: Record<string, RegExp> = {
  // The console asks the API and the issuer of tokens: undici takes 15 ms to load.
  "shared/adapters/sign-in/own-http.ts": /\bfetch\b/g,
  // It runs in the reader's browser, and asks the page for itself.
  "shared/console/static/script.ts": /\bfetch\b/g,
  // The example of a generated client, in the text of a document.
  "local/docs/api-page.ts": /\bopenapi-fetch\b/g,
  // What it gives the verifier of tokens asks through the adapter's client.
  "shared/console/sign-in/cognito-issuer.ts": /\bfetch:/g,
  // The policy of its pages: the component compiles WebAssembly.
  "local/cli/snapshots/replay/replay-server.ts": /'wasm-unsafe-eval'/g,
  "local/cli/snapshots/replay/replay-component.ts": /\bcreateRequire\b/g,
  "local/cloud/dynamodb/dynamodb.ts": /\b(createRequire|require)\b/g,
  "local/cloud/lambda/shift-clock.ts": /\bglobalThis\.Date\b/g,
  "local/cloud/lambda/worker-main.ts": /\bglobalThis,\s*\{\s*awslambda\b/g,
};

/** What connects, or loads what does, without an import that the bundler sees. */
const hidden =
  /\bfetch\b(?!-|\.ts")|\b(WebSocket|EventSource|XMLHttpRequest|createRequire|getBuiltinModule|globalThis|require|eval|binding|_linkedBinding|dlopen|_load)\b|(?<!::)\bFunction\b(?! |\.ResponseSizeTooLarge")/;
/** Methods of ours with the names of what connects: their calls, and their definitions. */
const ownMethods = /\b(gate|lease|turns|reader)\.(fetch|require)\b|\b(fetch|require)\([^()]*\)(?=\{)/g;
/** What remains of them in a file of the gate that calls its own work a fetch. */
const calledFetch = /\bfetch\(/;
const importOfVariable = /\bimport\s*\(\s*(?!"[^"]*"\s*[,)])/;

/**
 * Finds the files of functions, domain and local machine that could open a connection past the gate, each with how. What they import is
 * what the bundler finds for what is deployed, through all packages; types are not among it.
 * @param planted code to put at the end of files, by their path: to see that it is found
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
    // The templates are made before anything runs.
    external: ["*.node", "../infra/*"],
    plugins: [sources],
    logLevel: "error",
  });
  return metafile;
}

/** The ways on which a file comes to a module that connects, or to a client, other than through files of ours. */
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

/** Whether a file of a package comes to a module that connects, through whatever other packages. */
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
  // Without comments and types, in one spelling.
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
