import { getFileNameLowLevel } from "yauzl";
import { controlCharacters } from "../../../core/control-characters.ts";

/** An entry's name as its archive has it. */
interface RawEntryName {
  generalPurposeBitFlag: number;
  fileNameRaw: Buffer;
  extraFields: { id: number; data: Buffer }[];
}

/** A path below the archive's root, or why it is none. `name` is for people in both cases. */
type EntryName = { type: "valid"; name: string } | { type: "refused"; name: string; reason: string };

const maxNameChars = 500;
const utf8Flag = 0x800;

/**
 * Decodes the name of an entry and refuses all but a relative path with `/` between its parts.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT 4.4.17 and appendix D
 */
export function readEntryName(raw: RawEntryName): EntryName {
  const text = decodeName(raw);
  if (text === undefined) {
    return { type: "refused", name: raw.fileNameRaw.toString("latin1"), reason: "its name is not UTF-8" };
  }
  const name = text.normalize("NFC");
  const reason = nameProblem(name);
  return reason === undefined ? { type: "valid", name } : { type: "refused", name, reason };
}

/** Names that differ in case or Unicode form only are one file on many systems. */
export function collisionKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Many programs write UTF-8 without saying so. Other names are in code page 437. */
function decodeName({ generalPurposeBitFlag, fileNameRaw, extraFields }: RawEntryName): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fileNameRaw);
  } catch {
    if ((generalPurposeBitFlag & utf8Flag) !== 0) return undefined;
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  }
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "its name is empty";
  if (name.length > maxNameChars) return `its name has more than ${maxNameChars} characters`;
  if (controlCharacters.test(name)) return "its name has control characters";
  if (name.includes("\\")) return "its name has a backslash";
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) return "its name is an absolute path";
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.includes("..")) return "its name leads out of the archive";
  if (parts.some((part) => part === "" || part === ".")) return "its name has an empty part";
  return undefined;
}
