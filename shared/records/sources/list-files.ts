/**
 * The contents of the files that a configuration file refers to. Lists have one entry per line. A line that begins with
 * `#` is a comment.
 */
export interface ListFiles {
  nameBlacklist?: string;
  genreKeywords?: string;
  licences?: string;
}

/** The names of the files in the folder that `enhancement_maps_directory` names. */
export const listFileNames: Readonly<Record<keyof ListFiles, string>> = {
  nameBlacklist: "author_name_blacklist.txt",
  genreKeywords: "marc655_keywords.txt",
  licences: "ISSN_to_licence.map",
};
