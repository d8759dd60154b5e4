/** A department as far as the shape of the tree goes; parent 0 is the root. */
export interface Branch {
  readonly id: number
  readonly parent_id: number
}

/** Departments from this one up to the root; a loop, which no edit makes, ends the walk. */
export function lineOf(branches: readonly Branch[], id: number): number[] {
  const parents = new Map(branches.map((branch) => [branch.id, branch.parent_id]))
  const line: number[] = []
  for (let at = id; at !== 0 && !line.includes(at); at = parents.get(at) ?? 0) line.push(at)
  return line
}

/** How many levels a department has with all below it: 1 without any. */
export function heightOf(branches: readonly Branch[], id: number): number {
  const children = Map.groupBy(branches, (branch) => branch.parent_id)
  let level = [id]
  let height = 0
  for (; level.length > 0 && height <= branches.length; height++)
    level = level.flatMap((at) => (children.get(at) ?? []).map((child) => child.id))
  return height
}
