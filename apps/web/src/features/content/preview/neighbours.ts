/** Columns of a folder as the list has them. */
export interface Neighbourhood {
  readonly names: readonly string[]
  readonly isFile: (row: number) => boolean
}

export interface Neighbours {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** The files before and after this one in the order of the list; folders between them are passed over. */
export function neighboursOf({ names, isFile }: Neighbourhood, name: string): Neighbours {
  const at = names.indexOf(name)
  const nearest = (step: 1 | -1): string | undefined => {
    if (at < 0) return undefined
    for (let row = at + step; row >= 0 && row < names.length; row += step) if (isFile(row)) return names[row]
    return undefined
  }
  return { previous: nearest(-1), next: nearest(1) }
}
