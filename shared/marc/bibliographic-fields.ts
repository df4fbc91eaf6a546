/**
 * Defines which fields of the MARC 21 Format for Bibliographic Data, and which of their subfields, may be repeated. A
 * subfield is listed if all updates of the format agree on it. All other fields and subfields may be repeated,
 * including local fields (9XX, X9X, tags with letters).
 * @see https://www.loc.gov/marc/bibliographic/ecbdlist.html
 */
interface FieldDefinition {
  repeatable: boolean;
  /** The codes of subfields that occur at most once. */
  nonRepeatableCodes: string;
  /** The codes of subfields that may be repeated. */
  repeatableCodes: string;
}

/**
 * One line per field: tag, R (repeatable) or NR, codes of subfields that are not repeatable, codes of subfields that
 * are.
 */
const table = `
001 NR
003 NR
005 NR
006 R
007 R
008 NR
010 NR a         bz
013 R  abc       def
015 R  2         aqz
016 R  a2        z
017 R  b2        az
018 NR a
020 R  ac        qz
022 R  al2       myz
024 R  acd2      qz
025 R  -         a
026 R  ce2       abd5
027 R  a         qz
028 R  ab        q
030 R  a         z
031 R  abcegmnoqru2 dpstyz
032 R  ab
033 R  3         abc0
034 R  adefgjkmnp bchst
035 R  a         z
036 NR ab
037 R  ab3       cfgn
038 NR a
040 NR abc       de
041 R  2         abdefghjkmn
042 NR -         a
043 NR -         abc02
044 NR -         abc2
045 NR -         abc
046 R  abcdejklmnop2
047 R  2         a
048 R  2         ab
050 R  b3        a
051 R  abc
052 R  a2        bd
055 R  ab2
060 R  b         a
061 R  bc        a
066 NR ab        c
070 R  b         a
071 R  bc        a
072 R  a2        x
074 R  a         z
080 R  ab2       x
082 R  bmq2      a
083 R  mq2       acyz
084 R  bq2       a
085 R  -         abcfrstuvwyz
086 R  a2        z
088 R  a         z
100 NR abdflqt  cejknp04
110 NR aflt      bdekn04p
111 NR aflqt     eknp04
130 NR afhlort   dkmnp0
210 R  ab        2
222 R  ab
240 NR afhlor    dkmnp0
242 R  abchy     np
243 NR afhlor    dknp
245 NR abcfgh    knp
246 R  abfghi5   np
247 R  abfghx    np
250 R  b3        -
251 R  23        a
254 NR a
255 R  abcdefg
256 NR a
257 R  2         a
258 R  ab
260 R  3         abcefg
263 NR a
264 R  3         abc
270 R  abcdefghi jklmnpqrz4
300 R  b3        acfg
306 NR -         a
307 R  ab
310 R  ab2
321 R  ab2
336 R  23        ab
337 R  23        ab
338 R  23        ab
340 R  3         abcdefghijkmnop
342 R  abcdghijklmnopqrstuvw2 ef
343 R  abcdefghi
344 R  3         abcdefgh
345 R  3         ab
346 R  3         ab
347 R  3         abcdef
348 R  3         abc
351 R  c3        ab
352 R  adefgi    bcq
355 R  adefgh    bcj
357 NR a         bcg
362 R  az
363 R  abcdefghijklmu vxz
365 R  abcdefghijkm2
366 R  abcdefgjkm2
370 R  2         cfguv
377 R  2         al
380 R  2         a
381 R  2         auv
382 R  -         abdenprst
383 R  -         abc
384 R  a
385 R  m23       a
386 R  m23       ab
388 R  23        a
490 R  l3        avxyz
500 R  a35
501 R  a5
502 R  abcd      go
504 R  ab
505 R  a         grtu
506 R  a35       bcdeu
507 NR ab
508 R  a
510 R  abcx3     u
511 R  a
513 R  ab
514 NR aefim     bcdghjkuz
515 R  a
516 R  a
518 R  a3        dop
520 R  abc23     u
521 R  b3        a
522 R  a
524 R  a23
525 R  a
526 R  abcdi5    xz
530 R  abcd3     u
533 R  ade357    bcfmn
534 R  abcelmpt3 fknoxz
535 R  ag3       bcd
536 R  a         bcdefgh
538 R  ai35      u
540 R  a35       -
541 R  abcdefh35 no
542 R  3
544 R  3         abcden
545 R  ab        u
546 R  a3        b
547 R  a
550 R  a
552 R  abcdghijklmn efopuz
555 R  acd3      bu
556 R  a         z
561 R  a35       u
562 R  35        abcde
563 R  a35       u
565 R  a3        bcde
567 R  a2        b
580 R  a
581 R  a3        z
583 R  a235      bcdefhijklnouxz
584 R  35        ab
585 R  a35
586 R  a3
588 R  a5
600 R  abdfhlqort23 cejkmnpvxyz04
610 R  afhlort23 bdekmnpvxyz04
611 R  afhlqt23  eknpvxyz04
630 R  afhlort23 dekmnpvxyz04
647 R  ad23      cgvxyz0
648 R  a23       vxyz0
650 R  abcd23    egvxyz04
651 R  ab23      egvxyz04
653 R  -         a
654 R  a23       bcevyz04
655 R  a235      bcvxyz0
656 R  ak23      vxyz0
657 R  a23       vxyz0
658 R  acd2      b
662 R  abcd2     efgh04
700 R  abdfhlqortx35 ceijkmnp04
710 R  afhlortx35 bdeikmnp04
711 R  afhlqtx35 eiknp04
720 R  a         e4
730 R  afhlortx35 dikmnp0
740 R  ah5       np
751 R  a2        e04
752 R  abcd2     efgh04
753 R  abc2      0
754 R  2         acdxz0
758 R  a35       i014
760 R  abcdhmstxy7 ginow4
762 R  abcdhmstxy7 ginow4
765 R  abcdhmstuxy7 giknorwz4
767 R  abcdhmstuxy7 giknorwz4
770 R  abcdhmstuxy7 giknorwz4
772 R  abcdhmstuxy7 giknorwz4
773 R  abdhmpqstuxy37 giknorwz4
774 R  abcdhmstuxy7 giknorwz4
775 R  abcdefhmstuxy7 giknorwz4
776 R  abcdhmstuxy7 giknorwz4
777 R  abcdhmstxy7 giknow4
780 R  abcdhmstuxy7 giknorwz4
785 R  abcdhmstuxy7 giknorwz4
786 R  abcdhjmpstuvxy7 giknorwz4
787 R  abcdhmstuxy7 giknorwz4
800 R  abdfhlqortvx35 cejkmnpw04
810 R  afhlortvx35 bdekmnpw04
811 R  afhlqtvx35 eknpw04
830 R  afhlortvx35 dkmnpw0
841 NR abe
842 NR a
843 R  ade357    bcfmn
844 NR a
845 R  abcd35    u
850 R  -         a
852 R  ahjlnpqt23 bcdefgikmsuxz
856 R  23        adfmstuvwyz
880 R  6
882 NR -         aiw6
883 R  acdqux    w0
884 R  agkqu
885 R  abcd25    wxz0
886 R  ab2
887 R  a2
`;

export const bibliographicFields: ReadonlyMap<string, FieldDefinition> = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [tag = "", repeatable, once = "", many = ""] = line.replaceAll("-", "").split(/\s+/);
      return [
        tag,
        { repeatable: repeatable === "R", nonRepeatableCodes: once, repeatableCodes: many },
      ] as const;
    }),
);
