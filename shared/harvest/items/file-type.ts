/** The result of comparing a file with the type that its host declares. */
type FileTypeCheck = { type: "valid"; contentType: string } | { type: "refused"; reason: string };

/** The number of bytes of a file that are examined. */
export const fileHeadBytes = 4096;

interface Signature {
  contentType: string;
  /** An ASCII text, at the position `at`, or anywhere in the first `within` bytes. */
  text: string;
  at?: number;
  within?: number;
}

/**
 * The signatures of file types that repositories publish. A PDF may begin anywhere within the first 1,024 bytes.
 * @see https://www.iana.org/assignments/media-types the types
 * @see https://www.loc.gov/preservation/digital/formats/ the signatures
 */
const signatures: Signature[] = [
  { contentType: "application/pdf", text: "%PDF-", within: 1024 },
  { contentType: "application/zip", text: "PK\x03\x04" },
  { contentType: "application/zip", text: "PK\x05\x06" },
  { contentType: "application/gzip", text: "\x1f\x8b" },
  { contentType: "application/postscript", text: "%!PS" },
  { contentType: "application/rtf", text: "{\\rtf" },
  { contentType: "application/x-7z-compressed", text: "7z\xbc\xaf\x27\x1c" },
  { contentType: "application/vnd.rar", text: "Rar!\x1a\x07" },
  { contentType: "application/x-ole-storage", text: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
  { contentType: "image/png", text: "\x89PNG\r\n\x1a\n" },
  { contentType: "image/jpeg", text: "\xff\xd8\xff" },
  { contentType: "image/gif", text: "GIF8" },
  { contentType: "image/tiff", text: "II*\0" },
  { contentType: "image/tiff", text: "MM\0*" },
  { contentType: "image/jp2", text: "jP  \r\n\x87\n", at: 4 },
  { contentType: "image/vnd.djvu", text: "AT&TFORM" },
  { contentType: "video/mp4", text: "ftyp", at: 4 },
  { contentType: "audio/mpeg", text: "ID3" },
  { contentType: "audio/wav", text: "WAVE", at: 8 },
  { contentType: "audio/flac", text: "fLaC" },
  { contentType: "audio/ogg", text: "OggS" },
];

/** The formats that are packed in another format, by the beginnings of their types. */
const packedIn: [container: string, types: RegExp][] = [
  ["application/zip", /^application\/(epub\+zip|vnd\.|x-zip|java-archive|.*\+zip$)|^model\//],
  ["application/x-ole-storage", /^application\/(msword|vnd\.ms-|vnd\.visio)/],
  ["application/gzip", /^application\/(x-gzip|x-tar|x-gtar|x-compressed)/],
  ["video/mp4", /^(video|audio|image)\/(mp4|x-m4[av]|quicktime|3gpp|heic|heif|avif)/],
  ["audio/ogg", /^(video|audio|application)\/(ogg|opus)/],
  ["application/rtf", /^text\/rtf/],
  ["audio/wav", /^audio\/(x-wav|wave|vnd\.wave)/],
  ["audio/mpeg", /^audio\/mp3/],
  ["application/pdf", /^application\/x-pdf/],
  ["image/jpeg", /^image\/(jpg|pjpeg)/],
];

/** Matches the types that hosts declare when they do not know the type. */
const unspecific =
  /^(application\/(octet-stream|x-download|download|force-download|binary|unknown)|binary\/octet-stream|)$/;

/**
 * Compares the beginning of a file with the type that its host declares. A web page is never accepted as a file,
 * because hosts send a web page instead of a file that they do not have or may not provide.
 * @param head the first bytes; for a long file, `fileHeadBytes` of them
 * @param declared the `Content-Type`; empty when there is none
 */
export function checkFileType(head: Uint8Array, declared: string): FileTypeCheck {
  const [mediaType = ""] = declared.toLowerCase().split(";");
  const stated = mediaType.trim();
  if (head.byteLength === 0) return { type: "refused", reason: "it is empty" };
  const text = Buffer.from(head.subarray(0, fileHeadBytes)).toString("latin1");
  if (isHtml(text) || /^(text\/html|application\/xhtml\+xml)$/.test(stated)) {
    return { type: "refused", reason: "it is a web page, not a file" };
  }
  const found = signatures.find((signature) => matches(text, signature))?.contentType;
  if (found === undefined) {
    const expected = signatures.some(({ contentType }) => isA(stated, contentType));
    if (expected) return { type: "refused", reason: `it is declared as ${stated}, but lacks its signature` };
    return { type: "valid", contentType: unspecific.test(stated) ? typeOfText(text) : stated };
  }
  if (unspecific.test(stated)) return { type: "valid", contentType: found };
  if (isA(stated, found)) return { type: "valid", contentType: stated };
  return { type: "refused", reason: `it is declared as ${stated}, but is ${found}` };
}

function isA(stated: string, found: string): boolean {
  return stated === found || packedIn.some(([container, types]) => container === found && types.test(stated));
}

function matches(text: string, { text: signature, at = 0, within }: Signature): boolean {
  if (within !== undefined) return text.slice(0, within).includes(signature);
  return text.startsWith(signature, at);
}

/**
 * Returns whether a text begins like HTML.
 * @see https://mimesniff.spec.whatwg.org/#rules-for-identifying-an-unknown-mime-type
 */
function isHtml(text: string): boolean {
  const start = text.replace(/^\xef\xbb\xbf/, "").replace(/^(\s|<\?xml[^>]*>|<!--[\s\S]*?-->)+/, "");
  return /^<(!doctype\s+html|html|head|body|script|iframe|title)[\s>]/i.test(start);
}

function typeOfText(text: string): string {
  if (/^(\xef\xbb\xbf)?\s*<\?xml/.test(text)) return "application/xml";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that no text has.
  return /[\x00-\x08\x0e-\x1a]/.test(text) ? "application/octet-stream" : "text/plain";
}
