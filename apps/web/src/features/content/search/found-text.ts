/** A name in three parts, the middle one being what was looked for; all of it in the first where that cannot be said. */
export function splitAtMatch(name: string, text: string): readonly [before: string, match: string, after: string] {
  const wanted = text.normalize('NFC').toLowerCase()
  const folded = name.toLowerCase()
  const at = wanted === '' ? -1 : folded.indexOf(wanted)
  // A letter whose small form is longer moves everything behind it.
  if (at === -1 || folded.length !== name.length) return [name, '', '']
  const end = at + wanted.length
  return [name.slice(0, at), name.slice(at, end), name.slice(end)]
}

/** Names that begin with the text come first, folders before files, then by name. */
export function byRelevance<Item extends { readonly name: string; readonly file_type: string }>(
  items: readonly Item[],
  text: string,
): Item[] {
  const wanted = text.toLowerCase()
  const rank = ({ name, file_type }: Item): number =>
    (name.toLowerCase().startsWith(wanted) ? 0 : 2) + (file_type === 'File' ? 1 : 0)
  const names = new Intl.Collator(undefined, { numeric: true })
  return items.toSorted((a, b) => rank(a) - rank(b) || names.compare(a.name, b.name))
}
