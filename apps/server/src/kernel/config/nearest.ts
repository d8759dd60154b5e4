/** The known name nearest to a mistyped one, or undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, distance: distance(word, name) }))
    .toSorted((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.name : undefined
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, char] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const change = (row[j] ?? 0) + (char === to[j] ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
