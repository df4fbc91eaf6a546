/**
 * The character sets of MARC-8 with one byte per character, by the final byte of their escape sequences. Each set lists
 * the Unicode code points of the positions 21 to 7E; `----` is an unassigned position. The sets are from the code
 * tables of the Library of Congress (a work of the United States Government, in the public domain), version of 2004. In
 * that version, the first half of the ligature and of the double tilde is U+0361 and U+0360, and their second half is
 * empty (`0000`).
 * @see https://www.loc.gov/marc/specifications/codetables.xml
 */
const tables = {
  // Extended Latin (ANSEL)
  E: `
    0141 00d8 0110 00de 00c6 0152 02b9 00b7 266d 00ae 00b1 01a0 01af 02bc ---- 02bb
    0142 00f8 0111 00fe 00e6 0153 02ba 0131 00a3 00f0 ---- 01a1 01b0 ---- ---- 00b0
    2113 2117 00a9 266f 00bf 00a1 00df 20ac ---- ---- ---- ---- ---- ---- ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- 0309
    0300 0301 0302 0303 0304 0306 0307 0308 030c 030a 0361 0000 0315 030b 0310 0327
    0328 0323 0324 0325 0333 0332 0326 031c 032e 0360 0000 ---- ---- 0313`,
  // Basic Hebrew
  "2": `
    0021 05f4 0023 0024 0025 0026 05f3 0028 0029 002a 002b 002c 05be 002e 002f 0030
    0031 0032 0033 0034 0035 0036 0037 0038 0039 003a 003b 003c 003d 003e 003f 05b7
    05b8 05b6 05b5 05b4 05b9 05bb 05b0 05b2 05b3 05b1 05bc 05bf 05c1 fb1e ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- 005b ---- 005d ---- ---- 05d0
    05d1 05d2 05d3 05d4 05d5 05d6 05d7 05d8 05d9 05da 05db 05dc 05dd 05de 05df 05e0
    05e1 05e2 05e3 05e4 05e5 05e6 05e7 05e8 05e9 05ea 05f0 05f1 05f2`,
  // Basic Arabic
  "3": `
    0021 0022 0023 0024 066a 0026 0027 0028 0029 066d 002b 060c 002d 002e 002f 0660
    0661 0662 0663 0664 0665 0666 0667 0668 0669 003a 061b 003c 003d 003e 061f ----
    0621 0622 0623 0624 0625 0626 0627 0628 0629 062a 062b 062c 062d 062e 062f 0630
    0631 0632 0633 0634 0635 0636 0637 0638 0639 063a 005b ---- 005d ---- ---- 0640
    0641 0642 0643 0644 0645 0646 0647 0648 0649 064a 064b 064c 064d 064e 064f 0650
    0651 0652 0671 0670 ---- ---- ---- 066c 201d 201c`,
  // Extended Arabic
  "4": `
    06fd 0672 0673 0679 067a 067b 067c 067d 067e 067f 0680 0681 0682 0683 0684 0685
    0686 06bf 0687 0688 0689 068a 068b 068c 068d 068e 068f 0690 0691 0692 0693 0694
    0695 0696 0697 0698 0699 069a 069b 069c 06fa 069d 069e 06fb 069f 06a0 06fc 06a1
    06a2 06a3 06a4 06a5 06a6 06a7 06a8 06a9 06aa 06ab 06ac 06ad 06ae 06af 06b0 06b1
    06b2 06b3 06b4 06b5 06b6 06b7 06b8 06ba 06bb 06bc 06bd 06b9 06be 06c0 06c4 06c5
    06c6 06ca 06cb 06cd 06ce 06d0 06d2 06d3 ---- ---- ---- ---- 0306 030c`,
  // Basic Cyrillic
  N: `
    0021 0022 0023 0024 0025 0026 0027 0028 0029 002a 002b 002c 002d 002e 002f 0030
    0031 0032 0033 0034 0035 0036 0037 0038 0039 003a 003b 003c 003d 003e 003f 044e
    0430 0431 0446 0434 0435 0444 0433 0445 0438 0439 043a 043b 043c 043d 043e 043f
    044f 0440 0441 0442 0443 0436 0432 044c 044b 0437 0448 044d 0449 0447 044a 042e
    0410 0411 0426 0414 0415 0424 0413 0425 0418 0419 041a 041b 041c 041d 041e 041f
    042f 0420 0421 0422 0423 0416 0412 042c 042b 0417 0428 042d 0429 0427`,
  // Extended Cyrillic
  Q: `
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- 0491
    0452 0453 0454 0451 0455 0456 0457 0458 0459 045a 045b 045c 045e 045f ---- 0463
    0473 0475 046b ---- ---- ---- ---- ---- ---- ---- 005b ---- 005d ---- 005f 0490
    0402 0403 0404 0401 0405 0406 0407 0408 0409 040a 040b 040c 040e 040f 042a 0462
    0472 0474 046a`,
  // Basic Greek
  S: `
    0300 0301 0308 0342 0313 0314 0345 ---- ---- ---- ---- ---- ---- ---- ---- 00ab
    00bb 201c 201d 0374 0375 ---- ---- ---- ---- ---- 0387 ---- ---- ---- 037e ----
    0391 0392 ---- 0393 0394 0395 03da 03dc 0396 0397 0398 0399 039a 039b 039c 039d
    039e 039f 03a0 03de 03a1 03a3 ---- 03a4 03a5 03a6 03a7 03a8 03a9 03e0 ---- ----
    03b1 03b2 03d0 03b3 03b4 03b5 03db 03dd 03b6 03b7 03b8 03b9 03ba 03bb 03bc 03bd
    03be 03bf 03c0 03df 03c1 03c3 03c2 03c4 03c5 03c6 03c7 03c8 03c9 03e1`,
  // Subscripts
  b: `
    ---- ---- ---- ---- ---- ---- ---- 208d 208e ---- 208a ---- 208b ---- ---- 2080
    2081 2082 2083 2084 2085 2086 2087 2088 2089`,
  // Greek symbols
  g: `
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
    ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ---- ----
    03b1 03b2 03b3`,
  // Superscripts
  p: `
    ---- ---- ---- ---- ---- ---- ---- 207d 207e ---- 207a ---- 207b ---- ---- 2070
    00b9 00b2 00b3 2074 2075 2076 2077 2078 2079`,
} satisfies Record<string, string>;

export type SingleByteSet = `${keyof typeof tables}` | "B";

/**
 * Returns the character at a position from 21 to 7E; empty for the second half of a character.
 * @returns undefined when the position is unassigned
 */
export function singleByteCharacter(set: SingleByteSet, position: number): string | undefined {
  return set === "B" ? String.fromCharCode(position) : rowsOf(set)[position - 0x21];
}

export function isSingleByteSet(name: string): name is SingleByteSet {
  return name === "B" || Object.hasOwn(tables, name);
}

const rows = new Map<string, (string | undefined)[]>();

function rowsOf(set: `${keyof typeof tables}`): (string | undefined)[] {
  const known = rows.get(set);
  if (known !== undefined) return known;
  const made = tables[set].trim().split(/\s+/).map(characterOf);
  rows.set(set, made);
  return made;
}

function characterOf(code: string): string | undefined {
  if (code === "----") return undefined;
  return code === "0000" ? "" : String.fromCharCode(Number.parseInt(code, 16));
}
