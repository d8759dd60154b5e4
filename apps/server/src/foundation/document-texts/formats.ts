/** How the text of a file is found. */
export type TextFormat = 'plain' | 'html' | 'rtf' | 'office' | 'open-document' | 'pdf'

/** Endings of names, folded. What is in the file decides whether it is read. */
const ENDINGS: Readonly<Record<TextFormat, string>> = {
  plain:
    'txt text md markdown mdown mkd log csv tsv json jsonl xml yaml yml toml ini cfg conf properties env srt vtt tex bib rst adoc org ' +
    'c h cc cpp cxx hpp cs java kt kts scala go rs swift m mm js mjs cjs jsx ts mts cts tsx vue svelte css scss less sql py rb php pl ' +
    'lua r jl sh bash zsh fish ps1 bat cmd dart ex exs erl hs clj lisp vb pas asm gradle cmake proto graphql tf diff patch po eml',
  html: 'html htm xhtml mht',
  rtf: 'rtf',
  office: 'docx docm dotx xlsx xlsm pptx pptm ppsx',
  'open-document': 'odt ods odp odg ott',
  pdf: 'pdf',
}

const FORMATS: ReadonlyMap<string, TextFormat> = new Map(
  (Object.keys(ENDINGS) as TextFormat[]).flatMap((format) =>
    ENDINGS[format].split(' ').map((ending): [string, TextFormat] => [ending, format]),
  ),
)

/** @param ending folded, without the dot */
export function textFormatOf(ending: string): TextFormat | undefined {
  return FORMATS.get(ending)
}
