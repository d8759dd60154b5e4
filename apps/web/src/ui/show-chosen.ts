/** Scrolls a row of tabs sideways so that the chosen one is in sight; nothing else on the page moves. */
export function showChosen(row: HTMLElement | null): void {
  const chosen = row?.querySelector<HTMLElement>('[aria-selected=true], [aria-current]')
  if (row === null || chosen === null || chosen === undefined) return
  const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right
}
