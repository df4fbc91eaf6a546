/** Every tag that the conversion writes, sorted. A configuration may add further tags. */
export const writtenTags: readonly string[] = (
  "001 003 007 024 040 041 084 100 110 245 264 362 520 650 655 700 710 773 852 856 887 912 935 936 " +
  "JOU NOT PNO URL ZID"
).split(" ");
