import type { AdminDepartment } from '@godwit/contract'

/** A department in its place in the tree. */
export interface DepartmentLine extends AdminDepartment {
  /** From 1 on. */
  readonly level: number
  /** Names from the root down to this one. */
  readonly path: readonly string[]
  readonly hasChildren: boolean
  /** Accounts of the department and of all below it. */
  readonly allUsers: number
}

/** Every department under its parent, siblings by name. One whose parent is not there stands at the root. */
export function departmentLines(departments: readonly AdminDepartment[], locale: string): readonly DepartmentLine[] {
  const known = new Set(departments.map(({ id }) => id))
  const byParent = Map.groupBy(departments, ({ parentId }) => (known.has(parentId) ? parentId : 0))
  const collator = new Intl.Collator(locale, { numeric: true })
  const linesBelow = (parentId: number, level: number, path: readonly string[]): readonly DepartmentLine[] =>
    (byParent.get(parentId) ?? [])
      .toSorted((left, right) => collator.compare(left.name, right.name))
      .flatMap((department) => {
        const own = [...path, department.name]
        const below = linesBelow(department.id, level + 1, own)
        const direct = below.filter((line) => line.level === level + 1)
        const allUsers = department.users + direct.reduce((sum, line) => sum + line.allUsers, 0)
        return [{ ...department, level, path: own, hasChildren: below.length > 0, allUsers }, ...below]
      })
  return linesBelow(0, 1, [])
}

/** The lines in sight: those whose parents are all open. */
export function openLines(lines: readonly DepartmentLine[], open: ReadonlySet<number>): readonly DepartmentLine[] {
  const shown = new Set([0])
  const known = new Set(lines.map(({ id }) => id))
  return lines.filter(({ id, parentId }) => {
    const isShown = shown.has(known.has(parentId) ? parentId : 0)
    if (isShown && open.has(id)) shown.add(id)
    return isShown
  })
}

/** Where a department may move: anywhere but below itself. */
export function targetsOf(lines: readonly DepartmentLine[], id: number): readonly DepartmentLine[] {
  const below = new Set([id])
  return lines.filter((line) => {
    if (below.has(line.id) || below.has(line.parentId)) {
      below.add(line.id)
      return false
    }
    return true
  })
}
