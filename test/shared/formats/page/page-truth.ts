/** What a page says of its article, as read by people in the page itself in November 2026. */
export interface PageTruth {
  /** "Last, First", separated by semicolons. */
  creators: string;
  year: string;
  volume?: string;
  issue?: string;
  pages?: string;
  journal?: string;
  doi?: string;
  /** The first and the last words of the whole abstract. */
  abstract?: readonly [begin: string, end: string];
  isFree?: true;
}

/** The saved pages of publishers, by file name. Pages of bot checks have no article. */
export const pageTruths: Readonly<Record<string, PageTruth | undefined>> = {
  "ACL_N04-1001": {
    creators:
      "Florian, Radu; Hassan, H.; Ittycheriah, Abe; Jing, Hongyan; Kambhatla, Nanda; Luo, Xiaoqiang; Nicolov, Nicolas; Roukos, Salim",
    year: "2004",
    pages: "1-8",
    journal:
      "Proceedings of the Human Language Technology Conference of the North American Chapter of the Association for Computational Linguistics: HLT-NAACL 2004",
    isFree: true,
  },
  ACS_jp003647e: undefined,
  "APS_PhysRevLett.122.145901": undefined,
  "APS_RevModPhys.94.045004": {
    creators:
      "Filippetto, D.; Musumeci, P.; Li, R. K.; Siwick, B. J.; Otto, M. R.; Centurion, M.; Nunes, J. P. F.",
    year: "2022",
    volume: "94",
    issue: "4",
    pages: "045004",
    journal: "Reviews of Modern Physics",
    doi: "10.1103/RevModPhys.94.045004",
    abstract: ["Since the discovery of electron-wave duality", "energy and matter at atomic scales."],
  },
  AnnualReview_annurev_conmatphys_031214_014726: undefined,
  Fallback_peerj: {
    creators:
      "Emslie, Michael J.; Cheal, Alistair J.; MacNeil, M. Aaron; Miller, Ian R.; Sweatman, Hugh P.A.",
    year: "2018",
    volume: "6",
    pages: "e4886",
    journal: "PeerJ",
    doi: "10.7717/peerj.4886",
    abstract: [
      "Ecological monitoring programs typically aim",
      "minimise diver disturbance prior to surveys.",
    ],
    isFree: true,
  },
  HAL_HAL_jpa_00235190: {
    creators: "Friedel, Jacques",
    year: "1955",
    volume: "16",
    issue: "6",
    pages: "444-445",
    journal: "Journal de Physique et le Radium",
    doi: "10.1051/jphysrad:01955001606044400",
    abstract: ["Des calculs récents de la densité électronique", "même à assez fortes concentrations."],
  },
  IOPScience_002: {
    creators: "Astrov, D N; Pavlov, V A; Shkraba, V T",
    year: "1976",
    volume: "12",
    issue: "4",
    pages: "143",
    journal: "Metrologia",
    doi: "10.1088/0026-1394/12/4/002",
    abstract: ["In the temperature range from 2 to 30 K", "does not exceed ±3 mK."],
  },
  ProjectEuclid_1391109086: {
    creators: "Holzer, Matt; Kaper, Tasso J.",
    year: "2014",
    volume: "19",
    issue: "3/4",
    pages: "245-282",
    journal: "Advances in Differential Equations",
    doi: "10.57262/ade/1391109086",
    abstract: ["The renormalization group method of Chen", "elucidate the common general features."],
  },
  ScienceDirect_S0009261497040141: {
    creators: "Mitrushenkov, Alexander O.; Palmieri, Paolo",
    year: "1997",
    volume: "278",
    issue: "4-6",
    pages: "285-290",
    journal: "Chemical Physics Letters",
    doi: "10.1016/S0009-2614(97)04014-1",
    abstract: ["The Cr2 potential energy curve is obtained", "potential curves in the literature."],
  },
  ScienceDirect_S146290112300117X: {
    creators: "Yazar, Mahir; York, Abigail",
    year: "2023",
    volume: "145",
    pages: "228-237",
    journal: "Environmental Science & Policy",
    doi: "10.1016/j.envsci.2023.04.016",
    abstract: ["Urban climate adaptation through nature-based", "by local and national governments."],
    isFree: true,
  },
  SpringerLink_BF02727953: {
    creators: "Leinaas, J. M.; Myrheim, J.",
    year: "1977",
    volume: "37",
    issue: "1",
    pages: "1-23",
    journal: "Il Nuovo Cimento B (1971-1996)",
    doi: "10.1007/BF02727953",
    abstract: ["The classical configuration space of a system", "present formalism is discussed."],
  },
  "TFOnline_00268976.2013.788745": undefined,
};
