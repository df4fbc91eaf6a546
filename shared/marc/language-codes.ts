/** Maps ISO 639-1 codes to MARC codes (ISO 639-2/B). @see https://www.loc.gov/standards/iso639-2/php/code_list.php */
const byTwoLetters = new Map(
  (
    "aa aar,ab abk,ae ave,af afr,ak aka,am amh,an arg,ar ara,as asm,av ava,ay aym,az aze,ba bak,be bel,bg bul," +
    "bi bis,bm bam,bn ben,bo tib,br bre,bs bos,ca cat,ce che,ch cha,co cos,cr cre,cs cze,cu chu,cv chv,cy wel," +
    "da dan,de ger,dv div,dz dzo,ee ewe,el gre,en eng,eo epo,es spa,et est,eu baq,fa per,ff ful,fi fin,fj fij," +
    "fo fao,fr fre,fy fry,ga gle,gd gla,gl glg,gn grn,gu guj,gv glv,ha hau,he heb,hi hin,ho hmo,hr hrv,ht hat," +
    "hu hun,hy arm,hz her,ia ina,id ind,ie ile,ig ibo,ii iii,ik ipk,io ido,is ice,it ita,iu iku,ja jpn,jv jav," +
    "ka geo,kg kon,ki kik,kj kua,kk kaz,kl kal,km khm,kn kan,ko kor,kr kau,ks kas,ku kur,kv kom,kw cor,ky kir," +
    "la lat,lb ltz,lg lug,li lim,ln lin,lo lao,lt lit,lu lub,lv lav,mg mlg,mh mah,mi mao,mk mac,ml mal,mn mon," +
    "mr mar,ms may,mt mlt,my bur,na nau,nb nob,nd nde,ne nep,ng ndo,nl dut,nn nno,no nor,nr nbl,nv nav,ny nya," +
    "oc oci,oj oji,om orm,or ori,os oss,pa pan,pi pli,pl pol,ps pus,pt por,qu que,rm roh,rn run,ro rum,ru rus," +
    "rw kin,sa san,sc srd,sd snd,se sme,sg sag,si sin,sk slo,sl slv,sm smo,sn sna,so som,sq alb,sr srp,ss ssw," +
    "st sot,su sun,sv swe,sw swa,ta tam,te tel,tg tgk,th tha,ti tir,tk tuk,tl tgl,tn tsn,to ton,tr tur,ts tso," +
    "tt tat,tw twi,ty tah,ug uig,uk ukr,ur urd,uz uzb,ve ven,vi vie,vo vol,wa wln,wo wol,xh xho,yi yid,yo yor," +
    "za zha,zh chi,zu zul"
  )
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Maps ISO 639-2/T codes to the bibliographic codes that differ from them, such as deu to ger. */
const byTerminologicalCode = new Map(
  (
    "sqi alb,hye arm,eus baq,bod tib,ces cze,cym wel,deu ger,ell gre,fas per,fra fre,isl ice,kat geo,mkd mac," +
    "mri mao,msa may,mya bur,nld dut,ron rum,slk slo,zho chi"
  )
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

/**
 * The known MARC codes: those with an ISO 639-1 code, those of ancient languages, and two local codes of four letters.
 */
const marcCodes = new Set([
  ...byTwoLetters.values(),
  ...["akk", "arc", "cop", "egy", "gez", "got", "grc", "hit", "sux", "syr", "uga"],
  ...["hans", "hant"],
]);

const twoLettersByMarcCode = new Map([...byTwoLetters].map(([two, marc]) => [marc, two]));

/** The two-letter codes (ISO 639-1) of all languages that have one. */
export const languageTags: readonly string[] = [...byTwoLetters.keys()];

/**
 * Returns the BCP 47 tag, without a region, of a MARC code or a language tag in any case.
 * @returns undefined when the language is unknown
 */
export function languageTag(stated: string): string | undefined {
  const code = marcLanguage(stated.toLowerCase().replace(/[-_].*$/s, ""));
  return code === undefined ? undefined : twoLettersByMarcCode.get(code);
}

/**
 * Returns the MARC code of a language code in lower case.
 * @returns undefined when the language is unknown
 */
export function marcLanguage(code: string): string | undefined {
  return marcCodes.has(code) ? code : (byTwoLetters.get(code) ?? byTerminologicalCode.get(code));
}
