/**
 * Whether a link at `path` that a peer sent leads to a place inside the receiving folder. It may climb only at its
 * beginning, where the folders above it are known to be real; after a name, `..` could climb out through another link.
 * @param path relative, checked
 */
export function staysInside(path: string, linkTarget: string): boolean {
  const names = linkTarget.split('/')
  const climbs = names.findIndex((name) => name !== '..')
  const rest = climbs === -1 ? [] : names.slice(climbs)
  const depth = path.split('/').length - 1
  const up = climbs === -1 ? names.length : climbs
  return up <= depth && linkTarget !== '' && !linkTarget.includes('\0') && !linkTarget.includes('\\') && isPlain(rest)
}

function isPlain(names: readonly string[]): boolean {
  return names.every(
    (name, index) =>
      name !== '..' && (name !== '' || (index > 0 && index === names.length - 1)) && !/^[a-z]:/i.test(name),
  )
}
